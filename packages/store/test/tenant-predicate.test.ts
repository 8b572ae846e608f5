import { createEngineDatabase, createTestDatabase } from '@access-admin/harness';
import Sqlite from 'better-sqlite3';
import { type Dialect, Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import pg from 'pg';
import { afterEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { openStore } from '../src/index.ts';
import type { Tables } from '../src/schema/tables.ts';
import { methodsOf, STORE_CALLS } from './call-every-method.ts';
import { migrate } from './store-engine.ts';
import { findUnguarded, plainSql } from './tenant-guard.ts';

interface Exception {
  /** The engine that needs it; both if left out. */
  readonly only?: string;
  readonly statement: RegExp;
  readonly reason: string;
}

/** The statements that concern more than one tenant. */
const EXCEPTIONS: readonly Exception[] = [
  {
    statement: /^select tenant from oauth_client_tenant where id = \S+$/,
    reason: 'the token endpoint learns the tenant from the client, whose id is unique over all tenants',
  },
  {
    statement: /^select distinct tenant from oauth_client_tenant$/,
    reason: 'whether the store has any client at all, when the first one is made',
  },
  {
    statement: /^select id, tenant from oauth_client where \(tenant, id\) > /,
    reason: 'a start looks for clients whose ids are not reserved, of every tenant',
  },
  {
    only: 'SQLite',
    statement: /^begin; select 1 from tenant limit 1$/,
    reason: 'fixes the instant of a snapshot; the rows it reads are not used',
  },
  {
    statement: /^with recursive later ?\(tenant\) as .*\bfrom sod_check\b/,
    reason: 'a worker claims the checks of every tenant that waits, and has the tenant of each with it',
  },
  {
    statement: /^select count\(\*\) as depth, min\(created\) as oldest from sod_check where state = ''$/,
    reason: 'the metrics count what is pending over all tenants',
  },
  {
    statement: /^with recursive later ?\(tenant\) as .*\bfrom sod_report\b/,
    reason: 'a worker claims the reports of every tenant that waits, and has the tenant of each with it',
  },
  {
    statement: /^select tenant, report_id as reportid, state from sod_report where completed is not null /,
    reason: 'reports are removed after their time, of every tenant',
  },
  {
    only: 'PostgreSQL',
    statement: /^analyze \(skip_locked\) register_count, sod_violation$/,
    reason: 'the statistics of the planner are those of a table',
  },
  {
    statement: /^select tenant from sod_reservation where due <= \S+ order by due limit 1$/,
    reason: 'a worker ends the reservations of every tenant after their time',
  },
  {
    statement: /^with recursive later ?\(tenant\) as .*\bfrom source_load\b/,
    reason: 'a worker claims the loads of every tenant that waits, and has the tenant of each with it',
  },
  {
    statement: /^select tenant, load_id as loadid, state from source_load where due_ms <= /,
    reason: 'parts of loads are removed after their time, of every tenant',
  },
  {
    statement: /^select count\(\*\) as depth, min\(created\) as oldest from sod_report where completed is null$/,
    reason: 'the metrics count the reports that are not done over all tenants',
  },
  {
    statement:
      /^select event_head\.tenant, .* from event_head inner join event on event\.tenant = event_head\.tenant and event\.sequence = /,
    reason: 'events are removed after their time, of every tenant',
  },
  {
    statement: /^select event_head\.tenant from event_head where exists \( select 1 from sod_check /,
    reason: 'checks are removed after their time, of every tenant',
  },
  {
    statement: /^select tenant, sequence from event_head where tenant in /,
    reason: 'a poll for the tenants whose events are waited for',
  },
  {
    statement: /^with recursive waiting as .*\bfrom register_head\b/,
    reason: 'a worker claims the registers of all tenants with something to do',
  },
  {
    statement:
      /^select count\(distinct tenant\) as depth, min\(since\) as oldest from \( select tenant, register_behind_since /,
    reason: 'the metrics count the registers that are behind, of all tenants',
  },
  {
    statement:
      /^select count\(\*\) as depth, min\(created\) as oldest from webhook_delivery where next_ms is not null$/,
    reason: 'the metrics count the deliveries to be tried again, of all tenants',
  },
  {
    statement: /^select sum\(corrected\) as corrected from register_head$/,
    reason: 'the metrics count what comparisons had to correct over all tenants',
  },
  {
    statement: /^with recursive later ?\(tenant\) as .*\bfrom webhook\b/,
    reason: 'a worker claims webhooks with something to deliver, of every tenant',
  },
  {
    statement: /^select tenant, id, secret, previous_secret from webhook where is_deleted = \S+ and \(secret not like /,
    reason: 'a start with another key of secrets encrypts those of every tenant with it',
  },
  {
    statement:
      /^select delivery\.tenant, .* join webhook_delivery as delivery on delivery\.tenant = webhook\.tenant and /,
    reason: 'deliveries are removed after their time or with their webhook, of every tenant',
  },
  {
    statement: /^select tenant, id from webhook where is_deleted = \S+ limit \S+$/,
    reason: 'deleted webhooks without deliveries are removed, of every tenant',
  },
  {
    statement: /^select tenant, identity_id, totp_secret from sign_in_account where totp_secret not like /,
    reason: 'a start with another key of secrets encrypts those of every tenant with it',
  },
  {
    statement:
      /^select tenant, (hash|kind, subject|id) from (sign_in_link|pending_sign_in|session|sign_in_failure|mail) where (idle_)?expires_ms <= /,
    reason: 'what has ended by itself is removed, of every tenant',
  },
  {
    statement:
      /^select tenant\.tenant, .* from tenant left join tenant_removal as removal .* order by tenant\.tenant limit /,
    reason: 'the list of tenants',
  },
  {
    statement: /^select count\(\*\) as count from tenant$/,
    reason: 'the length of the list of tenants',
  },
  {
    statement: /^with recursive later ?\(tenant\) as .*\bfrom tenant_removal\b/,
    reason: 'a worker claims the removal of every tenant that waits',
  },
  {
    statement: /^select audit_head\.tenant(, .* order by audit_head\.tenant| from audit_head where exists .*)$/,
    reason: 'audit events are archived and removed after their days, of every tenant',
  },
  {
    statement: /^with recursive later ?\(tenant\) as .*\bfrom audit_stream\b/,
    reason: 'a worker claims the audit logs with events to be streamed, of every tenant',
  },
  {
    statement: /^with recursive later ?\(tenant\) as .*\bfrom identity_erasure\b/,
    reason: 'a worker claims the erasures that are due, of every tenant',
  },
  {
    statement: /^with recursive later ?\(tenant\) as .*\bfrom mail\b/,
    reason: 'a worker claims the mails that are due, of every tenant',
  },
  {
    only: 'PostgreSQL',
    statement: /^select tenant, sum\(version\).* from tenant_change where tenant = any/,
    reason: 'a poll for the tenants that other processes have changed',
  },
];

interface Recording {
  readonly statements: readonly string[];
  readonly tenantTables: ReadonlySet<string>;
}

/** A migrated database, so that the statements of migrations are not recorded. */
interface Engine {
  readonly name: string;
  createDatabase(): Promise<{ readonly url: string; remove(): Promise<void> }>;
  /** Records the statements of all connections from now on. */
  listen(): readonly string[];
  readTenantTables(url: string): Promise<readonly string[]>;
  openDialect(url: string): Dialect;
}

const pathOf = (url: string) => url.replace('sqlite:', '');

const sqlite: Engine = {
  name: 'SQLite',
  createDatabase: () => createEngineDatabase('sqlite', migrate),
  listen: () => {
    const statements: string[] = [];
    for (const method of ['prepare', 'exec'] as const) {
      const original = Sqlite.prototype[method] as (sql: string) => never;
      vi.spyOn(Sqlite.prototype, method).mockImplementation(function (this: Sqlite.Database, sql: string) {
        statements.push(sql);
        return original.call(this, sql);
      });
    }
    return statements;
  },
  readTenantTables: async (url) => {
    using connection = closing(new Sqlite(pathOf(url)));
    return connection.value
      .prepare<[], string>(
        `select m.name from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table' and c.name = 'tenant'`,
      )
      .pluck()
      .all();
  },
  openDialect: (url) => new SqliteDialect({ database: new Sqlite(pathOf(url)) }),
};

const closing = <T extends { close(): unknown }>(value: T) => ({ value, [Symbol.dispose]: () => void value.close() });

const postgres: Engine = {
  name: 'PostgreSQL',
  createDatabase: () => createTestDatabase(migrate),
  listen: () => {
    const statements: string[] = [];
    const original = pg.Client.prototype.query as (...args: readonly unknown[]) => never;
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: readonly unknown[]) {
      const [query] = args;
      statements.push(typeof query === 'string' ? query : String(Object(query).text));
      return original.apply(this, args as []);
    });
    return statements;
  },
  readTenantTables: async (url) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ table_name: string }>(
      `select table_name from information_schema.columns where table_schema = 'public' and column_name = 'tenant'`,
    );
    await client.end();
    return rows.map(({ table_name }) => table_name);
  },
  openDialect: (url) => new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 1 }) }),
};

/** All statements of a store from opening to closing, followed by one of another program. */
async function recordAll(engine: Engine, planted: (db: Kysely<Tables>) => Promise<unknown>): Promise<Recording> {
  const { url, remove } = await engine.createDatabase();
  onTestFinished(remove);
  const tenantTables = new Set(await engine.readTenantTables(url));
  const statements = engine.listen();
  const store = await openStore(url);
  for (const call of Object.values(STORE_CALLS)) await call(store);
  expect(Object.keys(STORE_CALLS).toSorted()).toEqual(methodsOf(store));
  await store.close();
  const db = new Kysely<Tables>({ dialect: engine.openDialect(url) });
  await planted(db);
  await db.destroy();
  return { statements: [...new Set(statements.map(plainSql))], tenantTables };
}

const isException = (statement: string) => EXCEPTIONS.some((exception) => exception.statement.test(statement));

const unguardedOf = ({ statements, tenantTables }: Recording): readonly string[] =>
  statements.filter((statement) => !isException(statement) && findUnguarded(statement, tenantTables).length > 0);

afterEach(() => void vi.restoreAllMocks());

const engine = inject('engine') === 'sqlite' ? sqlite : postgres;

describe(`on ${engine.name}`, () => {
  test('every statement of the store names its tenant', async () => {
    const recording = await recordAll(engine, async () => {});
    expect(unguardedOf(recording)).toEqual([]);
    const { statements, tenantTables } = recording;
    const touching = statements.filter((statement) => [...tenantTables].some((table) => statement.includes(table)));
    // Enough statements to show that recording has not stopped.
    expect(touching.length).toBeGreaterThan(40);
    expect([...tenantTables]).toEqual(expect.arrayContaining(['identity', 'oauth_client', 'sod_check', 'sod_policy']));
    const needed = EXCEPTIONS.filter(({ only = engine.name }) => only === engine.name);
    const unused = needed.filter(({ statement }) => !statements.some((each) => statement.test(each)));
    expect(unused.map(({ reason }) => reason)).toEqual([]);
  });

  test('a statement without a tenant is found', async () => {
    const recording = await recordAll(engine, (db) => db.selectFrom('identity').selectAll().execute());
    expect(unguardedOf(recording)).toEqual(['select * from identity']);
  });
});

describe('a statement', () => {
  const tables = new Set(['identity', 'role', 'tenant', 'sod_check']);

  test.each([
    'select * from identity where tenant = ?',
    'select * from "identity" where "tenant" = $1 and ("id" = $2 or "uid" = $2)',
    'select (select revision from identity where tenant = @tenant and id = @id) as revision',
    'select 1 from identity join role on role.tenant = identity.tenant where identity.tenant = $1',
    'select place from key join identity using (tenant, id) left join tenant using (tenant)',
    'insert into identity (tenant, id) values (?, ?) on conflict (tenant, id) do update set id = excluded.id',
    'update tenant set policy_set_version = 1 where tenant = ?',
    'delete from role where tenant = $1 and id in ($2, $3)',
    'select 1 from signing_key',
  ])('with a condition on the tenant is accepted: %s', (sql) => {
    expect(findUnguarded(sql, tables)).toEqual([]);
  });

  test.each([
    'select * from identity',
    'select * from identity where id = ?',
    "select * from identity where uid = 'tenant = ?'",
    'select * from identity -- where tenant = ?',
    'select tenant from identity order by tenant',
    'select * from identity where tenant = ? or id = ?',
    'select * from identity where (tenant = ? or id = ?)',
    'select * from identity where tenant <> ?',
    'select * from identity where identity.tenant = identity.tenant',
    'select * from identity, role where identity.tenant = ?',
    'select * from identity i join role r on r.id = i.uid where i.tenant = ?',
    'select * from role where tenant = ? union all select * from identity',
    'select * from role where tenant = ? and id in (select id from identity)',
    'select * from (identity) where id = ?',
    'select count(*) from public.identity',
    'with all_of_them as (select * from identity) select * from all_of_them where tenant = ?',
    'insert into identity select * from old',
    'update identity set tenant = ?',
    'delete from sod_check',
  ])('without a condition on the tenant is found: %s', (sql) => {
    expect(findUnguarded(sql, tables)).not.toEqual([]);
  });
});
