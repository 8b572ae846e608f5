/** Measures how long the process works for each of several jobs that are under way at the same time. */
export interface Meter {
  /** Begins a piece of work. The function ends it and returns its milliseconds: those of the process that no piece that ended meanwhile has counted. */
  begin(): () => number;
}

export function createMeter(busyMs: () => number): Meter {
  let countedMs = 0;
  return {
    begin: () => {
      const startMs = busyMs();
      const countedBefore = countedMs;
      return () => {
        const ms = Math.max(0, busyMs() - startMs - (countedMs - countedBefore));
        countedMs += ms;
        return ms;
      };
    },
  };
}
