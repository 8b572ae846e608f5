export interface BackoffDeps {
  /** From 0 up to, and without, 1. */
  random(): number;
  /** Resolves after `ms`, or as soon as the signal is aborted; never rejects. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** Waits after failures of the storage, longer from failure to failure. */
export interface Backoff {
  /** Waits, until the signal is aborted at most. */
  afterFailure(signal: AbortSignal): Promise<void>;
  /** The next failure is a first one again. */
  reset(): void;
}

const FIRST_MS = 100;
const MAX_MS = 5_000;

export function createBackoff({ random, wait }: BackoffDeps): Backoff {
  let failures = 0;
  return {
    afterFailure: (signal) => {
      const ms = Math.min(FIRST_MS * 2 ** failures, MAX_MS) * (0.5 + random() / 2);
      failures += 1;
      return wait(ms, signal);
    },
    reset: () => {
      failures = 0;
    },
  };
}
