/** Hands on what long work gives, step by step. */
export type Pace = (steps: Iterable<string>) => AsyncIterable<string>;

const CHUNK_LENGTH = 65_536;

/**
 * One step, of whichever work, in each turn of the event loop: however much long work there is, a short request waits for
 * one step of it at most. Nothing is done ahead of a reader that is slow.
 */
export function createPace(): Pace {
  const waiting: (() => void)[] = [];
  const giveTurn = () => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(giveTurn);
  };
  const turn = () =>
    new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(giveTurn);
    });
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
