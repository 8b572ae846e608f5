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
  /** What the next transaction waits for while the last pages of a long log are moved, so that it begins anew; null as a rule. */
  readonly pause: Promise<void> | null;
  /** Moves all pages and empties the log, unless a snapshot or a transaction of any process uses it. Never rejects. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

/** As many pages as SQLite itself lets grow. */
const PAGES_MAX = 1_000;
/** After a commit the log is looked at no more often. */
const LOOK_EVERY_MS = 20;
/** A log of more pages begins anew once so few are left that a pause is short. */
const LONG_PAGES = 2_500;
const LEFT_PAGES_MAX = 500;

interface LogPages {
  readonly log: number;
  readonly checkpointed: number;
}

export function openSqliteCheckpoints(path: string, writer: SqliteConnection): SqliteCheckpoints {
  const look = writer.prepare<[], LogPages>('pragma wal_checkpoint(noop)');
  writer.pragma('wal_autocheckpoint = 0');
  // Without the thread, commits move the pages.
  const thread = createThread(path, () => writer.pragma(`wal_autocheckpoint = ${PAGES_MAX}`));
  let moving: Promise<void> | null = null;
  let pause: Promise<void> | null = null;
  let [isNearlyMoved, isClosed, lookedMs] = [false, false, Number.NEGATIVE_INFINITY];

  const move = (isToBeEmpty: boolean): Promise<void> => {
    moving = thread.move(isToBeEmpty).then((pages) => {
      moving = null;
      isNearlyMoved = pages !== null && isNearlyDone(pages);
    });
    return moving;
  };
  const moveInPause = (isToBeEmpty: boolean): Promise<void> => {
    pause = move(isToBeEmpty).then(() => {
      // Only after more pages: a snapshot may keep the log from beginning anew.
      [pause, isNearlyMoved] = [null, false];
    });
    return pause;
  };
  return {
    get pause() {
      return pause;
    },
    moveSoon: () => {
      const nowMs = performance.now();
      if (isClosed || moving !== null) return;
      if (isNearlyMoved) return void moveInPause(false);
      if (nowMs - lookedMs < LOOK_EVERY_MS) return;
      lookedMs = nowMs;
      const pages = readPages(look);
      if (pages !== null && pages.log - pages.checkpointed >= PAGES_MAX) void move(false);
    },
    empty: async () => {
      while (moving !== null) await moving;
      if (!isClosed) await moveInPause(true);
    },
    close: async () => {
      isClosed = true;
      await thread.close();
    },
  };
}

/** A thread that begins with its first work. `move` resolves with the pages of the log, with null if that failed or the thread has ended. */
function createThread(path: string, onUnexpectedEnd: () => void) {
  let [thread, isClosed]: [Worker | null, boolean] = [null, false];
  const open = (): Worker => {
    const opened = new Worker(THREAD, { eval: true, workerData: { path, driver: DRIVER } });
    // Without a listener an error would end the process; `exit` follows it.
    opened.on('error', () => {});
    opened.on('exit', () => {
      thread = null;
      if (!isClosed) onUnexpectedEnd();
    });
    opened.unref();
    return opened;
  };
  return {
    move: (isToBeEmpty: boolean): Promise<LogPages | null> => {
      thread ??= open();
      const worker = thread;
      const { promise, resolve } = Promise.withResolvers<LogPages | null>();
      const onMessage = (pages: LogPages | null) => {
        worker.off('exit', onExit);
        resolve(pages);
      };
      const onExit = () => {
        worker.off('message', onMessage);
        resolve(null);
      };
      worker.once('message', onMessage).once('exit', onExit);
      worker.postMessage(isToBeEmpty);
      return promise;
    },
    close: async () => {
      isClosed = true;
      if (thread === null) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      thread.once('exit', () => resolve());
      // Otherwise the process could end before the thread.
      thread.ref();
      thread.postMessage(null);
      await promise;
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

const isNearlyDone = ({ log, checkpointed }: LogPages): boolean =>
  log > LONG_PAGES && log - checkpointed <= LEFT_PAGES_MAX;

const DRIVER = createRequire(import.meta.url).resolve('better-sqlite3');

/**
 * The thread. Each message moves pages, `true` as well empties the log, null ends it. A text, because a bundle is one file.
 * Moving takes no lock that writers wait for, and a log whose pages are all moved begins anew with the next write.
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
    const pages = checkpoint('passive');
    return isToBeEmpty ? checkpoint('truncate') : pages;
  };
  parentPort.on('message', (isToBeEmpty) => {
    if (isToBeEmpty === null) {
      if (connection !== null) connection.close();
      parentPort.close();
      return;
    }
    let pages = null;
    try {
      pages = move(isToBeEmpty);
    } catch {
      // Nothing is lost: the pages stay in the log, and the next message tries again.
    }
    parentPort.postMessage(pages);
  });`;
