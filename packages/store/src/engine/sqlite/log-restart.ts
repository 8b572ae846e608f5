import { statSync } from 'node:fs';
import { startStopwatch } from '../concurrency/stopwatch.ts';
import { warnOf } from '../warn-of.ts';
import type { SqliteConnection } from './connection.ts';

/**
 * Lets the write-ahead log begin anew. It can only when no snapshot reads from it, so snapshots that overlap would let it grow
 * for ever, even if each of them is short.
 */
export interface SqliteLogRestart {
  /** Runs a transaction of the writer, during which the log cannot begin anew. */
  during<T>(transaction: () => Promise<T>): Promise<T>;
  /**
   * Counts a snapshot until the returned function is called. After work that took long, this process moves a large log into the
   * file: otherwise the next commit would, of a process that answers requests.
   */
  enter(isWork: boolean): () => void;
  /** The size of the file of the log, which is cut when the log begins anew; 0 where it cannot be read. */
  bytes(): number;
  /** Resolves when a further snapshot may begin: at once unless the log is large. */
  turn(): Promise<void>;
}

export interface LogLimits {
  readonly logBytesMax: number;
  readonly logWaitMs: number;
  readonly longMs: number;
}

const DEFAULTS: LogLimits = { logBytesMax: 16 * 1024 * 1024, logWaitMs: 10_000, longMs: 1_000 };

export function createSqliteLogRestart(
  path: string,
  writer: SqliteConnection,
  limits: Partial<LogLimits> = {},
): SqliteLogRestart {
  const { logBytesMax, logWaitMs, longMs } = { ...DEFAULTS, ...limits };
  // Otherwise its file would keep the length of the largest burst of writes, and tell nothing of what is in it.
  writer.pragma(`journal_size_limit = ${logBytesMax}`);
  let snapshots = 0;
  let transactions = 0;
  let waiting: { readonly ended: Promise<void>; readonly end: () => void } | null = null;

  const bytes = () => {
    try {
      return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    } catch (error) {
      // Only the size of the log depends on it.
      warnOf(error);
      return 0;
    }
  };
  const isLarge = () => bytes() > logBytesMax;
  const endWaiting = () => {
    waiting?.end();
    waiting = null;
  };
  const checkpoint = (mode: 'truncate' | 'passive') => {
    try {
      writer.pragma(`wal_checkpoint(${mode})`);
    } catch {
      // The transaction that ends now is committed: what is wrong with the file is the next one's to find.
    }
  };
  /** Empties the log when nothing of this process uses it; a process that still reads from it prevents that. */
  const restart = () => {
    if (waiting === null || snapshots > 0 || transactions > 0) return;
    checkpoint('truncate');
    endWaiting();
  };
  const startWaiting = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(endWaiting, logWaitMs).unref();
    return {
      ended: promise,
      end: () => {
        clearTimeout(timer);
        resolve();
      },
    };
  };
  return {
    bytes,
    during: async (transaction) => {
      transactions += 1;
      try {
        return await transaction();
      } finally {
        transactions -= 1;
        restart();
      }
    },
    enter: (isWork) => {
      const elapsedMs = startStopwatch();
      snapshots += 1;
      return () => {
        snapshots -= 1;
        restart();
        const isLong = isWork && elapsedMs() >= longMs;
        if (isLong && snapshots === 0 && transactions === 0 && isLarge()) checkpoint('passive');
      };
    },
    turn: async () => {
      if (waiting === null && !isLarge()) return;
      waiting ??= startWaiting();
      const { ended } = waiting;
      restart();
      await ended;
    },
  };
}
