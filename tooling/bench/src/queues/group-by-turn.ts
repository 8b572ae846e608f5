/** Hands all items of one turn of the event loop over together, and answers their callers when that is through. */
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
