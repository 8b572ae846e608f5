import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Tables } from '../../schema/tables.ts';
import type { Database } from '../database.ts';
import { createGate } from '../gate.ts';
import { createRetry, type Guard, type Retry } from '../retry.ts';
import { createPostgresCommitSignal, type PostgresCommitSignal } from './commit-signal.ts';
import { isTimedOut, postgresStateOf } from './errors.ts';
import { createPostgresConnections, openPostgresPool, type PostgresConnections } from './pool.ts';
import { createPostgresReadCache, type PostgresReadCache } from './read-cache.ts';
import { createPostgresSnapshots } from './snapshots.ts';
import { createPostgresWrite } from './write.ts';

// Apart, so that those who wait for a tenant, or take an export slowly, are in nobody's way.
const CONNECTIONS_MAX = { statements: 10, writes: 6, export: 8, load: 8 };
/** To learn what became of a write is worth a longer wait. */
const OUTCOME_MS_MAX = 6_000;
const CLOSE_MS_MAX = 5_000;

/** Pools for single statements, for writes, and for snapshots; and a connection that learns of commits. */
export interface PostgresDatabase extends Database {
  /** To be used within `guardRead` or `guardWrite`. */
  readonly pool: pg.Pool;
  readonly guardRead: Guard;
  /** For single statements that may be carried out twice. */
  readonly guardWrite: Guard;
  /** The same for those that may have been carried out already. */
  readonly guardPatiently: Guard;
  /** To be told of the loss of a connection that no guard sees. */
  noticeLost(error: unknown): void;
  readonly commits: PostgresCommitSignal;
  /** For reads that every request makes. */
  readonly readCache: PostgresReadCache;
  /** Refuses what comes from now on, waits for what runs, and closes every connection. To be called once. */
  close(): Promise<void>;
}

/** On a database whose schema is up to date. */
export function openPostgresDatabase(url: string, migrations: Database['migrations']): PostgresDatabase {
  const connections = createPostgresConnections(url);
  const openPool = (purpose: keyof typeof CONNECTIONS_MAX) =>
    openPostgresPool(connections.config, CONNECTIONS_MAX[purpose]);
  const pools = { statements: openPool('statements'), writes: openPool('writes') };
  const snapshotPools = { export: openPool('export'), load: openPool('load') };
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pools.statements }) });
  const writerDb = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pools.writes }) });
  const readCache = createPostgresReadCache(() => commits.isFresh());
  const commits = createPostgresCommitSignal({
    connections,
    now: () => performance.now(),
    onChange: readCache.forget,
  });
  const gate = createGate();
  const noticeLost = cutWhenTimedOut(connections);
  const stateOf = (error: unknown) => {
    noticeLost(error);
    return postgresStateOf(error);
  };
  // Each call has a patience of its own: that others get through beside it does not mean that it will.
  const retry: Retry = (attempt) => createRetry(stateOf)(attempt);
  const retryPatiently: Retry = (attempt) => createRetry(stateOf, OUTCOME_MS_MAX)(attempt);
  const guard: Guard = (attempt) => gate.pass(() => retry(attempt));

  const write = createPostgresWrite({
    ...{ db: writerDb, retry, retryPatiently, noticeLost },
    onWritten: (scope) => {
      readCache.forget(scope === 'shared' ? 'all' : [scope.tenant]);
      commits.tell();
    },
  });
  const snapshots = createPostgresSnapshots(snapshotPools, guard);

  return {
    pool: pools.statements,
    commits,
    readCache,
    guardRead: guard,
    guardWrite: guard,
    noticeLost,
    guardPatiently: (attempt) => gate.pass(() => retryPatiently(attempt)),
    read: (query) => guard(() => query(db)),
    write: (scope, work) => gate.pass(() => write(scope, work)),
    writeAlone: (scope, work) => gate.pass(() => write(scope, work)),
    openSnapshot: snapshots.open,
    closing: gate.closing,
    migrations,
    close: async () => {
      const cutting = setInterval(connections.cut, CLOSE_MS_MAX);
      await Promise.all([gate.close(), commits.close()]);
      await snapshots.endAll();
      await Promise.all(Object.values({ ...pools, ...snapshotPools }).map((pool) => pool.end()));
      clearInterval(cutting);
    },
  };
}

/** The other connections are of the same age, and may be as dead. */
const cutWhenTimedOut =
  ({ cut }: PostgresConnections) =>
  (error: unknown): void => {
    if (isTimedOut(error)) cut();
  };
