/** Stores all items of one turn of the event loop with one call; each caller's promise settles with that call. */
export function groupByTurn<T>(storeAll: (items: readonly T[]) => Promise<unknown>): (item: T) => Promise<unknown> {
  let group: T[] = [];
  let stored: Promise<unknown> = Promise.resolve();
  return (item) => {
    if (group.push(item) > 1) return stored;
    stored = new Promise(setImmediate).then(() => {
      const items = group;
      group = [];
      return storeAll(items);
    });
    return stored;
  };
}
