/** Whose work it is: an address, and within it a client id that the caller claims. */
export interface Place {
  readonly address: string;
  readonly clientId: string;
}

/** Work that waits. Addresses are served in turn, and within an address its client ids. */
export interface WaitingLines<T> {
  readonly size: number;
  add(place: Place, work: T): void;
  /** Removes the work whose turn it is; null without any. */
  takeNext(): T | null;
  /** Removes the newest work of the longest line: of the address, and within it of the client id, that has most. */
  takeFromLongest(): T | null;
}

interface Line<T> {
  count: number;
  readonly byClient: Map<string, T[]>;
}

export function createWaitingLines<T>(): WaitingLines<T> {
  let size = 0;
  // The order of both maps is that of service.
  const byAddress = new Map<string, Line<T>>();
  const take = (address: string, clientId: string, from: (ofClient: T[]) => T | undefined): T | null => {
    const line = byAddress.get(address);
    const ofClient = line?.byClient.get(clientId);
    if (line === undefined || ofClient === undefined) return null;
    const work = from(ofClient) ?? null;
    line.count -= 1;
    size -= 1;
    if (ofClient.length === 0) line.byClient.delete(clientId);
    if (line.count === 0) byAddress.delete(address);
    return work;
  };
  return {
    get size() {
      return size;
    },
    add: ({ address, clientId }, work) => {
      const line = byAddress.get(address) ?? { count: 0, byClient: new Map<string, T[]>() };
      const ofClient = line.byClient.get(clientId) ?? [];
      ofClient.push(work);
      line.byClient.set(clientId, ofClient);
      byAddress.set(address, line);
      line.count += 1;
      size += 1;
    },
    takeNext: () => {
      const [address, line] = byAddress.entries().next().value ?? [];
      const [clientId, ofClient] = line?.byClient.entries().next().value ?? [];
      if (address === undefined || line === undefined || clientId === undefined || ofClient === undefined) return null;
      // What both still have waits behind all others.
      byAddress.delete(address);
      byAddress.set(address, line);
      line.byClient.delete(clientId);
      line.byClient.set(clientId, ofClient);
      return take(address, clientId, (works) => works.shift());
    },
    takeFromLongest: () => {
      const address = longestOf(byAddress, ({ count }) => count);
      const clientId = longestOf(byAddress.get(address)?.byClient ?? new Map<string, T[]>(), ({ length }) => length);
      return take(address, clientId, (works) => works.pop());
    },
  };
}

/** The key of the longest line; of several, the last one. */
function longestOf<L>(lines: ReadonlyMap<string, L>, lengthOf: (line: L) => number): string {
  let [longest, length] = ['', 0];
  for (const [key, line] of lines) if (lengthOf(line) >= length) [longest, length] = [key, lengthOf(line)];
  return longest;
}
