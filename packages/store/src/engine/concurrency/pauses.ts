import { setImmediate } from 'node:timers/promises';
import type { MaybePromise } from './maybe-promise.ts';

/** Is awaited between two pieces of long work, each of a millisecond or two. Throws or rejects when the work is to end. */
export type Pause = () => MaybePromise<void>;

const WORK_MS_MAX = 4;

/** Pauses in which the event loop turns, every few milliseconds. They throw once the signal, if there is one, is aborted. */
export function createPauses(signal?: AbortSignal): Pause {
  let sinceMs = performance.now();
  return () => {
    signal?.throwIfAborted();
    if (performance.now() - sinceMs < WORK_MS_MAX) return;
    return setImmediate().then(() => {
      sinceMs = performance.now();
    });
  };
}
