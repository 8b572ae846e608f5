import { createTestDatabase } from '@access-admin/harness';
import { describe, expect, inject, test } from 'vitest';
import { openPostgresStore } from '../src/assembly/postgres.ts';
import { openSqliteStore } from '../src/assembly/sqlite.ts';
import type { Store } from '../src/index.ts';
import type { Statements } from '../src/schema/migrations.ts';
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

const NEXT: Statements = {
  '9999-notes': [
    'create table note (tenant text not null, text text not null)',
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
    expect(await upgraded.checks.countPending()).toBe(2);
  });

  test('is refused by a version that lacks one of its migrations', async () => {
    await using database = await create();
    await (await database.open(NEXT)).close();
    await expect(database.open()).rejects.toThrow(/9999-notes/);
  });
});
