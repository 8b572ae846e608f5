import { setImmediate } from 'node:timers/promises';

const WORK_MS_MAX = 4;

/** Runs steps to the end. The event loop turns every few milliseconds, and an abort ends the work between two steps. */
export async function runSteps<T>(steps: Generator<void, T>, signal: AbortSignal): Promise<T> {
  let sinceMs = performance.now();
  for (;;) {
    signal.throwIfAborted();
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - sinceMs < WORK_MS_MAX) continue;
    await setImmediate();
    sinceMs = performance.now();
  }
}
