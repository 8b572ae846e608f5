import { setImmediate } from 'node:timers/promises';

const WORK_MS_MAX = 4;

/** Returns a function to be awaited at each step of a long job. Every few milliseconds it lets the event loop turn. */
export function createBreather(): () => Promise<void> {
  let sinceMs = performance.now();
  return async () => {
    if (performance.now() - sinceMs < WORK_MS_MAX) return;
    await setImmediate();
    sinceMs = performance.now();
  };
}
