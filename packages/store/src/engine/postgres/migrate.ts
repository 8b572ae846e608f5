import { Kysely, PostgresDialect } from 'kysely';
import type { Tables } from '../../schema/tables.ts';
import { assertLayout } from '../citus/examine-layout.ts';
import type { Layout } from '../citus/layout.ts';
import { migrationSettingsOf } from '../citus/settings.ts';
import type { Database } from '../database.ts';
import { UnsuitableAddress } from '../errors.ts';
import { migrate } from '../migrate.ts';
import { createRetry } from '../retry.ts';
import { type Query, queryOn } from '../run-query.ts';
import { assertServer } from './assert-server.ts';
import { postgresStateOf } from './errors.ts';
import { keepsSessions, SESSIONS_NEEDED } from './keeps-sessions.ts';
import { POSTGRES_LIMITS } from './limits.ts';
import { createPostgresConnections, OF_EXAMINATION } from './pool.ts';
import { transact } from './transaction.ts';

/** The outcome of a migration. */
interface Migrated {
  readonly layout: Layout;
  /** The names of the migrations that were run. */
  readonly migrated: readonly string[];
}

const OWNER_NEEDED =
  'The schema is not that of this version, and the role of DATABASE_URL may not change it: run "access-admin migrate" as the owner of the database, and let this role read and write its tables.';

const MAY_CREATE = `select has_schema_privilege(current_schema(), 'create') as "mayCreate"`;

async function assertOwner(query: Query): Promise<void> {
  const [row] = await query<{ readonly mayCreate: boolean }>(MAY_CREATE);
  if (row?.mayCreate !== true) throw new UnsuitableAddress(OWNER_NEEDED);
}

/** Migrates the schema; rejects when the server or the layout of the database is unsuitable. */
export async function migratePostgres(url: string, migrations: Database['migrations']): Promise<Migrated> {
  const connections = createPostgresConnections(url, POSTGRES_LIMITS, { ...OF_EXAMINATION, isUnlimited: true });
  const retry = createRetry(postgresStateOf);
  if (!(await retry(() => keepsSessions(connections)))) throw new UnsuitableAddress(SESSIONS_NEEDED);
  const pool = connections.openPool(1);
  const query: Query = (text) => retry(() => queryOn(pool)(text));
  try {
    await assertServer(query);
    const layout = await assertLayout(query);
    const migrated = await migrateLayout(url, layout, migrations);
    if (migrated.length > 0 && layout === 'distributed') await assertLayout(query);
    return { layout, migrated };
  } finally {
    await pool.end();
  }
}

/** Migrates the schema of a database with this layout, on a connection without time limits, and resolves as `migrate` does. */
export async function migrateLayout(
  url: string,
  layout: Layout,
  migrations: Database['migrations'],
): Promise<readonly string[]> {
  const { openPool } = createPostgresConnections(url, POSTGRES_LIMITS, {
    layout,
    settings: migrationSettingsOf(layout),
    isUnlimited: true,
  });
  const pool = openPool(1);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const retry = createRetry(postgresStateOf);
  const deps = {
    db,
    layout,
    retry,
    retryLonger: retry,
    workLockMs: POSTGRES_LIMITS.workLockMs,
    reportLostConnection: () => {},
  };
  const write: Database['write'] = async (scope, work) => (await retry(() => transact(deps, scope, work))).value;
  const read: Database['read'] = (query) => retry(() => query(db));
  try {
    return await migrate({ read, write, migrations, assertOwner: () => retry(() => assertOwner(queryOn(pool))) });
  } finally {
    await pool.end();
  }
}
