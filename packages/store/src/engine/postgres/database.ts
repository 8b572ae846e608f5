import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Tables } from '../../schema/tables.ts';
import { postgresSearchIndex } from '../../search/postgres.ts';
import type { Database } from '../database.ts';
import { createGate } from '../gate.ts';
import { createRetry, type Guard, type Retry } from '../retry.ts';
import { createPostgresCommitSignal, type PostgresCommitSignal } from './commit-signal.ts';
import { isTimedOut, postgresStateOf } from './errors.ts';
import type { PostgresLimits } from './limits.ts';
import { createPostgresConnections, openPostgresPool, type PostgresConnections } from './pool.ts';
import { prepareRepeated } from './prepare-repeated.ts';
import { createPostgresReadCache, type PostgresReadCache } from './read-cache.ts';
import { createPostgresSnapshots } from './snapshots.ts';
import { createPostgresWrites } from './write.ts';

// Separate pools, so that waiting writes and slow exports do not block statements.
const CONNECTIONS_MAX = { statements: 10, writes: 6, export: 8, load: 8 };
const CLOSE_MS_MAX = 5_000;

/** Pools for single statements, for writes and for snapshots, and a connection that learns of commits. */
export interface PostgresDatabase extends Database {
  /** To be used within `guardRead` or `guardWrite`. */
  readonly pool: pg.Pool;
  readonly guardRead: Guard;
  /** For single statements that may run twice. */
  readonly guardWrite: Guard;
  /** The same for statements that may have run already. */
  readonly retryUnknownOutcome: Guard;
  /** Reports the loss of a connection outside a guard. */
  reportLostConnection(error: unknown): void;
  readonly commits: PostgresCommitSignal;
  /** For reads that every request makes. */
  readonly readCache: PostgresReadCache;
  /** Refuses new work, waits for the running work, and closes every connection. Call it once. */
  close(): Promise<void>;
}

interface DatabaseOptions {
  readonly url: string;
  readonly migrations: Database['migrations'];
  readonly limits: PostgresLimits;
}

/** Opens pools on a migrated database. */
export function openPostgresDatabase({ url, migrations, limits }: DatabaseOptions): PostgresDatabase {
  const connections = createPostgresConnections(url, limits);
  const openPool = (purpose: keyof typeof CONNECTIONS_MAX) =>
    openPostgresPool(connections.config, CONNECTIONS_MAX[purpose]);
  const pools = { statements: openPool('statements'), writes: openPool('writes') };
  const snapshotPools = { export: openPool('export'), load: openPool('load') };
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pools.statements }) });
  const writerDb = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: prepareRepeated(pools.writes) }) });
  const readCache = createPostgresReadCache(() => commits.isFresh());
  const commits = createPostgresCommitSignal({
    connections,
    limits,
    now: () => performance.now(),
    onChange: readCache.forget,
  });
  const gate = createGate();
  const reportLostConnection = createCutWhenTimedOut(connections);
  const stateOf = (error: unknown) => {
    reportLostConnection(error);
    return postgresStateOf(error);
  };
  // Each call has its own limit: the success of other calls does not mean that this one will succeed.
  const retry: Retry = (attempt) => createRetry(stateOf, limits.retryMs)(attempt);
  const retryLonger: Retry = (attempt) => createRetry(stateOf, limits.unknownOutcomeMs)(attempt);
  const guard: Guard = (attempt) => gate.pass(() => retry(attempt));

  const { write, writeInParts } = createPostgresWrites({
    db: writerDb,
    retry,
    retryLonger,
    reportLostConnection,
    queueMs: limits.queueMs,
    onWritten: (scope) => {
      readCache.forget(scope === 'shared' ? 'all' : [scope.tenant]);
      commits.notify();
    },
  });
  const snapshots = createPostgresSnapshots(
    { ...snapshotPools, work: snapshotPools.load, answer: pools.statements },
    guard,
  );

  return {
    pool: pools.statements,
    commits,
    readCache,
    guardRead: guard,
    guardWrite: guard,
    reportLostConnection,
    retryUnknownOutcome: (attempt) => gate.pass(() => retryLonger(attempt)),
    ...gate.guard({ read: (query) => retry(() => query(db)), write, writeAlone: write }),
    writeInParts: (scope, parts) => gate.pass(() => writeInParts(scope, parts)),
    openSnapshot: snapshots.open,
    search: postgresSearchIndex,
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

/** After a timeout, every connection is cut: the others are as old and may be dead too. */
const createCutWhenTimedOut =
  ({ cut }: PostgresConnections) =>
  (error: unknown): void => {
    if (isTimedOut(error)) cut();
  };
