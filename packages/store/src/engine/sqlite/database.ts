import { Kysely } from 'kysely';
import { migrationsOf } from '../../schema/migrations.ts';
import type { Tables } from '../../schema/tables.ts';
import { type Database, isUnremembered, type Snapshot } from '../database.ts';
import { OutcomeUnknown, StorageUnavailable } from '../errors.ts';
import { createGate } from '../gate.ts';
import { createRetry } from '../retry.ts';
import { createSqliteCommitSignal, type SqliteCommitSignal } from './commit-signal.ts';
import { openSqliteConnection, type SqliteConnection } from './connection.ts';
import { createSqliteDialect } from './dialect.ts';
import { isSyncFailure, sqliteStateOf } from './errors.ts';
import { createSqliteGroupCommit } from './group-commit.ts';
import { createSqliteReadCache, type SqliteReadCache } from './read-cache.ts';

/** One connection that writes, one for the short reads of all requests, and one for each snapshot. */
export interface SqliteDatabase extends Database {
  /** To be used within a write only. */
  readonly writer: SqliteConnection;
  readonly reader: SqliteConnection;
  /** For statements on `reader`. */
  readonly guardRead: <T>(attempt: () => T | Promise<T>) => Promise<T>;
  readonly commits: SqliteCommitSignal;
  /** For reads on `reader` that every request makes. */
  readonly readCache: SqliteReadCache;
  /** Refuses what comes from now on, waits for what runs, and closes every connection. To be called once. */
  close(): Promise<void>;
}

export async function openSqliteDatabase(path: string, migrations = migrationsOf('sqlite')): Promise<SqliteDatabase> {
  const retryRead = createRetry(sqliteStateOf);
  const retryWrite = createRetry(sqliteStateOf);
  const writer = await retryWrite(() => openSqliteConnection(path, 'readWrite'));
  const reader = await retryRead(() => openSqliteConnection(path, 'queryOnly'));
  const writerDb = new Kysely<Tables>({ dialect: createSqliteDialect(writer, 'readWrite') });
  const readerDb = new Kysely<Tables>({ dialect: createSqliteDialect(reader, 'queryOnly') });
  const versionOf = (connection: SqliteConnection) => {
    const version = connection.prepare<[], number>('pragma data_version').pluck();
    return () => version.get() ?? 0;
  };
  // Of its own commits a connection does not tell.
  const readCache = createSqliteReadCache({ readVersion: versionOf(reader), readOthersVersion: versionOf(writer) });
  const commits = createSqliteCommitSignal(path, readCache.look);
  const gate = createGate();

  const guardRead: SqliteDatabase['guardRead'] = (attempt) => gate.pass(() => retryRead(attempt));

  const { write, writeAlone } = createSqliteGroupCommit({
    transact: async (work, { enteredMs, changesNothing }) => {
      const attempt = () =>
        writerDb.transaction().execute(async (trx) => {
          const value = await work(trx);
          return { value, passOver: changesNothing ? readCache.expectNothing() : null };
        });
      // One group contends with the other processes, the rest queue behind it.
      const { value, passOver } = await retryWrite(attempt, enteredMs).catch(tellUnknown);
      if (passOver === null) {
        readCache.expire();
        commits.look();
      } else passOver();
      return value;
    },
    now: () => performance.now(),
  });

  const snapshots = createSnapshots(path, guardRead);

  return {
    writer,
    reader,
    commits,
    readCache,
    guardRead,
    read: (query) => guardRead(() => query(readerDb)),
    // One file has one writer: whatever the scope, writes come one after the other.
    write: (scope, transaction) => gate.pass(() => write(transaction, isUnremembered(scope))),
    writeAlone: (scope, transaction) => gate.pass(() => writeAlone(transaction, isUnremembered(scope))),
    openSnapshot: snapshots.open,
    closing: gate.closing,
    migrations,
    close: async () => {
      commits.close();
      await gate.close();
      // The writer last: the last connection to close puts the log into the file, which one that only queries cannot.
      for (const connection of [...snapshots.connections, reader, writer]) connection.close();
    },
  };
}

function tellUnknown(error: unknown): never {
  if (!(error instanceof StorageUnavailable && isSyncFailure(error.cause))) throw error;
  throw new OutcomeUnknown('The storage could not sync, and what becomes of a write cannot be known.', {
    cause: error,
  });
}

const SNAPSHOT_CACHE_KIB = 512;

/** Each on a connection of its own, so that it sees one moment for as long as it lasts. */
function createSnapshots(path: string, guardRead: SqliteDatabase['guardRead']) {
  const connections = new Set<SqliteConnection>();
  const open = (): Snapshot => {
    const connection = openSqliteConnection(path, 'queryOnly');
    try {
      // Reads each page of the file once: as a rule a connection keeps 16 MB of them, and there may be many exports.
      connection.pragma(`cache_size = -${SNAPSHOT_CACHE_KIB}`);
      // The first read of a transaction settles what it sees.
      connection.exec('begin; select 1 from tenant limit 1');
    } catch (error) {
      connection.close();
      throw error;
    }
    connections.add(connection);
    const db = new Kysely<Tables>({ dialect: createSqliteDialect(connection, 'queryOnly') });
    return {
      read: (query) => guardRead(() => query(db)),
      [Symbol.asyncDispose]: async () => {
        connections.delete(connection);
        connection.close();
      },
    };
  };
  return { connections, open: () => guardRead(open) };
}
