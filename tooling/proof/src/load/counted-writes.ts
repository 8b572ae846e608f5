/** A place that one client at a time writes numbers to: 1, 2, 3, … What was acknowledged determines what it must hold. */
export class CountedWrites {
  readonly name: string;
  /** The last number sent; 0 before the first. */
  sent = 0;
  /** The last number acknowledged; 0 before the first. */
  acknowledged = 0;
  /** How many were acknowledged. */
  answered = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** Sends the next number; it is acknowledged when `send` resolves. */
  async write(send: (number: number) => Promise<unknown>): Promise<void> {
    const number = ++this.sent;
    await send(number);
    this.acknowledged = number;
    this.answered += 1;
  }

  /** Why the held number is wrong; null if it is the last acknowledged number or one sent after it. */
  verify(held: number | null): string | null {
    const { name, acknowledged, sent } = this;
    if (held === null) return `${name} is missing`;
    if (held >= acknowledged && held <= sent) return null;
    return `${name} holds ${held}, although ${acknowledged} was acknowledged and ${sent} sent last`;
  }
}
