/** A map that forgets the entries used longest ago once it has more than `sizeMax`. */
interface LruMap<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  delete(key: K): void;
}

export function createLruMap<K, V>(sizeMax: number): LruMap<K, V> {
  // A Map keeps the order in which its keys came: the first is the one used longest ago.
  const entries = new Map<K, V>();
  const set = (key: K, value: V) => {
    entries.delete(key);
    entries.set(key, value);
    for (const oldest of entries.keys()) {
      if (entries.size <= sizeMax) return;
      entries.delete(oldest);
    }
  };
  return {
    get: (key) => {
      const value = entries.get(key);
      // The order counts when something has to go: far from that, keeping it would only cost.
      if (value === undefined || entries.size < sizeMax / 2) return value;
      entries.delete(key);
      entries.set(key, value);
      return value;
    },
    set,
    delete: (key) => {
      entries.delete(key);
    },
  };
}
