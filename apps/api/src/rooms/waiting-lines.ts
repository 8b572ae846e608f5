/** Whose work it is: an address or a tenant, and within it a client id, which may be one that the caller claims. */
export interface QueueKey {
  readonly source: string;
  readonly clientId: string;
}

/** Work that waits. Sources are served in turn, and within a source its client ids. */
export interface WaitingLines<T> {
  readonly size: number;
  add(key: QueueKey, work: T): void;
  /** Removes the work whose turn it is; null without any. */
  takeNext(): T | null;
  /** Removes the newest work of the longest line: of the source, and within it of the client id, that has most. */
  takeFromLongest(): T | null;
}

interface Line<T> {
  count: number;
  readonly byClient: Map<string, T[]>;
}

export function createWaitingLines<T>(): WaitingLines<T> {
  let size = 0;
  // The order of both maps is that of service.
  const bySource = new Map<string, Line<T>>();
  const take = (source: string, clientId: string, from: (ofClient: T[]) => T | undefined): T | null => {
    const line = bySource.get(source);
    const ofClient = line?.byClient.get(clientId);
    if (line === undefined || ofClient === undefined) return null;
    const work = from(ofClient) ?? null;
    line.count -= 1;
    size -= 1;
    if (ofClient.length === 0) line.byClient.delete(clientId);
    if (line.count === 0) bySource.delete(source);
    return work;
  };
  return {
    get size() {
      return size;
    },
    add: ({ source, clientId }, work) => {
      const line = bySource.get(source) ?? { count: 0, byClient: new Map<string, T[]>() };
      const ofClient = line.byClient.get(clientId) ?? [];
      ofClient.push(work);
      line.byClient.set(clientId, ofClient);
      bySource.set(source, line);
      line.count += 1;
      size += 1;
    },
    takeNext: () => {
      const [source, line] = bySource.entries().next().value ?? [];
      const [clientId, ofClient] = line?.byClient.entries().next().value ?? [];
      if (source === undefined || line === undefined || clientId === undefined || ofClient === undefined) return null;
      // What both still have waits behind all others.
      bySource.delete(source);
      bySource.set(source, line);
      line.byClient.delete(clientId);
      line.byClient.set(clientId, ofClient);
      return take(source, clientId, (works) => works.shift());
    },
    takeFromLongest: () => {
      const source = longestOf(bySource, ({ count }) => count);
      const clientId = longestOf(bySource.get(source)?.byClient ?? new Map<string, T[]>(), ({ length }) => length);
      return take(source, clientId, (works) => works.pop());
    },
  };
}

/** The key of the longest line; of several, the last one. */
function longestOf<L>(lines: ReadonlyMap<string, L>, lengthOf: (line: L) => number): string {
  let longest = '';
  let length = 0;
  for (const [key, line] of lines) if (lengthOf(line) >= length) [longest, length] = [key, lengthOf(line)];
  return longest;
}
