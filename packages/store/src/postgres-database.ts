import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Database } from './database.ts';
import { createGate } from './gate.ts';
import { createPostgresCommitSignal, type PostgresCommitSignal } from './postgres-commit-signal.ts';
import { postgresStateOf } from './postgres-errors.ts';
import { POSTGRES_MIGRATIONS } from './postgres-migrations.ts';
import { createPostgresConnections, openPostgresPool } from './postgres-pool.ts';
import { createPostgresReadCache, type PostgresReadCache } from './postgres-read-cache.ts';
import { createPostgresSnapshots } from './postgres-snapshots.ts';
import { transact } from './postgres-transaction.ts';
import { createRetry } from './retry.ts';
import type { Tables } from './tables.ts';
import { createTurns } from './take-turns.ts';

const CONNECTIONS_MAX = 10;
// To learn what became of a write is worth a longer wait.
const OUTCOME_WAIT_MS = 6_000;
// Those who take an export slowly must not be in the way of the others.
const SNAPSHOTS_MAX = 16;

/** A pool for the statements of requests, one for snapshots, and a connection that learns of commits. */
export interface PostgresDatabase extends Database {
  /** To be used within `guardRead` or `guardWrite`. */
  readonly pool: pg.Pool;
  readonly guardRead: <T>(attempt: () => Promise<T>) => Promise<T>;
  /** For single statements that may be carried out twice. */
  readonly guardWrite: <T>(attempt: () => Promise<T>) => Promise<T>;
  /** The same for those that may have been carried out already. */
  readonly guardPatiently: <T>(attempt: () => Promise<T>) => Promise<T>;
  readonly commits: PostgresCommitSignal;
  /** For reads that every request makes. */
  readonly readCache: PostgresReadCache;
  /** Refuses what comes from now on, waits for what runs, and closes every connection. To be called once. */
  close(): Promise<void>;
}

export function openPostgresDatabase(url: string): PostgresDatabase {
  const connections = createPostgresConnections(url);
  const pool = openPostgresPool(connections, CONNECTIONS_MAX);
  const snapshotPool = openPostgresPool(connections, SNAPSHOTS_MAX);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const readCache = createPostgresReadCache(() => commits.isFresh());
  const commits = createPostgresCommitSignal({
    connections,
    now: () => performance.now(),
    onChange: readCache.forget,
  });
  const gate = createGate();
  const retryRead = createRetry(postgresStateOf);
  const retryWrite = createRetry(postgresStateOf);
  const retryPatiently = createRetry(postgresStateOf, OUTCOME_WAIT_MS);
  const inTurn = createTurns();

  const guardRead: PostgresDatabase['guardRead'] = (attempt) => gate.pass(() => retryRead(attempt));
  const guardWrite: PostgresDatabase['guardWrite'] = (attempt) => gate.pass(() => retryWrite(attempt));

  const write: Database['write'] = (scope, work) =>
    gate.pass(async () => {
      // Those of one tenant would wait for each other in the database, on a connection each.
      const { value, isChange } = await inTurn(scope === 'shared' ? '' : scope.tenant, () =>
        retryWrite(() => transact({ db, retryPatiently }, scope, work)),
      );
      if (isChange) {
        readCache.forget(scope === 'shared' ? 'all' : [scope.tenant]);
        commits.tell();
      }
      return value;
    });

  const snapshots = createPostgresSnapshots(snapshotPool, guardRead);

  return {
    pool,
    commits,
    readCache,
    guardRead,
    guardWrite,
    guardPatiently: (attempt) => gate.pass(() => retryPatiently(attempt)),
    read: (query) => guardRead(() => query(db)),
    write,
    writeAlone: write,
    openSnapshot: snapshots.open,
    closing: gate.closing,
    migrations: POSTGRES_MIGRATIONS,
    close: async () => {
      await Promise.all([gate.close(), commits.close()]);
      await snapshots.endAll();
      await Promise.all([pool.end(), snapshotPool.end()]);
    },
  };
}
