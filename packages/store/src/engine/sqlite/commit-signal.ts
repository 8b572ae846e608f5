import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { createListeners } from '../listeners.ts';

const POLL_EVERY_MS = 1_000;
// SQLite writes the log, syncs it and only then shows the commit: the files change some milliseconds before it can be seen.
const POLL_SOON_MS = 2;
const POLLS_SOON = 100;

export interface SqliteCommitSignal {
  /** Calls back after each poll that finds a commit since the last one; of what, a poll does not find. */
  subscribe(listener: (arising: null) => void): () => void;
  /** Polls now. Called when something may have been committed. */
  poll(): void;
  /** This process has committed what changes no cached read. */
  notify(): void;
  close(): void;
}

/**
 * Signals commits by any process. It watches the files of the database. When they change it polls the version of the data every
 * two milliseconds, until no commit was found for a while: a long commit would cause a signal for each page. It polls once a second
 * in any case. It starts with the first subscription and never keeps the process alive.
 */
export function createSqliteCommitSignal(
  path: string,
  readVersion: () => number,
  pollEveryMs = POLL_EVERY_MS,
): SqliteCommitSignal {
  const listeners = createListeners<null>();
  let seen = 0;
  let isClosed = false;
  let interval: NodeJS.Timeout | undefined;
  let timer: NodeJS.Timeout | undefined;
  let watcher: FSWatcher | null = null;

  // A file that cannot be read now is polled again later.
  const versionOr = (otherwise: number) => {
    try {
      return readVersion();
    } catch {
      return otherwise;
    }
  };
  /** Whether there was a commit. */
  const poll = (): boolean => {
    const version = interval === undefined ? seen : versionOr(seen);
    if (version === seen) return false;
    seen = version;
    listeners.callAll(null);
    return true;
  };
  const unwatch = () => {
    watcher?.close();
    watcher = null;
  };
  const pollSoon = (polls = POLLS_SOON) => {
    unwatch();
    clearTimeout(timer);
    const hasCommit = poll();
    if (isClosed) return;
    const left = hasCommit ? POLLS_SOON : polls - 1;
    timer = setTimeout(left > 0 ? () => pollSoon(left) : watchAgain, POLL_SOON_MS).unref();
  };
  const startWatching = () => {
    watcher = watchFiles(path, { onSignal: () => pollSoon(), onError: unwatch });
  };
  const watchAgain = () => {
    timer = undefined;
    startWatching();
    poll();
  };
  const start = () => {
    seen = versionOr(seen);
    interval = setInterval(() => {
      if (watcher === null && timer === undefined) watchAgain();
      else poll();
    }, pollEveryMs).unref();
    startWatching();
  };

  return {
    subscribe: (listener) => {
      if (!isClosed && interval === undefined) start();
      return listeners.subscribe(listener);
    },
    poll,
    notify: () => listeners.callAll(null),
    close: () => {
      isClosed = true;
      listeners.clear();
      clearInterval(interval);
      interval = undefined;
      clearTimeout(timer);
      unwatch();
    },
  };
}

interface FileListener {
  readonly onSignal: () => void;
  /** The watcher receives nothing any more. */
  readonly onError: () => void;
}

function watchFiles(path: string, { onSignal, onError }: FileListener): FSWatcher | null {
  const names = new Set([basename(path), `${basename(path)}-wal`]);
  try {
    const watcher = watch(dirname(path), { persistent: false }, (_, name) => {
      if (name === null || names.has(name)) onSignal();
    });
    // Polling goes on without the watcher.
    return watcher.on('error', onError);
  } catch {
    return null;
  }
}
