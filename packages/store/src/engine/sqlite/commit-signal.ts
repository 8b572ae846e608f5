import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { createListeners } from '../listeners.ts';

const POLL_EVERY_MS = 1_000;
// SQLite writes the log, syncs it and only then shows the commit. The file signal comes earlier by the time of the sync.
const POLL_AGAIN_MS = [1, 2, 4, 8, 16, 32, 64, 128];
// A long commit causes a signal for each page, and a signal costs as much as a poll. After so many in one pause the files are not
// watched until the series has made this pause.
const SIGNALS_MAX = 32;
const UNWATCHED_TO_MS = 8;

export interface SqliteCommitSignal {
  /** Calls back after each poll that finds a commit since the last one; of what, a poll does not find. */
  subscribe(listener: (arising: null) => void): () => void;
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
  const listeners = createListeners<null>();
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
    listeners.callAll(null);
  };

  const start = () => {
    seen = versionOr(seen);
    const watching = pollAtSignals(path, poll);
    const timer = setInterval(() => {
      watching.resume();
      poll();
    }, pollEveryMs).unref();
    return () => {
      clearInterval(timer);
      watching.stop();
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

/** Polls when the files of a database change, and several times after that. */
function pollAtSignals(path: string, poll: () => void): { readonly resume: () => void; readonly stop: () => void } {
  let timer: NodeJS.Timeout | undefined;
  let watcher: FSWatcher | null = null;
  let isStopped = false;
  /** The pause before the next poll, and the signals in it. */
  let pauseMs: number | undefined;
  let signals: number = 0;
  const unwatch = () => {
    watcher?.close();
    watcher = null;
  };
  const resume = () => {
    // A listener may have closed the signal during a poll.
    if (!isStopped) watcher ??= watchFiles(path, { onSignal: signal, onError: unwatch });
  };
  const signal = () => {
    signals += 1;
    if (signals > SIGNALS_MAX) unwatch();
    // The first poll that is due sees the commits of all signals.
    if (pauseMs !== POLL_AGAIN_MS[0]) pollAgain();
  };
  const pollAgain = (step = 0) => {
    clearTimeout(timer);
    poll();
    [pauseMs, signals] = [isStopped ? undefined : POLL_AGAIN_MS[step], 0];
    if (pauseMs !== undefined) timer = setTimeout(() => pollAfter(step), pauseMs).unref();
  };
  const pollAfter = (step: number) => {
    const isUnwatched = watcher === null;
    if (pauseMs === UNWATCHED_TO_MS) resume();
    // What happened while the files were not watched counts as a signal.
    pollAgain(isUnwatched && watcher !== null ? 0 : step + 1);
  };
  resume();
  return {
    resume,
    stop: () => {
      isStopped = true;
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
