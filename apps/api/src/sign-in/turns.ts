/** Runs what has the same key one after the other, in order of calls. */
export type InTurn = <T>(key: string, run: () => Promise<T>) => Promise<T>;

export function createTurns(): InTurn {
  const latest = new Map<string, Promise<unknown>>();
  return async (key, run) => {
    const running = (latest.get(key) ?? Promise.resolve()).then(run, run);
    latest.set(key, running);
    try {
      return await running;
    } finally {
      if (latest.get(key) === running) latest.delete(key);
    }
  };
}
