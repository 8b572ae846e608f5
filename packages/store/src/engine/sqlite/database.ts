import { setTimeout } from 'node:timers/promises';
import type Sqlite from 'better-sqlite3';
import { Kysely, type Transaction } from 'kysely';
import { migrationsOf } from '../../schema/migrations.ts';
import type { Tables } from '../../schema/tables.ts';
import type { Database } from '../database.ts';
import { OutcomeUnknown, StorageUnavailable, TenantRemoved } from '../errors.ts';
import { createGate } from '../gate.ts';
import { onOneServer } from '../one-server.ts';
import { createRetry, LONGEST_PAUSE_MS, RETRY_MS } from '../retry.ts';
import { keepsCaches, presentTenantOf, type Scope } from '../scope.ts';
import { createSqliteCommitSignal, type SqliteCommitSignal } from './commit-signal.ts';
import { openSqliteConnection, type SqliteConnection } from './connection.ts';
import { createDataEpoch } from './data-epoch.ts';
import { createSqliteDialect } from './dialect.ts';
import { isSyncFailure, sqliteStateOf } from './errors.ts';
import { createSqliteGroupCommit } from './group-commit.ts';
import { createSqliteSnapshots } from './snapshots.ts';

/** One connection that writes, one for the short reads of all requests, and one for each snapshot. */
export interface SqliteDatabase extends Database {
  /** For use within a write only. */
  readonly writer: SqliteConnection;
  readonly commits: SqliteCommitSignal;
  /** Refuses new work, waits for the running work, and closes every connection. Call it once. */
  close(): Promise<void>;
}

/** Time limits of the engine, in milliseconds. */
export interface SqliteLimits {
  /** How long a call retries while another process has locked the file. */
  readonly retryMs: number;
  /** Between two polls for commits. */
  readonly pollEveryMs: number;
  /** A write-ahead log of more bytes lets new exports wait, for at most `logWaitMs`, until it can begin anew. */
  readonly logBytesMax: number;
  readonly logWaitMs: number;
  /** While the log has more bytes, exports that have taken longer than `exportMs` are ended. */
  readonly exportLogBytesMax: number;
  readonly exportMs: number;
  /** How long the only export of a tenant has where the log is a quarter larger still. */
  readonly aloneMs: number;
  /** Work of this length moves a large log into the file at its end. */
  readonly longMs: number;
}

export async function openSqliteDatabase(
  path: string,
  migrations = migrationsOf('sqlite'),
  { retryMs = RETRY_MS, pollEveryMs, ...logLimits }: Partial<SqliteLimits> = {},
): Promise<SqliteDatabase> {
  const retryRead = createRetry(sqliteStateOf, retryMs);
  const retryWrite = createRetry(sqliteStateOf, retryMs);
  const writer = await retryWrite(() => openSqliteConnection(path, 'readWrite'));
  const reader = await retryRead(() => openSqliteConnection(path, 'queryOnly'));
  const writerDb = new Kysely<Tables>({ dialect: createSqliteDialect(writer, 'readWrite') });
  const readerDb = new Kysely<Tables>({ dialect: createSqliteDialect(reader, 'queryOnly') });
  // The version of a connection does not change with its own commits.
  const epoch = createDataEpoch({ readVersion: versionOf(reader), readOthersVersion: versionOf(writer) });
  const commits = createSqliteCommitSignal(epoch.poll, pollEveryMs);
  const gate = createGate();

  const snapshots = createSqliteSnapshots({
    path,
    writer,
    guardRead: (attempt) => gate.pass(() => retryRead(attempt)),
    logLimits,
  });

  // Long writes one after the other would hardly leave other processes a chance, which pause between their tries.
  let rest: Promise<unknown> | null = null;
  const { write, writeAlone } = createSqliteGroupCommit({
    transact: async (work, { enteredMs, keepsCaches, isSingle }) => {
      await rest;
      let lockedMs = 0;
      const attempt = () =>
        writerDb.transaction().execute(async (trx) => {
          lockedMs = performance.now();
          const value = await work(trx);
          return { value, ignoreCommit: keepsCaches ? epoch.expectNoChange() : null };
        });
      // One group contends with other processes, the others queue behind it.
      const { value, ignoreCommit } = await snapshots
        .during(() => retryWrite(attempt, enteredMs))
        .catch(throwOutcomeUnknown);
      rest = isSingle && performance.now() - lockedMs >= LONG_LOCK_MS ? setTimeout(LONGEST_PAUSE_MS) : null;
      if (ignoreCommit === null) {
        epoch.expire();
        commits.poll();
      } else ignoreCommit();
      return value;
    },
    now: () => performance.now(),
  });

  const inPresentTenant = refuseRemoved(writer);
  const guarded = gate.guard({
    read: (query) => retryRead(() => query(readerDb)),
    // A file has one writer, so writes of all scopes run one after the other.
    write: (scope, transaction) => write(inPresentTenant(scope, transaction), keepsCaches(scope)),
    writeAlone: (scope, transaction) => writeAlone(inPresentTenant(scope, transaction), keepsCaches(scope)),
  });

  return {
    writer,
    commits,
    epochOf: epoch.of,
    ...guarded,
    ...onOneServer(guarded),
    // Each statement is prepared once anyway.
    readRepeated: guarded.read,
    writeLease: (statement) => gate.pass(() => write(statement, true)),
    writeStatement: (statement) => gate.pass(() => write(statement, true)),
    writeIdempotent: (transaction) => gate.pass(() => write(transaction, true)),
    // Other processes notice commits by themselves.
    announceWork: (tenant, arising) => commits.notify({ tenant, arising }),
    openSnapshot: snapshots.open,
    analyze: async () => {},
    chainsWrites: false,
    closing: gate.closing,
    migrations,
    close: async () => {
      commits.close();
      await gate.close();
      // The writer closes last: the last connection moves the log into the file, which a query-only connection cannot.
      for (const connection of [...snapshots.connections, reader, writer]) connection.close();
    },
  };
}

const LONG_LOCK_MS = 30;

type Work<T> = (trx: Transaction<Tables>) => Promise<T>;

/** Makes writes throw a `TenantRemoved` where their tenant is being removed. */
function refuseRemoved(writer: SqliteConnection): <T>(scope: Scope, work: Work<T>) => Work<T> {
  // Prepared once the table exists.
  let find: Sqlite.Statement<[string]> | null = null;
  return (scope, work) => {
    const tenant = presentTenantOf(scope);
    if (tenant === null) return work;
    return async (trx) => {
      find ??= writer.prepare('select 1 from tenant_removal where tenant = ?');
      if (find.get(tenant) !== undefined) throw new TenantRemoved(tenant);
      return work(trx);
    };
  };
}

function versionOf(connection: SqliteConnection): () => number {
  const version = connection.prepare<[], number>('pragma data_version').pluck();
  return () => version.get() ?? 0;
}

function throwOutcomeUnknown(error: unknown): never {
  if (!(error instanceof StorageUnavailable && isSyncFailure(error.cause))) throw error;
  throw new OutcomeUnknown('The storage could not sync, and what becomes of a write cannot be known.', {
    cause: error,
  });
}
