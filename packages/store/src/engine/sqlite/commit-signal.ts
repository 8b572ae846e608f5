import { type Commit, SOME_COMMIT } from '../commits.ts';
import { createListeners } from '../listeners.ts';

const POLL_EVERY_MS = 5;

export interface SqliteCommitSignal {
  /** Calls back after each poll that finds a commit since the last one; of what, a poll does not find. */
  subscribe(listener: (commit: Commit) => void): () => void;
  /** Polls now. Called when something may have been committed. */
  poll(): void;
  /** This process has committed what changes no cached read. */
  notify(commit: Commit): void;
  close(): void;
}

/**
 * Signals commits by any process. It polls the version of the data, which SQLite keeps in shared memory, from the first
 * subscription on, and never keeps the process alive.
 */
export function createSqliteCommitSignal(readVersion: () => number, pollEveryMs = POLL_EVERY_MS): SqliteCommitSignal {
  const { subscribe, callAll, clear } = createListeners();
  let seen = 0;
  let isClosed = false;
  let interval: NodeJS.Timeout | undefined;

  // A file that cannot be read now is polled again later.
  const versionOr = (otherwise: number) => {
    try {
      return readVersion();
    } catch {
      return otherwise;
    }
  };
  const poll = () => {
    if (interval === undefined) return;
    const version = versionOr(seen);
    if (version === seen) return;
    seen = version;
    callAll(SOME_COMMIT);
  };

  return {
    subscribe: (listener) => {
      if (!isClosed && interval === undefined) {
        seen = versionOr(seen);
        interval = setInterval(poll, pollEveryMs).unref();
      }
      return subscribe(listener);
    },
    poll,
    notify: callAll,
    close: () => {
      isClosed = true;
      clear();
      clearInterval(interval);
      interval = undefined;
    },
  };
}
