import { setImmediate } from 'node:timers/promises';

/** Work with pauses between pieces of about a millisecond. */
export type Paused<T> = Generator<undefined, T>;

const PIECE_MS = 1;

/** Takes items one after the other. */
export function* takeAll<T>(items: Iterable<T>, take: (item: T) => void): Paused<void> {
  let sinceMs = performance.now();
  for (const item of items) {
    take(item);
    if (performance.now() - sinceMs < PIECE_MS) continue;
    yield;
    sinceMs = performance.now();
  }
}

/** Does work that yields more often than it should pause. */
export function* inPieces<T>(work: Paused<T>): Paused<T> {
  let sinceMs = performance.now();
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value;
    if (performance.now() - sinceMs < PIECE_MS) continue;
    yield;
    sinceMs = performance.now();
  }
}

/** Joins pieces of a text. */
export function* joined(pieces: Iterable<string>): Paused<string> {
  let text = '';
  yield* takeAll(pieces, (piece) => {
    text += piece;
  });
  return text;
}

/** Does work to its end; the event loop turns in its pauses. */
export async function afterPauses<T>(work: Paused<T>): Promise<T> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value;
    await setImmediate();
  }
}
