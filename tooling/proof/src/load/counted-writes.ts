/** A resource to which one client at a time writes 1, 2, 3, …; the acknowledged numbers determine its valid content. */
export class CountedWrites {
  readonly name: string;
  /** The last number sent; 0 if none. */
  sent = 0;
  /** The last number acknowledged; 0 if none. */
  acknowledged = 0;
  /** Number of acknowledged writes. */
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
