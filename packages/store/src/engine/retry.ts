import { setTimeout } from 'node:timers/promises';
import { NodeAway, StorageFull, StorageUnavailable } from './errors.ts';

/** How long a call retries by default, including the time it has waited already. */
export const RETRY_MS = 2_000;
const PAUSE_FIRST_MS = 2;
const PAUSE_MAX_MS = 50;
/** The longest pause between two tries. */
export const LONGEST_PAUSE_MS = PAUSE_MAX_MS * 1.5;

/** The meaning of an error: `passing` is worth another try, `full` (no room on the disk), `nodeAway` and `away` are not, and `other` does not concern the state of the storage. */
export type StorageState = 'passing' | 'full' | 'nodeAway' | 'away' | 'other';

/** Repeats an attempt while its error is `passing`; `enteredMs` is when its caller began to wait (`performance.now()`). */
export type Retry = <T>(attempt: () => T | Promise<T>, enteredMs?: number) => Promise<T>;

/** A retry that also passes the gate, so that the store closes after it. */
export type Guard = <T>(attempt: () => Promise<T>) => Promise<T>;

/** Callers of one retry share the wait: a call that queued behind one that gave up does not wait for the same time again. */
export function createRetry(stateOf: (error: unknown) => StorageState, waitMaxMs = RETRY_MS): Retry {
  let hinderedSinceMs: number | null = null;
  return async (attempt, enteredMs = performance.now()) => {
    for (let pauseMs = PAUSE_FIRST_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS)) {
      try {
        const value = await attempt();
        hinderedSinceMs = null;
        return value;
      } catch (error) {
        const state = stateOf(error);
        if (state === 'full') throw new StorageFull('The disk of the storage is full.', { cause: error });
        if (state === 'nodeAway') throw new NodeAway('A node of the storage is away.', { cause: error });
        if (state !== 'passing') throw state === 'away' ? unavailable('The storage is away.', error) : error;
        hinderedSinceMs ??= performance.now();
        if (performance.now() - Math.max(enteredMs, hinderedSinceMs) >= waitMaxMs) {
          throw unavailable('The storage is busy or away.', error);
        }
        await setTimeout(pauseMs * (0.5 + Math.random()));
      }
    }
  };
}

function unavailable(message: string, cause: unknown): StorageUnavailable {
  return new StorageUnavailable(message, { cause });
}
