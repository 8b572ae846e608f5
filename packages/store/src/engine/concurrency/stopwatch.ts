/** Starts a stopwatch: returns a function that returns the milliseconds since then. */
export function startStopwatch(): () => number {
  const startedMs = performance.now();
  return () => performance.now() - startedMs;
}
