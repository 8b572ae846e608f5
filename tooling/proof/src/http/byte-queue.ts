/** Bytes that arrive in packets and are taken in other portions. */
export type ByteQueue = ReturnType<typeof createByteQueue>;

export function createByteQueue() {
  let packets: Buffer[] = [];
  let length = 0;
  let isEnded = false;
  let wake = () => {};

  const joined = (): Buffer => {
    const bytes = Buffer.concat(packets);
    packets = [bytes];
    return bytes;
  };
  const nextPacket = async (): Promise<void> => {
    if (isEnded) throw new Error(`an answer was cut: ${joined().toString('latin1', 0, 80)}`);
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  };
  const take = async (count: number): Promise<Buffer> => {
    while (length < count) await nextPacket();
    const bytes = joined();
    packets = [bytes.subarray(count)];
    length -= count;
    return bytes.subarray(0, count);
  };
  return {
    add: (packet: Buffer) => {
      packets.push(packet);
      length += packet.length;
      wake();
    },
    /** No packet follows. */
    end: () => {
      isEnded = true;
      wake();
    },
    /** Resolves once there are bytes; false if there will be none. */
    hasMore: async (): Promise<boolean> => {
      while (length === 0 && !isEnded) await nextPacket();
      return length > 0;
    },
    /** Resolves with this many bytes; rejects if the packets end before. */
    take,
    /** Resolves with the text before a delimiter, which is taken as well. */
    takeBefore: async (delimiter: string): Promise<string> => {
      let at = joined().indexOf(delimiter);
      for (; at === -1; at = joined().indexOf(delimiter)) await nextPacket();
      return (await take(at + delimiter.length)).toString('latin1', 0, at);
    },
    /** The bytes that are there and were not taken. */
    rest: (): string => joined().toString('latin1'),
  };
}
