/** How long a webhook rests after attempts that failed fast. */
export interface BackOff {
  /** Counts a batch of attempts; how long to rest before the next one, in milliseconds. */
  after(batch: readonly AttemptTime[]): number;
}

export interface AttemptTime {
  readonly startedMs: number;
  readonly endedMs: number;
  readonly hasFailed: boolean;
}

const REST_FIRST_MS = 50;
const REST_MS_MAX = 2_000;
const DOUBLED_MAX = 10;

/**
 * While all attempts fail, the rest doubles from batch to batch. Time that the receiver took counts as rest, so a receiver that
 * is slow is not slowed down further. A success ends it. One whose attempts have failed before goes on with long rests.
 */
export function createBackOff(failuresBefore = 0): BackOff {
  let failedBatches = Math.min(failuresBefore, DOUBLED_MAX);
  return {
    after: (batch) => {
      if (batch.length === 0) return 0;
      if (batch.some(({ hasFailed }) => !hasFailed)) {
        failedBatches = 0;
        return 0;
      }
      const restMs = Math.min(REST_FIRST_MS * 2 ** failedBatches, REST_MS_MAX);
      failedBatches = Math.min(failedBatches + 1, DOUBLED_MAX);
      const tookMs = Math.max(...batch.map(({ startedMs, endedMs }) => endedMs - startedMs));
      return Math.max(0, restMs - tookMs);
    },
  };
}
