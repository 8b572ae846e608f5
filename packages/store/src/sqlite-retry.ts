import { setTimeout } from 'node:timers/promises';
import { isSqliteAway, isSqliteBusy } from './sqlite-errors.ts';
import { StorageUnavailable } from './store.ts';

const WAIT_MAX_MS = 2_000;
const PAUSE_FIRST_MS = 2;
const PAUSE_MAX_MS = 50;

/** Runs an attempt, again and again while the file is locked; `enteredMs` is when its caller began to wait (`performance.now()`). */
type SqliteRetry = <T>(attempt: () => T | Promise<T>, enteredMs?: number) => Promise<T>;

/** Callers that share a retry share the wait: those who queued behind one that gave up do not wait as long again. */
export function createSqliteRetry(): SqliteRetry {
  let busySinceMs: number | null = null;
  return async (attempt, enteredMs = performance.now()) => {
    for (let pauseMs = PAUSE_FIRST_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS)) {
      try {
        const value = await attempt();
        busySinceMs = null;
        return value;
      } catch (error) {
        if (!isSqliteBusy(error)) throw isSqliteAway(error) ? unavailable('The storage is away.', error) : error;
        busySinceMs ??= performance.now();
        if (performance.now() - Math.max(enteredMs, busySinceMs) >= WAIT_MAX_MS) {
          throw unavailable('The storage is busy.', error);
        }
        await setTimeout(pauseMs * (0.5 + Math.random()));
      }
    }
  };
}

function unavailable(message: string, cause: unknown): StorageUnavailable {
  return new StorageUnavailable(message, { cause });
}
