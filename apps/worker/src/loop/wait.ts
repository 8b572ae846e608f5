import { setImmediate, setTimeout } from 'node:timers/promises';

/** Resolves after `ms`, or as soon as the signal is aborted. Without a time it lets signals and other events through. */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await (ms > 0 ? setTimeout(ms, undefined, { signal }) : setImmediate(undefined, { signal }));
  } catch {
    // Aborted: no reason to wait any longer.
  }
}
