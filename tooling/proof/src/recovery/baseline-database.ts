import { readFileSync } from 'node:fs';
import { openNewSqlite, openSqlite } from '../service/open-database.ts';
import { readColumns, readTables } from './verify-migrated.ts';

/** The schema of the first release, as SQLite had it then. */
const BASELINE = new URL('baseline.sql', import.meta.url);
const MIGRATIONS = [
  'create table kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null)',
  'create table kysely_migration_lock (id varchar(255) not null primary key, is_locked integer default 0 not null)',
  `insert into kysely_migration values ('0001-baseline', '2026-01-01T00:00:00.000Z')`,
  `insert into kysely_migration_lock values ('migration_lock', 0)`,
];

/** Creates a database of the first release, with what it can hold of another one. */
export async function createBaselineDatabase(path: string, from: string): Promise<void> {
  await using sql = await openNewSqlite(path);
  await sql.run('pragma foreign_keys = off');
  const statements = readFileSync(BASELINE, 'utf8').split(';\n').filter(Boolean);
  for (const statement of [...statements, ...MIGRATIONS]) await sql.run(statement);
  await sql.run(`attach '${from}' as present`);
  const present = await readTables(sql, 'present');
  for (const table of await readTables(sql, 'main')) {
    if (!present.includes(table)) continue;
    const shared = (await readColumns(sql, 'main', table)).intersection(await readColumns(sql, 'present', table));
    const columns = [...shared].join();
    await sql.run(`insert into main."${table}" (${columns}) select ${columns} from present."${table}"`);
  }
}

/** The names of the migrations that a database has had. */
export async function readMigrations(path: string): Promise<readonly string[]> {
  await using sql = await openSqlite(path);
  return sql.texts('select name from kysely_migration order by name');
}
