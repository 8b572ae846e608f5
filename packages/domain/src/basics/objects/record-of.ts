/** The object that has a value for each of these keys, in their order. */
export const recordOf = <K extends string, V>(keys: readonly K[], makeValue: (key: K) => V): Record<K, V> =>
  Object.fromEntries(keys.map((key) => [key, makeValue(key)])) as Record<K, V>;
