import { randomUUID } from 'node:crypto';
import { Kysely, PostgresDialect, type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import type { Tables } from '../../schema/tables.ts';
import { createChangedTenants } from '../citus/changed-tenants.ts';
import { chainsWrites, type Layout } from '../citus/layout.ts';
import { onSeveralServers } from '../citus/several-servers.ts';
import type { Database } from '../database.ts';
import { createGate } from '../gate.ts';
import { onOneServer } from '../one-server.ts';
import type { Guard } from '../retry.ts';
import { keepsCaches } from '../scope.ts';
import { createAnnounce } from './announce.ts';
import { createCachedTenants } from './cached-tenants.ts';
import { changeMessage, workAfter, workMessage } from './commit-message.ts';
import { createPostgresCommitSignal, type PostgresCommitSignal } from './commit-signal.ts';
import { createIdempotentWrites } from './idempotent-writes.ts';
import type { PostgresLimits } from './limits.ts';
import { createPostgresConnections } from './pool.ts';
import { prepareRepeated } from './prepare-repeated.ts';
import { createRetries } from './retries.ts';
import { createPostgresSnapshots } from './snapshots.ts';
import { createPostgresWrite } from './write.ts';

// Separate pools, so that waiting writes and slow exports do not block statements.
const CONNECTIONS_MAX = { statements: 10, work: 4, writes: 6, export: 8, load: 8 };
/** Work finds few rows, by their keys. Statistics lag behind a queue that fills, so the planner would read whole tables. */
const BY_KEY = { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' };
const CLOSE_MS_MAX = 5_000;

/** Pools for single statements, for writes and for snapshots, and a connection that learns of commits. */
export interface PostgresDatabase extends Database {
  /** To be used within `guardRead`. */
  readonly pool: pg.Pool;
  readonly layout: Layout;
  readonly guardRead: Guard;
  readonly commits: PostgresCommitSignal;
  /** Refuses new work, waits for the running work, and closes every connection. Call it once. */
  close(): Promise<void>;
}

interface DatabaseOptions {
  readonly url: string;
  readonly migrations: Database['migrations'];
  readonly limits: PostgresLimits;
  readonly layout: Layout;
}

/** Opens pools on a migrated database with this layout. */
export function openPostgresDatabase({ url, migrations, limits, layout }: DatabaseOptions): PostgresDatabase {
  const connections = createPostgresConnections(url, limits, { layout });
  const { openPool } = connections;
  const pools = {
    statements: openPool(CONNECTIONS_MAX.statements),
    work: openPool(CONNECTIONS_MAX.work, { lock_timeout: limits.workLockMs, ...BY_KEY }),
    writes: openPool(CONNECTIONS_MAX.writes),
  };
  const snapshotPools = { export: openPool(CONNECTIONS_MAX.export), load: openPool(CONNECTIONS_MAX.load) };
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pools.statements }) });
  const repeatedDb = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: prepareRepeated(pools.statements) }) });
  const writerDb = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: prepareRepeated(pools.writes) }) });
  const now = () => performance.now();
  const cachedTenants = createCachedTenants({ freshMs: limits.freshMs, now });
  const gate = createGate();
  const { retry, retryLonger, retryOnce, reportLostConnection } = createRetries(connections, limits, layout);
  const commits = createPostgresCommitSignal({
    id: randomUUID(),
    connections,
    limits,
    cachedTenants,
    now,
    reportLostConnection,
  });
  const guard: Guard = (attempt) => gate.pass(() => retry(attempt));

  const announce = createAnnounce(pools.statements);
  const announceWork: Database['announceWork'] = (tenant, arising) => {
    commits.notify({ tenant, arising });
    announce(workMessage(tenant, arising, commits.id));
  };
  const write = createPostgresWrite({
    db: writerDb,
    layout,
    retry,
    retryLonger,
    workLockMs: limits.workLockMs,
    reportLostConnection,
    queueMs: limits.queueMs,
    onWritten: (scope) => {
      if (!keepsCaches(scope)) {
        commits.changed(scope);
        announce(changeMessage(scope, commits.id));
        return;
      }
      const arising = workAfter(scope);
      if (typeof scope !== 'string' && arising !== null) announceWork(scope.tenant, arising);
    },
  });
  const read: Database['read'] = (query) => retry(() => query(db));
  const ofSeveralTenants =
    layout === 'distributed'
      ? onSeveralServers({ read, write }, createChangedTenants(commits))
      : onOneServer({ read, write });
  const snapshots = createPostgresSnapshots(
    { ...snapshotPools, work: snapshotPools.load, answer: pools.statements },
    { guardRead: guard, guardOnce: (attempt) => gate.pass(() => retryOnce(attempt)) },
  );

  return {
    pool: pools.statements,
    layout,
    commits,
    epochOf: cachedTenants.epochOf,
    guardRead: guard,
    ...gate.guard({ read, write, writeAlone: write }),
    readRepeated: (query) => guard(() => query(repeatedDb)),
    ...ofSeveralTenants,
    readOfTenants: (tenants, query) => gate.pass(() => ofSeveralTenants.readOfTenants(tenants, query)),
    writeShared: (scope, change) => gate.pass(() => ofSeveralTenants.writeShared(scope, change)),
    analyze: async (tables) => {
      // The servers of a cluster do so by themselves: this would be on all of them at once.
      if (layout === 'oneServer') await guard(() => analyze(tables).execute(db));
    },
    ...createIdempotentWrites({
      db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: prepareRepeated(pools.work, { lengthMin: 0 }) }) }),
      lockMs: layout === 'distributed' ? limits.workLockMs : null,
      guard,
      guardLonger: (attempt) => gate.pass(() => retryLonger(attempt)),
    }),
    announceWork,
    openSnapshot: snapshots.open,
    chainsWrites: chainsWrites(layout),
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

const analyze = (tables: readonly (keyof Tables)[]): RawBuilder<unknown> =>
  sql`analyze (skip_locked) ${sql.join(tables.map((table) => sql.table(table)))}`;
