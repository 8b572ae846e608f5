/** Clock, timers and randomness. */
export interface Runtime {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** At least 0, below 1. */
  readonly random: () => number;
  /** Resolves after `ms`; rejects with the signal's reason when that comes first. */
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Calls back once after `ms`; the returned function cancels that. */
  readonly after: (ms: number, callback: () => void) => () => void;
}

/** The clock, timers and randomness of the platform. */
export const systemRuntime: Runtime = { now: () => Date.now(), random: () => Math.random(), sleep, after };

// `setTimeout` fires at once for a delay beyond 32 bits.
const TIMER_MS_MAX = 2 ** 31 - 1;

function after(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, Math.min(ms, TIMER_MS_MAX));
  return () => clearTimeout(timer);
}

async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let cancel = () => {};
  const slept = new Promise<void>((resolve) => {
    cancel = after(ms, resolve);
  });
  try {
    await unlessAborted(slept, signal);
  } finally {
    cancel();
  }
}

/** Waits for a promise without cancelling it; rejects with the signal's reason if that comes first. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal?.reason);
  });
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort);
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}
