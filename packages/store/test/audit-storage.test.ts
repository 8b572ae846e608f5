import { ok } from '@access-admin/domain';
import { createTestDatabase } from '@access-admin/harness';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openSqliteConnection } from '../src/engine/sqlite/connection.ts';
import { type AuditCondition, openStore, type Store } from '../src/index.ts';
import { allOf } from './all-of.ts';
import { actIn, importAll, people } from './model-records.ts';
import { newSqliteFile } from './sqlite-file.ts';
import { migrate } from './store-engine.ts';

const PAGE = { limit: 251, offset: 0 };

interface Opened extends AsyncDisposable {
  readonly store: Store;
  /** A statement of another program. */
  execute(sql: string): Promise<unknown>;
}

async function openSqlite(): Promise<Opened> {
  const file = await newSqliteFile();
  const store = await openStore(`sqlite:${file.path}`);
  const connection = openSqliteConnection(file.path, 'readWrite');
  return {
    store,
    execute: async (sql) => connection.exec(sql),
    [Symbol.asyncDispose]: async () => {
      connection.close();
      await store.close();
      await file[Symbol.asyncDispose]();
    },
  };
}

async function openPostgres(): Promise<Opened> {
  const { url, remove } = await createTestDatabase(migrate);
  const store = await openStore(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    store,
    execute: (sql) => client.query(sql),
    [Symbol.asyncDispose]: async () => {
      await client.end();
      await store.close();
      await remove();
    },
  };
}

const EVENT = `values ('acme', 1, '', '', null, '', '', null, '', '[]', '', null, 'another')`;
const CHANGES = [
  `update audit_event set outcome = 'ALLOWED'`,
  'delete from audit_event',
  `delete from audit_event where tenant = 'acme' and sequence = 1`,
  'delete from audit_head',
  `delete from audit_head where tenant = 'acme'`,
];
const MEMBER_CHANGES = [
  `update audit_event_member set resource_id = 'another'`,
  `delete from audit_event_member where tenant = 'acme'`,
];
const ON_SQLITE = [
  ...CHANGES,
  ...MEMBER_CHANGES,
  `insert or replace into audit_event ${EVENT}`,
  `replace into audit_event ${EVENT}`,
  `update or replace audit_event set sequence = 1 where sequence = 2`,
  `insert into audit_event ${EVENT} on conflict do update set hash = 'another'`,
];
const ON_POSTGRES = [
  ...CHANGES,
  ...MEMBER_CHANGES,
  'truncate audit_event_member',
  'truncate audit_event',
  'truncate audit_head',
  `insert into audit_event ${EVENT} on conflict (tenant, sequence) do update set hash = 'another'`,
];

describe('the database protects the audit log', () => {
  test.each([
    ...ON_SQLITE.map((sql) => ({ engine: 'SQLite', sql, open: openSqlite })),
    ...ON_POSTGRES.map((sql) => ({ engine: 'PostgreSQL', sql, open: openPostgres })),
  ])('$engine refuses: $sql', async ({ sql, open }) => {
    await using opened = await open();
    const { store, execute } = opened;
    const record = () => store.audit.recordDenial(actIn('acme'), { type: 'AUDIT_EVENT', id: null });
    await importAll(store, 'acme', people({ 'i-1': [] }));
    const before = await allOf(store.audit.export('acme'));
    await expect(execute(sql)).rejects.toThrow('the audit log is append-only');
    await record();
    const after = await allOf(store.audit.export('acme'));
    expect(after.slice(0, -1)).toEqual(before);
    expect(after.at(-1)).toMatchObject({ sequence: 4, previousHash: before.at(-1)?.hash });
  });
});

describe('a list of events on SQLite', () => {
  afterEach(() => void vi.restoreAllMocks());

  const equal = (field: 'actor' | 'operation' | 'resourceType' | 'resourceId' | 'outcome') =>
    ({ field, operator: 'eq', values: ['x'] }) as const;
  const since = { field: 'time', operator: 'ge', values: ['2026-03-01T12:00:00.000Z'] } as const;

  /** The steps of the query plans of SQLite for all lists of the store. */
  async function plansOf(use: (store: Store) => Promise<unknown>): Promise<readonly string[]> {
    await using file = await newSqliteFile();
    await using store = await openStore(`sqlite:${file.path}`);
    const spy = vi.spyOn(Sqlite.prototype, 'prepare');
    await use(store);
    const statements = spy.mock.calls.map(([sql]) => String(sql)).filter((sql) => sql.includes('audit_event'));
    spy.mockRestore();
    const connection = openSqliteConnection(file.path, 'queryOnly');
    const plans = statements.map((sql) =>
      connection
        .prepare<unknown[], { detail: string }>(`explain query plan ${sql}`)
        .all(...Array.from(sql.matchAll(/\?/g), () => 1))
        .flatMap(({ detail }) => (/^(SEARCH|SCAN|USE) (?!narrow|matching)/.test(detail) ? [detail] : [])),
    );
    connection.close();
    expect(plans.length).toBeGreaterThan(0);
    return [...new Set(plans.flat())];
  }

  const listed = (...conditions: readonly AuditCondition[]) =>
    plansOf(({ audit }) => audit.listSequences('acme', conditions, PAGE));
  const counted = (...conditions: readonly AuditCondition[]) => plansOf(({ audit }) => audit.count('acme', conditions));

  const covered = (index: string, column: string) =>
    `SEARCH audit_event USING COVERING INDEX ${index} (tenant=? AND ${column}=?)`;
  const BY_ACTOR = [covered('audit_event_client', 'client_id'), covered('audit_event_identity', 'identity_id')];
  const BY_RESOURCE = [
    covered('audit_event_resource', 'resource_id'),
    'SEARCH audit_event_member USING PRIMARY KEY (tenant=? AND resource_id=?)',
  ];

  test.each([
    { field: 'resourceId', plan: BY_RESOURCE },
    { field: 'resourceType', plan: [covered('audit_event_resource_type', 'resource_type')] },
    { field: 'operation', plan: [covered('audit_event_operation', 'operation')] },
    { field: 'outcome', plan: [covered('audit_event_outcome', 'outcome')] },
    { field: 'actor', plan: BY_ACTOR },
  ] as const)('is found by $field in an index alone', async ({ field, plan }) => {
    expect(await listed(equal(field))).toEqual(plan);
    expect(await counted(equal(field))).toEqual(plan);
  });

  test.each([
    { first: 'resourceId', others: [equal('outcome'), equal('actor'), since], plan: BY_RESOURCE },
    { first: 'actor', others: [equal('outcome'), equal('operation'), since], plan: BY_ACTOR },
  ] as const)('found by $first reads only the events of that condition', async ({ first, others, plan }) => {
    for (const conditions of [[...others, equal(first)], ...others.map((other) => [equal(first), other])]) {
      const steps = await listed(...conditions);
      expect(steps.slice(0, plan.length)).toEqual(plan);
      for (const step of steps.slice(plan.length)) expect(step).toContain('AND sequence=?)');
    }
  });

  test('is read by sequences', async () => {
    const plans = await plansOf(async (store) => {
      await store.uiMetadata.change(actIn('acme'), { decide: (metadata) => ok({ ...metadata, usernameLabel: 'x' }) });
      vi.mocked(Sqlite.prototype.prepare).mockClear();
      await allOf(store.audit.read('acme', [1, 2, 3]));
    });
    expect(plans).toEqual(['SEARCH audit_event USING INDEX sqlite_autoindex_audit_event_1 (tenant=? AND sequence=?)']);
  });
});
