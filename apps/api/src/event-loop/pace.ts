import { createFairTurns } from './fair-turns.ts';

/** Passes on the text of long work in chunks, with a pause after each step. */
export type Pace = (steps: Iterable<string>) => AsyncIterable<string>;

const CHUNK_LENGTH = 65_536;

/**
 * Takes one step of all paced work in each turn of the event loop: however much long work there is, a short request waits for
 * one step at most. Nothing is done ahead of a slow reader.
 */
export function createPace(): Pace {
  const turn = createFairTurns();
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
