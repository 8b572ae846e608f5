import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { SqliteConnection } from './connection.ts';

/**
 * Moves the pages of the write-ahead log into the file, in a thread with a connection of its own. SQLite itself does so within
 * a commit, which then waits for all of them: after a long snapshot these can be gigabytes.
 */
export interface SqliteCheckpoints {
  /** After a commit: begins to move pages if there are many. */
  moveSoon(): void;
  /** Moves all pages and empties the log, unless a snapshot or a transaction of any process uses it. Never rejects. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

/** As many pages as SQLite itself lets grow. */
const PAGES_MAX = 1_000;
/** After a commit the log is looked at no more often. */
const LOOK_EVERY_MS = 20;

interface LogPages {
  readonly log: number;
  readonly checkpointed: number;
}

export function openSqliteCheckpoints(path: string, writer: SqliteConnection): SqliteCheckpoints {
  const look = writer.prepare<[], LogPages>('pragma wal_checkpoint(noop)');
  writer.pragma('wal_autocheckpoint = 0');
  let [thread, isClosed]: [Worker | null, boolean] = [null, false];
  /** Ends with the work of the thread, or with the thread. */
  let moving: Promise<void> | null = null;
  let lookedMs = Number.NEGATIVE_INFINITY;

  const open = (): Worker => {
    const opened = new Worker(THREAD, { eval: true, workerData: { path, driver: DRIVER } });
    // Without a listener an error would end the process; `exit` follows it.
    opened.on('error', () => {});
    opened.on('exit', () => {
      thread = null;
      // Without the thread, commits move the pages.
      if (!isClosed) writer.pragma(`wal_autocheckpoint = ${PAGES_MAX}`);
    });
    opened.unref();
    return opened;
  };
  const move = (isToBeEmpty: boolean): Promise<void> => {
    thread ??= open();
    const worker = thread;
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = () => {
      worker.off('message', end).off('exit', end);
      moving = null;
      resolve();
    };
    worker.on('message', end).on('exit', end);
    worker.postMessage(isToBeEmpty);
    moving = promise;
    return promise;
  };
  return {
    moveSoon: () => {
      const nowMs = performance.now();
      if (isClosed || moving !== null || nowMs - lookedMs < LOOK_EVERY_MS) return;
      lookedMs = nowMs;
      const pages = readPages(look);
      if (pages !== null && pages.log - pages.checkpointed >= PAGES_MAX) void move(false);
    },
    empty: async () => {
      while (moving !== null) await moving;
      if (!isClosed) await move(true);
    },
    close: async () => {
      isClosed = true;
      if (thread === null) return;
      const ended = new Promise<void>((resolve) => thread?.on('exit', () => resolve()));
      // Otherwise the process could end before the thread.
      thread.ref();
      thread.postMessage(null);
      await ended;
    },
  };
}

function readPages(look: { get(): LogPages | undefined }): LogPages | null {
  try {
    return look.get() ?? null;
  } catch {
    // The commit that has just ended is stored: what is wrong with the file is the next one's to find.
    return null;
  }
}

const DRIVER = createRequire(import.meta.url).resolve('better-sqlite3');

/**
 * The thread. Each message moves pages, `true` as well empties the log, null ends it. A text, because a bundle is one file.
 * Pages are moved without a lock first, until few are left: only then may writers wait for the rest, so that the log begins
 * anew also if they never pause.
 */
const THREAD = `
  const { parentPort, workerData } = require('node:worker_threads');
  let connection = null;
  const checkpoint = (mode) => connection.pragma('wal_checkpoint(' + mode + ')')[0];
  const move = (isToBeEmpty) => {
    if (connection === null) {
      const Sqlite = require(workerData.driver);
      connection = new Sqlite(workerData.path, { timeout: 10, fileMustExist: true });
      connection.pragma('synchronous = full');
    }
    checkpoint('passive');
    const { log, checkpointed } = checkpoint('passive');
    if (log - checkpointed > 250) return;
    if (isToBeEmpty || log > 10000) checkpoint('truncate');
    else if (log > 2500) checkpoint('restart');
  };
  parentPort.on('message', (isToBeEmpty) => {
    if (isToBeEmpty === null) {
      if (connection !== null) connection.close();
      parentPort.close();
      return;
    }
    try {
      move(isToBeEmpty);
    } catch {
      // Nothing is lost: the pages stay in the log, and the next message tries again.
    }
    parentPort.postMessage(null);
  });`;
