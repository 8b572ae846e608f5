import { createTestDatabase } from '@access-admin/harness';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { openSqliteConnection } from '../src/engine/sqlite/connection.ts';
import { openStore, type Store } from '../src/index.ts';
import { allOf } from './all-of.ts';
import { actIn, importAll, people } from './model-records.ts';
import { newSqliteFile } from './sqlite-file.ts';
import { migrate } from './store-engine.ts';

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

const EVENT = `values ('acme', 1, '', '', null, '', '', null, '', '[]', '', null, 'another', null)`;
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
const OF_ENGINE = {
  sqlite: {
    open: openSqlite,
    statements: [
      `insert or replace into audit_event ${EVENT}`,
      `replace into audit_event ${EVENT}`,
      `update or replace audit_event set sequence = 1 where sequence = 2`,
      `insert into audit_event ${EVENT} on conflict do update set hash = 'another'`,
    ],
  },
  postgres: {
    open: openPostgres,
    statements: [
      'truncate audit_event_member',
      'truncate audit_event',
      'truncate audit_head',
      `insert into audit_event ${EVENT} on conflict (tenant, sequence) do update set hash = 'another'`,
    ],
  },
};
const { open, statements } = OF_ENGINE[inject('engine')];

test.each([...CHANGES, ...MEMBER_CHANGES, ...statements])(
  'the database protects the audit log from: %s',
  async (sql) => {
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
  },
);

test('the database lets go of events that are archived, and of no other', async () => {
  await using opened = await open();
  const { store, execute } = opened;
  await importAll(store, 'acme', people({ 'i-1': [] }));
  await importAll(store, 'other', people({ 'i-1': [] }));
  const before = await allOf(store.audit.export('acme'));
  const { sequence, hash } = before[1] ?? { sequence: 0, hash: '' };
  const log = { tenant: 'acme', firstSequence: 1, previousHash: null, streamed: 0 };
  expect(await store.auditRetention.begin(log, { sequence, hash })).toBe(true);
  expect(await store.auditRetention.begin(log, { sequence, hash })).toBe(false);
  for (const table of ['audit_event', 'audit_event_member'])
    for (const rest of [`tenant = 'acme' and sequence > 2`, `tenant = 'other'`])
      await expect(execute(`delete from ${table} where ${rest}`)).rejects.toThrow('the audit log is append-only');
  while (await store.auditRetention.removeArchived());
  expect(await allOf(store.audit.export('acme'))).toEqual(before.slice(2));
  expect(await allOf(store.audit.export('other'))).toHaveLength(before.length);
});
