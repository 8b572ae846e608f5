/** A map that forgets the entries used longest ago once its entries weigh more than `weightMax`; the one last set stays whatever it weighs. */
export interface LruMap<K, V> {
  /** What all entries weigh. */
  readonly weight: number;
  get(key: K): V | undefined;
  set(key: K, value: V, weight: number): void;
  delete(key: K): void;
}

/** `forgotten` is told of each value that had to go, but not of those that were deleted or replaced. */
export function createLruMap<K, V>(weightMax: number, forgotten: (value: V) => void): LruMap<K, V> {
  // A Map keeps the order in which its keys came: the first is the one used longest ago.
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
      // The order counts when something has to go: far from that, keeping it would only cost.
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
        forgotten(entry.value);
      }
    },
    delete: remove,
  };
}
