const REST_MS_MIN = 1;

/**
 * Waits for a turn of the event loop that no other waiting work gets: one continues in each turn, first come, first served.
 * With a clock, in ms, all of them rest for as long as the last one worked: the event loop accepts one connection a turn, so
 * long turns without a rest would keep new connections waiting.
 */
export function createFairTurns(elapsed: () => number = () => 0): () => Promise<void> {
  const waiting: (() => void)[] = [];
  const giveTurn = () => {
    const startedMs = elapsed();
    waiting.shift()?.();
    if (waiting.length === 0) return;
    setImmediate(() => {
      const workedMs = elapsed() - startedMs;
      if (workedMs < REST_MS_MIN) giveTurn();
      else setTimeout(giveTurn, workedMs);
    });
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(giveTurn);
    });
}
