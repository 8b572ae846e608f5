import { setImmediate } from 'node:timers/promises';

const WORK_MS_MAX = 4;

/** To be awaited at each step of a long job: every few milliseconds it lets the event loop turn, so that others are served. */
export function createBreather(): () => Promise<void> {
  let sinceMs = performance.now();
  return async () => {
    if (performance.now() - sinceMs < WORK_MS_MAX) return;
    await setImmediate();
    sinceMs = performance.now();
  };
}
