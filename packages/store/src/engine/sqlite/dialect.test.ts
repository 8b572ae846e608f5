import Sqlite from 'better-sqlite3';
import { Kysely, type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Tables } from '../../schema/tables.ts';
import { createSqliteDialect } from './dialect.ts';

async function planOf(flag: RawBuilder<number> | number): Promise<string> {
  const connection = new Sqlite(':memory:');
  connection.exec('create table record (id text, flag integer); create index flagged on record (id) where flag = 1');
  const db = new Kysely<Tables>({ dialect: createSqliteDialect(connection, 'readWrite') });
  const { rows } = await sql<{ detail: string }>`
    explain query plan select id from record where flag = ${flag} limit ${10}`.execute(db);
  return rows.map(({ detail }) => detail).join();
}

test('a partial index matches a literal', async () => {
  expect(await planOf(sql.lit(1))).toContain('flagged');
});

test('the value of a parameter does not matter to the plan, so that SQLite keeps it', async () => {
  expect(await planOf(1)).not.toContain('flagged');
});
