/** What waits for one tenant. Its clients are served in turn, each in the order of arrival. */
export interface Queue<T> {
  readonly size: number;
  /** What is served next. */
  first(): T | null;
  add(client: string, waiting: T): void;
  /** False if it does not wait any more. */
  remove(client: string, waiting: T): boolean;
  /** The newest of the client that has the most. */
  newestOfLongest(): T | null;
}

export function createQueue<T>(): Queue<T> {
  let size = 0;
  // In the order of service.
  const byClient = new Map<string, Set<T>>();
  const firstClient = () => byClient.entries().next().value ?? null;
  return {
    get size() {
      return size;
    },
    first: () => firstClient()?.[1].values().next().value ?? null,
    add: (client, waiting) => {
      const line = byClient.get(client);
      if (line === undefined) byClient.set(client, new Set([waiting]));
      else line.add(waiting);
      size += 1;
    },
    remove: (client, waiting) => {
      const line = byClient.get(client);
      if (line === undefined) return false;
      const isServed = firstClient()?.[0] === client && line.values().next().value === waiting;
      if (!line.delete(waiting)) return false;
      size -= 1;
      if (isServed || line.size === 0) byClient.delete(client);
      // What the client still has waits behind all others.
      if (isServed && line.size > 0) byClient.set(client, line);
      return true;
    },
    newestOfLongest: () => {
      let longest: ReadonlySet<T> = new Set();
      for (const line of byClient.values()) if (line.size >= longest.size) longest = line;
      return [...longest].at(-1) ?? null;
    },
  };
}
