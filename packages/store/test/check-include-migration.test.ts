import { createTestDatabase } from '@access-admin/harness';
import Sqlite from 'better-sqlite3';
import { type Dialect, Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { openStore } from '../src/index.ts';
import { POSTGRES_MIGRATIONS } from '../src/schema/postgres-migrations.ts';
import { SQLITE_MIGRATIONS } from '../src/schema/sqlite-migrations.ts';
import type { Tables } from '../src/schema/tables.ts';
import { NOW } from './model-records.ts';
import { newCheck } from './new-check.ts';
import { newSqliteFile } from './sqlite-file.ts';

interface Engine {
  readonly name: string;
  /** The last migration of the schemas before there were includes, and moments. */
  readonly before: Readonly<Record<'includes' | 'moments', string>>;
  readonly migrations: Readonly<Record<string, Migration>>;
  create(): Promise<AsyncDisposable & { readonly url: string }>;
  openDialect(url: string): Dialect;
}

const ENGINES: readonly Engine[] = [
  {
    name: 'SQLite',
    before: { includes: '0005-audit-guards', moments: '0006-check-include' },
    migrations: SQLITE_MIGRATIONS,
    create: async () => {
      const file = await newSqliteFile();
      return { url: `sqlite:${file.directory}/store.db`, [Symbol.asyncDispose]: () => file[Symbol.asyncDispose]() };
    },
    openDialect: (url) => new SqliteDialect({ database: new Sqlite(url.replace('sqlite:', '')) }),
  },
  {
    name: 'PostgreSQL',
    before: { includes: '0003-audit-guards', moments: '0004-check-include' },
    migrations: POSTGRES_MIGRATIONS,
    create: async () => {
      const { url, remove } = await createTestDatabase();
      return { url, [Symbol.asyncDispose]: remove };
    },
    openDialect: (url) => new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 1 }) }),
  },
];

const RESULT = { message: null, clientMetadata: null, violationContexts: [], violatedPolicies: [] };

type EarlierRow = Omit<Tables['sod_check'], 'includes' | 'at_moment'>;

/** A check as the schemas before have it. */
const earlierCheck = (requestId: string, state: 'PENDING' | 'SUCCESS') => ({
  ...{ tenant: 'acme', request_id: requestId, created: NOW, state, attempts: 0, fence: 0, claimable_at_ms: 0 },
  ...{ identity_id: 'i-1', access_refs: '[["ROLE","r"]]', client_metadata: null },
  ...(state === 'PENDING' ? { completed: null, result: null } : { completed: NOW, result: JSON.stringify(RESULT) }),
});

const ALL = ENGINES.flatMap((engine) => [
  { ...engine, what: 'includes', before: engine.before.includes },
  { ...engine, what: 'moments', before: engine.before.moments },
]);

describe.each(ALL)('checks in a database of $name of before there were $what', (engine) => {
  test('are worked off and read as ever, beside those with all of it', async () => {
    await using database = await engine.create();
    const db = new Kysely<Omit<Tables, 'sod_check'> & { sod_check: EarlierRow }>({
      dialect: engine.openDialect(database.url),
    });
    const provider = { getMigrations: async () => engine.migrations };
    const { error } = await new Migrator({ db, provider }).migrateTo(engine.before);
    expect(error).toBeUndefined();
    const checks = [earlierCheck('r-old', 'PENDING'), earlierCheck('r-done', 'SUCCESS')];
    await db.insertInto('sod_check').values(checks).execute();
    await db.destroy();
    await using store = await openStore(database.url);
    await store.checks.enqueue(newCheck('r-new', { includes: ['via'], at: NOW }), 10);
    expect(await store.checks.find('acme', 'r-done')).toMatchObject({ state: 'SUCCESS', violationCheckResult: RESULT });
    const claimed = await store.checks.claim({ nowMs: 0, leaseMs: 1_000, limit: 10, attemptsMax: 1 });
    expect(claimed.map(({ requestId, includes, at }) => [requestId, includes, at]).sort()).toEqual([
      ['r-new', ['via'], NOW],
      ['r-old', [], undefined],
    ]);
    expect(claimed.find(({ requestId }) => requestId === 'r-old')?.accessRefs).toEqual([{ type: 'ROLE', id: 'r' }]);
  });
});
