import { performance } from 'node:perf_hooks';
import { setImmediate, setTimeout } from 'node:timers/promises';

/** Resolves after `ms`, or when the signal is aborted. With 0 it only lets signals and other events be handled. */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await (ms > 0 ? setTimeout(ms, undefined, { signal }) : setImmediate(undefined, { signal }));
  } catch {
    // The signal was aborted.
  }
}

/** The time in which the event loop of this process has worked, in milliseconds. */
export const busyMs = (): number => performance.eventLoopUtilization().active;
