import { rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '@access-admin/harness';
import Sqlite from 'better-sqlite3';

const STORE = join(ROOT, 'packages/store');
const MIGRATIONS = join(STORE, 'src/schema/migrations');

/** What is used of Kysely: the store's own, on which its migrations build. */
interface KyselyModule {
  readonly Kysely: new (config: { readonly dialect: unknown }) => { destroy(): Promise<void> };
  readonly SqliteDialect: new (config: { readonly database: unknown }) => unknown;
}
interface MigrationModule {
  readonly Migrator: new (config: {
    readonly db: unknown;
    readonly provider: { getMigrations(): Promise<Readonly<Record<string, unknown>>> };
  }) => { migrateTo(name: string): Promise<{ readonly error?: unknown }> };
}

/** The names of the store's migrations, oldest first: each was the last one of a released schema, or is. */
export async function listMigrations(): Promise<readonly string[]> {
  const files = await readdir(MIGRATIONS);
  return files
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.slice(0, -'.ts'.length))
    .sort();
}

/** Makes a file with the schema that ended with a migration, and what of the data of another file has a place in it. */
export async function makeEarlierDatabase(path: string, last: string, from: string): Promise<void> {
  rmSync(path, { force: true });
  const database = new Sqlite(path);
  database.pragma('foreign_keys = off');
  const { Kysely, SqliteDialect }: KyselyModule = await importFromStore('kysely');
  const { Migrator }: MigrationModule = await importFromStore('kysely/migration');
  const db = new Kysely({ dialect: new SqliteDialect({ database }) });
  const migrations: Record<string, unknown> = {};
  for (const name of await listMigrations()) {
    migrations[name] = await import(pathToFileURL(join(MIGRATIONS, `${name}.ts`)).href);
  }
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateTo(last);
  if (error !== undefined) throw error;
  copyRows(database, from);
  // Closes the file too.
  await db.destroy();
}

function copyRows(database: Sqlite.Database, from: string): void {
  database.prepare('attach ? as source').run(from);
  for (const table of tablesOf(database)) {
    const theirs = columnsOf(database, 'source', table);
    const columns = columnsOf(database, 'main', table).filter((name) => theirs.includes(name));
    if (columns.length === 0) continue;
    const list = columns.map((name) => `"${name}"`).join(', ');
    database.exec(`insert into main."${table}" (${list}) select ${list} from source."${table}"`);
  }
  database.exec('detach source');
}

/** The tables that hold data. */
export const tablesOf = (database: Sqlite.Database): readonly string[] =>
  database
    .prepare<[], string>(
      `select name from sqlite_schema where type = 'table' and name not like 'sqlite%' and name not like 'kysely%' order by name`,
    )
    .pluck()
    .all();

export const columnsOf = (database: Sqlite.Database, schema: 'main' | 'source', table: string): readonly string[] =>
  database.prepare<[string, string], string>('select name from pragma_table_info(?, ?)').pluck().all(table, schema);

const importFromStore = (specifier: string) =>
  import(pathToFileURL(createRequire(join(STORE, 'package.json')).resolve(specifier)).href);
