/** Runs work of the same name one after the other, in the order in which it came. */
export function createTurns(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const lastByName = new Map<string, Promise<void>>();
  return async (name, work) => {
    const before = lastByName.get(name);
    const { promise: done, resolve: finish } = Promise.withResolvers<void>();
    lastByName.set(name, done);
    await before;
    try {
      return await work();
    } finally {
      finish();
      if (lastByName.get(name) === done) lastByName.delete(name);
    }
  };
}
