/** The failure of the previous work of the same name; null if it succeeded. */
export type Before = { readonly failure: unknown } | null;

/**
 * Runs work of the same name one after the other, in the order of the calls. Each receives the failure of the work that it
 * has waited for, if there was one.
 */
export function createOrderedRunner(): <T>(name: string, work: (before: Before) => Promise<T>) => Promise<T> {
  const lastByName = new Map<string, Promise<Before>>();
  return async (name, work) => {
    const before = lastByName.get(name);
    const { promise: done, resolve: finish } = Promise.withResolvers<Before>();
    lastByName.set(name, done);
    let ending: Before = null;
    try {
      return await work((await before) ?? null);
    } catch (failure) {
      ending = { failure };
      throw failure;
    } finally {
      finish(ending);
      if (lastByName.get(name) === done) lastByName.delete(name);
    }
  };
}
