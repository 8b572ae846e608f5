/** A map that drops the least recently used entries while it weighs more than `weightMax`. The entry last set always stays. */
export interface LruMap<K, V> {
  /** The weight of all entries. */
  readonly weight: number;
  get(key: K): V | undefined;
  set(key: K, value: V, weight: number): void;
  delete(key: K): void;
}

/** Calls `onDrop` with each value that is dropped for its weight, but not with deleted or replaced values. */
export function createLruMap<K, V>(weightMax: number, onDrop: (value: V) => void): LruMap<K, V> {
  // A Map keeps its keys in order of insertion: the first is the least recently used.
  const entries = new Map<K, { readonly value: V; readonly weight: number }>();
  let total = 0;

  const remove = (key: K) => {
    total -= entries.get(key)?.weight ?? 0;
    entries.delete(key);
  };

  return {
    get weight() {
      return total;
    },
    get: (key) => {
      const entry = entries.get(key);
      // The order matters only near the limit; below half of it, keeping it would be wasted work.
      if (entry !== undefined && total > weightMax / 2) {
        entries.delete(key);
        entries.set(key, entry);
      }
      return entry?.value;
    },
    set: (key, value, weight) => {
      remove(key);
      entries.set(key, { value, weight });
      total += weight;
      for (const [oldest, entry] of entries) {
        if (total <= weightMax || oldest === key) return;
        remove(oldest);
        onDrop(entry.value);
      }
    },
    delete: remove,
  };
}
