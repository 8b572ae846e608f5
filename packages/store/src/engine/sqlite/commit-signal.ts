import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { createListeners } from '../listeners.ts';

const POLL_MS = 1_000;
// SQLite writes the log first, syncs it, and only then shows the commit: the sign comes early by the time of the sync.
const LOOK_AGAIN_MS = [1, 2, 4, 8, 16, 32, 64, 128];

export interface SqliteCommitSignal {
  /** Calls back after each look that finds a commit since the last. */
  subscribe(listener: () => void): () => void;
  /** Looks now: something may have been committed. */
  look(): void;
  close(): void;
}

/**
 * Tells of commits by any process: it looks at the version of the data whenever the files beside the database change, and
 * once a second where no sign comes. Starts with the first subscription and never keeps the process alive.
 */
export function createSqliteCommitSignal(path: string, readDataVersion: () => number): SqliteCommitSignal {
  const listeners = createListeners();
  let seen = 0;
  let isClosed = false;
  let stop: (() => void) | null = null;

  // A file that cannot be read now is looked at again a second later.
  const versionOr = (otherwise: number) => {
    try {
      return readDataVersion();
    } catch {
      return otherwise;
    }
  };

  const look = () => {
    if (stop === null) return;
    const version = versionOr(seen);
    if (version === seen) return;
    seen = version;
    listeners.callAll();
  };

  const start = () => {
    seen = versionOr(seen);
    const repeat = repeatAfterSign(look);
    const poll = setInterval(look, POLL_MS).unref();
    const watcher = watchFiles(path, repeat.sign);
    return () => {
      clearInterval(poll);
      repeat.stop();
      watcher?.close();
    };
  };

  return {
    subscribe: (listener) => {
      if (!isClosed) stop ??= start();
      return listeners.subscribe(listener);
    },
    look,
    close: () => {
      isClosed = true;
      listeners.clear();
      stop?.();
      stop = null;
    },
  };
}

function repeatAfterSign(look: () => void): { readonly sign: () => void; readonly stop: () => void } {
  let timer: NodeJS.Timeout | undefined;
  /** The look that is due next, in `LOOK_AGAIN_MS`. */
  let due = LOOK_AGAIN_MS.length;
  const lookAfter = (step: number) => {
    due = step;
    const pauseMs = LOOK_AGAIN_MS[step];
    if (pauseMs === undefined) return;
    timer = setTimeout(() => {
      look();
      lookAfter(step + 1);
    }, pauseMs).unref();
  };
  const stop = () => clearTimeout(timer);
  const sign = () => {
    // A long commit is thousands of signs: what one brings so soon after another is seen by the look that is due.
    if (due === 0) return;
    stop();
    look();
    lookAfter(0);
  };
  return { sign, stop };
}

function watchFiles(path: string, sign: () => void): FSWatcher | null {
  const names = new Set([basename(path), `${basename(path)}-wal`]);
  try {
    const watcher = watch(dirname(path), { persistent: false }, (_, name) => {
      if (name === null || names.has(name)) sign();
    });
    // The poll goes on without it.
    return watcher.on('error', () => watcher.close());
  } catch {
    return null;
  }
}
