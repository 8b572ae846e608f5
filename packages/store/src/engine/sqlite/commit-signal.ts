import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { createListeners } from '../listeners.ts';

const POLL_EVERY_MS = 1_000;
// SQLite writes the log, syncs it and only then shows the commit. The file signal comes earlier by the time of the sync.
const POLL_AGAIN_MS = [1, 2, 4, 8, 16, 32, 64, 128];
// A long commit signals each of its pages, and each signal takes as long as a poll. After one, the files are watched again with
// this pause of the series.
const WATCH_AGAIN_AT = POLL_AGAIN_MS.indexOf(32);

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
    const timer = setInterval(poll, pollEveryMs).unref();
    const stopWatching = pollAtSignals(path, poll);
    return () => {
      clearInterval(timer);
      stopWatching();
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

/** Polls when the files of a database change, and several times after that. Returns what stops it. */
function pollAtSignals(path: string, poll: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let watcher: FSWatcher | null = null;
  let isStopped = false;
  const stopWaiting = () => {
    clearTimeout(timer);
    watcher?.close();
  };
  const signal = () => {
    stopWaiting();
    poll();
    pollAfter(0);
  };
  const pollAfter = (step: number) => {
    // A listener may have ended it.
    if (isStopped) return;
    if (step === WATCH_AGAIN_AT) watcher = watchFiles(path, signal);
    const pauseMs = POLL_AGAIN_MS[step];
    if (pauseMs === undefined) return;
    timer = setTimeout(() => {
      poll();
      pollAfter(step + 1);
    }, pauseMs).unref();
  };
  watcher = watchFiles(path, signal);
  return () => {
    isStopped = true;
    stopWaiting();
  };
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
