import type { UnstoredResult } from './result.ts';

/** Results that the storage has not taken, until they are tried again. Their checks stay under way, so that their leases are renewed. */
export interface Retries {
  /** The characters of all results. */
  length(): number;
  /** Keeps a result for so many milliseconds; false if results take too much memory, one being kept whatever its length. */
  add(result: UnstoredResult, ms: number): boolean;
  /** The tenants whose results wait for a transaction that numbers events. */
  lockedTenants(): ReadonlySet<string>;
}

export interface RetriesDeps {
  /** Resolves after `ms`, or as soon as the signal is aborted; never rejects. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** Ends all waits. */
  readonly stopping: AbortSignal;
  onDue(result: UnstoredResult): void;
}

/** The most characters of the results that are kept. */
const KEPT_LENGTH_MAX = 32 * 2 ** 20;

export function createRetries({ wait, stopping, onDue }: RetriesDeps): Retries {
  const kept = new Set<UnstoredResult>();
  const length = () => [...kept].reduce((sum, result) => sum + result.length, 0);
  return {
    length,
    add: (result, ms) => {
      if (kept.size > 0 && length() + result.length > KEPT_LENGTH_MAX) return false;
      kept.add(result);
      // Its lease is to be renewed.
      result.check.isBeingStored = false;
      void wait(ms, stopping).then(() => {
        kept.delete(result);
        onDue(result);
      });
      return true;
    },
    lockedTenants: () => new Set([...kept].flatMap(({ isLocked, completion }) => (isLocked ? completion.tenant : []))),
  };
}

const REFUSED_FIRST_MS = 100;

/** After how long a result is tried again that was refused alone so often before: at once, then at growing intervals. */
export const refusedDelayMs = (refusals: number, maxMs: number): number =>
  refusals === 0 ? 0 : Math.min(REFUSED_FIRST_MS * 2 ** (refusals - 1), maxMs);
