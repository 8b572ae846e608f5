/** Hands on what long work gives, step by step. */
export type Pace = (steps: Iterable<string>) => AsyncIterable<string>;

const CHUNK_LENGTH = 65_536;

const REST_MS_MIN = 1;

/**
 * Waits for the next turn of the event loop that nobody else has got: one goes on in each, in the order in which they came.
 * With a clock, in ms, they rest together for as long as the one before took: a turn accepts one connection and no more, so
 * that with nothing but long turns whoever connects would wait for all of them.
 */
export function createTurns(elapsed: () => number = () => 0): () => Promise<void> {
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

/**
 * One step, of whichever work, in each turn of the event loop: however much long work there is, a short request waits for
 * one step of it at most. Nothing is done ahead of a reader that is slow.
 */
export function createPace(): Pace {
  const turn = createTurns();
  return async function* (steps) {
    let chunk = '';
    for (const step of steps) {
      chunk += step;
      if (chunk.length >= CHUNK_LENGTH) {
        yield chunk;
        chunk = '';
      }
      await turn();
    }
    if (chunk !== '') yield chunk;
  };
}
