import { performance } from 'node:perf_hooks';

/** Resolves after `ms`, or when the signal is aborted. With 0 it only lets signals and other events be handled. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0) return new Promise((resolve) => void setImmediate(resolve));
  if (signal.aborted) return Promise.resolve();
  // The timers of `node:timers/promises` make an error at each abort, with its stack.
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}

/** The time in which the event loop of this process has worked, in milliseconds. */
export const busyMs = (): number => performance.eventLoopUtilization().active;
