/** One place that one client at a time writes numbers to: 1, 2, 3, … What it must hold follows from what was acknowledged. */
export interface CountedWrites {
  readonly name: string;
  /** The last number sent; 0 before the first. */
  readonly sent: number;
  /** The last number acknowledged; 0 before the first. */
  readonly acknowledged: number;
  /** How many were acknowledged. */
  readonly answered: number;
  /** Sends the next number; it is acknowledged when `send` resolves. */
  write(send: (number: number) => Promise<unknown>): Promise<void>;
  /** Why what it holds now is wrong; null when it is the last acknowledged number or one sent after it. */
  verify(held: number | null): string | null;
}

export function createCountedWrites(name: string): CountedWrites {
  let sent = 0;
  let acknowledged = 0;
  let answered = 0;
  return {
    name,
    get sent() {
      return sent;
    },
    get acknowledged() {
      return acknowledged;
    },
    get answered() {
      return answered;
    },
    async write(send) {
      const number = ++sent;
      await send(number);
      acknowledged = number;
      answered += 1;
    },
    verify(held) {
      if (held === null) return `${name} is missing`;
      if (held >= acknowledged && held <= sent) return null;
      return `${name} holds ${held}, although ${acknowledged} was acknowledged and ${sent} sent last`;
    },
  };
}
