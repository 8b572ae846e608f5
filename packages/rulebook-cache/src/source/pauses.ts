import { setImmediate } from 'node:timers/promises';
import type { MaybePromise } from './source.ts';

/** Is awaited between two pieces of long work, each of a millisecond or two. Rejects when the work is to end. */
export type Pause = () => MaybePromise<void>;

// Records of a part: some of them take a millisecond or two.
const PART = 100;
const WORK_MS_MAX = 4;

/** The records in parts, to be worked on with a pause after each. */
export function* inParts<T>(records: readonly T[]): Generator<readonly T[], void> {
  for (let start = 0; start < records.length; start += PART) yield records.slice(start, start + PART);
}

/** Pauses in which the event loop turns, every few milliseconds. They reject once the signal is aborted. */
export function createPauses(signal: AbortSignal): Pause {
  let sinceMs = performance.now();
  return () => {
    signal.throwIfAborted();
    if (performance.now() - sinceMs < WORK_MS_MAX) return;
    return setImmediate().then(() => {
      sinceMs = performance.now();
    });
  };
}
