import { createTestDatabase } from '@access-admin/harness';
import { describe, expect, inject, test } from 'vitest';
import { openPostgresStore } from '../src/assembly/postgres.ts';
import { openSqliteStore } from '../src/assembly/sqlite.ts';
import type { Store } from '../src/index.ts';
import { distributeWithTenants, keepOnCoordinator } from '../src/schema/definition/placement.ts';
import { type Statements, statementsOf } from '../src/schema/migrations.ts';
import { exportAll, identity, identityProfile, importAll } from './model-records.ts';
import { newCheck } from './new-check.ts';
import { newSqliteFile } from './sqlite-file.ts';

type Open = (furtherMigrations?: Statements) => Promise<Store>;

const CREATE: Readonly<Record<Store['engine'], () => Promise<AsyncDisposable & { readonly open: Open }>>> = {
  sqlite: async () => {
    const file = await newSqliteFile();
    return {
      open: (furtherMigrations = {}) => openSqliteStore({ path: `${file.directory}/store.db`, furtherMigrations }),
      [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
    };
  },
  postgres: async () => {
    const { url, remove } = await createTestDatabase();
    return {
      open: (furtherMigrations = {}) => openPostgresStore({ url, furtherMigrations }),
      [Symbol.asyncDispose]: remove,
    };
  },
};
const create = CREATE[inject('engine')];

const COLUMN = inject('engine') === 'sqlite' ? 'text' : 'text collate "C"';
/** Where the rows of the new tables lie in a cluster; SQLite has no statement for it. */
const placed = (statement: string): readonly string[] => (inject('engine') === 'sqlite' ? [] : [statement]);

const NEXT: Statements = {
  '9998-notes': [
    'create table old_note (text text)',
    ...placed(keepOnCoordinator('old_note')),
    `create table note (tenant ${COLUMN} not null, text ${COLUMN} not null)`,
    ...placed(distributeWithTenants('note')),
    `insert into note select tenant, 'from the baseline' from tenant`,
    'alter table sod_check add column note text',
  ],
};

describe('a database of the baseline', () => {
  test('is upgraded by the next migration and keeps its data', async () => {
    await using database = await create();
    const records = [identityProfile('ip'), identity('i-1')];
    {
      await using store = await database.open();
      await importAll(store, 'acme', records);
      await store.checks.enqueue(newCheck('r-1'), 10);
    }
    await using upgraded = await database.open(NEXT);
    await upgraded.ping();
    expect((await exportAll(upgraded, 'acme')).map(({ id }) => id)).toEqual(['ip', 'i-1']);
    expect(await upgraded.checks.find('acme', 'r-1')).toMatchObject({ state: 'PENDING' });
    await upgraded.checks.enqueue(newCheck('r-2'), 10);
    expect((await upgraded.checks.measureBacklog()).depth).toBe(2);
  });

  test('with a later schema that only adds is served by processes that run, and by a version that starts on it', async () => {
    await using database = await create();
    await using running = await database.open();
    await importAll(running, 'acme', [identityProfile('ip'), identity('i-1')]);
    // Each statement has been used, so that connections have prepared it.
    for (const id of ['r-1', 'r-2', 'r-3']) await running.checks.enqueue(newCheck(id), 10);
    await (await database.open(NEXT)).close();
    await using started = await database.open();
    expect(started.migrated).toEqual([]);
    for (const [at, store] of [running, started].entries()) {
      await store.ping();
      await importAll(store, 'acme', [identity(`i-later-${at}`)]);
      await store.checks.enqueue(newCheck(`r-later-${at}`), 10);
      expect(await store.checks.find('acme', 'r-1')).toMatchObject({ state: 'PENDING' });
    }
    expect((await exportAll(started, 'acme')).map(({ id }) => id)).toEqual(['ip', 'i-1', 'i-later-0', 'i-later-1']);
    expect(await started.checks.measureBacklog()).toMatchObject({ depth: 5 });
  });

  test('is refused after a contraction by versions that lack its expansion, and by no others', async () => {
    await using database = await create();
    const contracted = { ...NEXT, '9999-contract-9998-notes': ['drop table old_note'] };
    await using before = await database.open();
    await using expanded = await database.open(NEXT);
    await (await database.open(contracted)).close();
    const reason = /of a later version: 9999-contract-9998-notes removed/;
    await expect(before.ping()).rejects.toThrow(reason);
    await expect(database.open()).rejects.toThrow(reason);
    await expanded.ping();
    await (await database.open(NEXT)).close();
  });
});

describe('migrations leave a schema that two versions can share', () => {
  const ALL = statementsOf(inject('engine'));

  test('in their names, which are in order', () => {
    const names = Object.keys(ALL);
    expect(names.filter((name) => !/^\d{4}-(contract-\d{4}-)?[a-z][a-z0-9-]*$/.test(name))).toEqual([]);
    expect(names).toEqual(names.toSorted());
    expect(new Set(names.map((name) => name.slice(0, 4))).size).toBe(names.length);
  });

  test('a table that one makes on PostgreSQL lies where it says', () => {
    expect(unplaced(statementsOf('postgres'))).toEqual([]);
    const made = 'create table note (tenant text not null, text text not null)';
    expect(unplaced({ '9998-notes': [made] })).toEqual(['note']);
    expect(unplaced({ '9998-notes': [made, distributeWithTenants('note')] })).toEqual([]);
    expect(unplaced({ '9998-notes': [made, keepOnCoordinator('note')] })).toEqual([]);
  });

  test('only contractions remove', () => {
    const expansions = (all: Statements) =>
      Object.entries(all).flatMap(([name, statements]) => (name.includes('-contract-') ? [] : statements));
    expect(expansions(ALL).filter(removes)).toEqual([]);
    expect(expansions(NEXT).filter(removes)).toEqual([]);
    const wrong = [
      'drop table tenant',
      'alter table sod_check drop column result',
      'alter table sod_check rename column result to outcome',
      'alter table sod_check alter column result set not null',
      'alter table sod_check add column priority integer not null',
    ];
    expect(wrong.filter(removes)).toEqual(wrong);
  });
});

/** The tables that a migration makes without saying where their rows lie in a cluster. */
const unplaced = (all: Statements): readonly string[] =>
  Object.values(all).flatMap((statements) =>
    statements
      .flatMap((statement) => /^\s*create table (?:if not exists )?(\w+)/i.exec(statement)?.[1] ?? [])
      .filter(
        (table) => ![distributeWithTenants, keepOnCoordinator].some((place) => statements.includes(place(table))),
      ),
  );

/** Whether earlier versions may fail after a statement: it takes something away, or asks of their rows what they do not write. */
const removes = (statement: string): boolean =>
  /^\s*drop table\b|^\s*alter table\b.*\b(drop|rename|set not null)\b/is.test(statement) ||
  /^\s*alter table\b.*\badd\b.*\bnot null\b(?!.*\bdefault\b)/is.test(statement);
