import Sqlite from 'better-sqlite3';
import { Kysely, PostgresDialect, type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Tables } from '../../schema/tables.ts';
import { isPostgres } from '../is-postgres.ts';
import { createSqliteDialect } from './dialect.ts';
import { Runs } from './runs.ts';

const open = (connection: Sqlite.Database) =>
  new Kysely<Tables>({ dialect: createSqliteDialect(connection, 'readWrite') });

async function planOf(flag: RawBuilder<number> | number): Promise<string> {
  const connection = new Sqlite(':memory:');
  connection.exec('create table record (id text, flag integer); create index flagged on record (id) where flag = 1');
  const db = open(connection);
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

test('locks of rows are left out, and nothing else', () => {
  const db = open(new Sqlite(':memory:'));
  const locked = db.selectFrom('tenant').select('tenant').distinct().forUpdate().skipLocked().compile().sql;
  expect(locked.trim()).toBe('select distinct "tenant" from "tenant"');
});

test('a database knows its dialect without a statement', () => {
  expect(isPostgres(open(new Sqlite(':memory:')))).toBe(false);
  expect(isPostgres(new Kysely<Tables>({ dialect: new PostgresDialect({ pool: async () => Promise.reject() }) }))).toBe(
    true,
  );
});

test('runs of one statement change rows each, and are rolled back together where one fails', async () => {
  const connection = new Sqlite(':memory:');
  connection.exec(`create table record (id text, flag integer not null); insert into record values ('a', 0), ('b', 0)`);
  const db = open(connection);
  const runAll = (parameters: readonly (readonly unknown[])[]) =>
    db.transaction().execute(async (trx) => {
      const runs = new Runs(parameters);
      const statement = sql`update record set flag = ${0} where id = ${''}`.compile(trx);
      await trx.executeQuery({ ...statement, parameters: [runs] });
      return runs.changes;
    });
  const flags = () => connection.prepare('select flag from record order by id').pluck().all();

  const changes = await runAll([
    [1, 'a'],
    [2, 'unknown'],
    [3, 'b'],
  ]);
  expect(changes).toEqual([1, 0, 1]);
  expect(flags()).toEqual([1, 3]);

  const failing = runAll([
    [5, 'a'],
    [null, 'b'],
  ]);
  await expect(failing).rejects.toThrow('NOT NULL');
  expect(flags()).toEqual([1, 3]);
});
