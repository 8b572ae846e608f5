import Sqlite from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { createSqliteDialect } from '../engine/sqlite/dialect.ts';
import { type Condition, compileFilter, type FilterFields } from './filter.ts';

type BookCondition = Condition<'title' | 'pages' | 'size' | 'text'>;

const FIELDS: FilterFields<BookCondition> = {
  title: 'title',
  pages: 'pages',
  size: sql`case when pages > '200' then 'LONG' else 'SHORT' end`,
  text: ({ values: [part = ''] }) => sql`instr(lower(title), ${part}) > 0`,
};

function openBooks() {
  const connection = new Sqlite(':memory:');
  connection.exec(`create table book (title text, pages text);
    insert into book values ('Emma', '474'), ('Émile', '150'), ('Persuasion', '249'), (null, '100')`);
  const db = new Kysely<{ book: { title: string | null; pages: string } }>({
    dialect: createSqliteDialect(connection, 'readWrite'),
  });
  return async (...conditions: readonly BookCondition[]) => {
    const rows = await db.selectFrom('book').select('title').where(compileFilter(FIELDS, conditions)).execute();
    return rows.map(({ title }) => title);
  };
}

test('no condition selects all rows', async () => {
  expect(await openBooks()()).toEqual(['Emma', 'Émile', 'Persuasion', null]);
});

test('a field is a column, an expression or a condition of its own', async () => {
  const find = openBooks();
  expect(await find({ field: 'title', operator: 'eq', values: ['Emma'] })).toEqual(['Emma']);
  expect(await find({ field: 'size', operator: 'eq', values: ['LONG'] })).toEqual(['Emma', 'Persuasion']);
  expect(await find({ field: 'text', operator: 'co', values: ['su'] })).toEqual(['Persuasion']);
});

test('all conditions are met', async () => {
  const find = openBooks();
  const long = { field: 'size', operator: 'eq', values: ['LONG'] } as const;
  expect(await find(long, { field: 'title', operator: 'sw', values: ['E'] })).toEqual(['Emma']);
  expect(await find(long, { field: 'size', operator: 'in', values: ['SHORT'] })).toEqual([]);
});

test('texts are compared by their bytes, and one of no values is met by nothing', async () => {
  const find = openBooks();
  expect(await find({ field: 'title', operator: 'sw', values: ['É'] })).toEqual(['Émile']);
  expect(await find({ field: 'title', operator: 'co', values: ['m'] })).toEqual(['Emma', 'Émile']);
  expect(await find({ field: 'title', operator: 'co', values: [''] })).toEqual(['Emma', 'Émile', 'Persuasion']);
  expect(await find({ field: 'pages', operator: 'ge', values: ['249'] })).toEqual(['Emma', 'Persuasion']);
  expect(await find({ field: 'title', operator: 'in', values: [] })).toEqual([]);
});
