import { Kysely, PostgresDialect } from 'kysely';
import type { Tables } from '../../schema/tables.ts';
import type { Database } from '../database.ts';
import { migrate } from '../migrate.ts';
import { createRetry } from '../retry.ts';
import { assertServer } from './assert-server.ts';
import { postgresStateOf } from './errors.ts';
import { POSTGRES_LIMITS } from './limits.ts';
import { createPostgresConnections, openPostgresPool, WITHOUT_LIMITS } from './pool.ts';
import { transact } from './transaction.ts';

/** Migrates the schema on a connection without time limits, and resolves as `migrate` does; rejects when the server is unsuitable. */
export async function migratePostgres(url: string, migrations: Database['migrations']): Promise<readonly string[]> {
  const { config } = createPostgresConnections(url, POSTGRES_LIMITS);
  const pool = openPostgresPool({ ...config, ...WITHOUT_LIMITS }, 1);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const retry = createRetry(postgresStateOf);
  const write: Database['write'] = async (scope, work) =>
    (await retry(() => transact({ db, retryLonger: retry, reportLostConnection: () => {} }, scope, work))).value;
  const read: Database['read'] = (query) => retry(() => query(db));
  try {
    await assertServer({ read });
    return await migrate({ read, write, migrations });
  } finally {
    await pool.end();
  }
}
