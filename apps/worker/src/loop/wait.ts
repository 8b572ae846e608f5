import { setImmediate, setTimeout } from 'node:timers/promises';

/** Resolves after `ms`, or when the signal is aborted. With 0 it only lets signals and other events be handled. */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await (ms > 0 ? setTimeout(ms, undefined, { signal }) : setImmediate(undefined, { signal }));
  } catch {
    // The signal was aborted.
  }
}
