import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { createListeners } from '../listeners.ts';

const POLL_EVERY_MS = 1_000;
// SQLite writes the log, syncs it and only then shows the commit. The file signal comes earlier by the time of the sync.
const POLL_AGAIN_MS = [1, 2, 4, 8, 16, 32, 64, 128];

export interface SqliteCommitSignal {
  /** Calls back after each poll that finds a commit since the last one. */
  subscribe(listener: () => void): () => void;
  /** Polls now. Called when something may have been committed. */
  poll(): void;
  close(): void;
}

/**
 * Signals commits by any process. It polls the version of the data whenever the files of the database change, and once a
 * second without a change. It starts with the first subscription and never keeps the process alive.
 */
export function createSqliteCommitSignal(
  path: string,
  readDataVersion: () => number,
  pollEveryMs = POLL_EVERY_MS,
): SqliteCommitSignal {
  const listeners = createListeners();
  let seen = 0;
  let isClosed = false;
  let stop: (() => void) | null = null;

  // A file that cannot be read now is polled again a second later.
  const versionOr = (otherwise: number) => {
    try {
      return readDataVersion();
    } catch {
      return otherwise;
    }
  };

  const poll = () => {
    if (stop === null) return;
    const version = versionOr(seen);
    if (version === seen) return;
    seen = version;
    listeners.callAll();
  };

  const start = () => {
    seen = versionOr(seen);
    const repeat = repeatAfterSignal(poll);
    const timer = setInterval(poll, pollEveryMs).unref();
    const watcher = watchFiles(path, repeat.signal);
    return () => {
      clearInterval(timer);
      repeat.stop();
      watcher?.close();
    };
  };

  return {
    subscribe: (listener) => {
      if (!isClosed) stop ??= start();
      return listeners.subscribe(listener);
    },
    poll,
    close: () => {
      isClosed = true;
      listeners.clear();
      stop?.();
      stop = null;
    },
  };
}

function repeatAfterSignal(poll: () => void): { readonly signal: () => void; readonly stop: () => void } {
  let timer: NodeJS.Timeout | undefined;
  /** The index in `POLL_AGAIN_MS` of the next poll. */
  let due = POLL_AGAIN_MS.length;
  const pollAfter = (step: number) => {
    due = step;
    const pauseMs = POLL_AGAIN_MS[step];
    if (pauseMs === undefined) return;
    timer = setTimeout(() => {
      poll();
      pollAfter(step + 1);
    }, pauseMs).unref();
  };
  const stop = () => clearTimeout(timer);
  const signal = () => {
    // A long commit causes thousands of signals. The poll that is due sees the commits of all of them.
    if (due === 0) return;
    stop();
    poll();
    pollAfter(0);
  };
  return { signal, stop };
}

function watchFiles(path: string, signal: () => void): FSWatcher | null {
  const names = new Set([basename(path), `${basename(path)}-wal`]);
  try {
    const watcher = watch(dirname(path), { persistent: false }, (_, name) => {
      if (name === null || names.has(name)) signal();
    });
    // Polling goes on without the watcher.
    return watcher.on('error', () => watcher.close());
  } catch {
    return null;
  }
}
