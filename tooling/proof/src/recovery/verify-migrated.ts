import { openSqliteStore } from '@access-admin/store';
import Sqlite from 'better-sqlite3';
import { NEXT_MIGRATION } from './next-migration.ts';

/** A migrated file, the file before the migration, and one that was migrated without interruption. */
export interface Migrated {
  readonly path: string;
  readonly before: string;
  readonly today: string;
  readonly tenants: readonly string[];
}

/** The failures of a migrated file. */
export async function verifyMigrated(migrated: Migrated): Promise<readonly string[]> {
  try {
    return [...verifyFile(migrated), ...(await verifyService(migrated))];
  } catch (error) {
    return [`it cannot be read: ${error}`];
  }
}

/** The file must be intact, have the schema of `today`, and keep each row. */
function verifyFile({ path, before, today }: Migrated): readonly string[] {
  const database = new Sqlite(path);
  try {
    database.prepare('attach ? as source').run(before);
    const faults = database.prepare<[], string>('pragma main.integrity_check').pluck().all();
    const changed = database
      .prepare<[], string>(`select name from source.sqlite_schema where type = 'table' and name not like '%kysely%'`)
      .pluck()
      .all()
      .filter((table) => !tablesOf(database).includes(table) || hasLost(database, table));
    const isSame = JSON.stringify(schemaOf(path)) === JSON.stringify(schemaOf(today));
    return [
      ...faults.filter((text) => text !== 'ok'),
      ...changed.map((table) => `rows of ${table} are not what they were`),
      ...(isSame ? [] : ['the schema is not that of an uninterrupted migration']),
    ];
  } finally {
    database.close();
  }
}

function hasLost(database: Sqlite.Database, table: string): boolean {
  const still = columnsOf(database, 'main', table);
  const columns = columnsOf(database, 'source', table).filter((name) => still.includes(name));
  const list = columns.map((name) => `"${name}"`).join(', ');
  const count = (sql: string) => Number(database.prepare<[], number>(sql).pluck().get());
  const missing = count(
    `select count(*) from (select ${list} from source."${table}" except select ${list} from main."${table}")`,
  );
  return missing > 0 || count(`select count(*) from main."${table}"`) < count(`select count(*) from source."${table}"`);
}

function schemaOf(path: string): readonly unknown[] {
  const database = new Sqlite(path, { readonly: true });
  try {
    return database
      .prepare(`select type, name, sql from sqlite_schema where name not like 'sqlite%' order by type, name`)
      .all();
  } finally {
    database.close();
  }
}

/** A store on the file must answer as a store on `today`. */
async function verifyService({ path, today, tenants }: Migrated): Promise<readonly string[]> {
  await using migrated = await openSqliteStore({ path, furtherMigrations: NEXT_MIGRATION });
  await using expected = await openSqliteStore({ path: today, furtherMigrations: NEXT_MIGRATION });
  const wrong: string[] = [];
  const compare = async (what: string, read: (store: typeof migrated) => Promise<unknown>) => {
    if (JSON.stringify(await read(migrated)) !== JSON.stringify(await read(expected))) wrong.push(`${what} differ`);
  };
  for (const tenant of tenants) {
    await compare('exports', ({ accessModel }) => Array.fromAsync(accessModel.export(tenant)));
    await compare('clients', ({ clients }) => clients.list(tenant, { limit: 250, offset: 0 }));
    await compare('rulebooks', ({ sod }) =>
      sod.loadRulebook(tenant).then(({ catalogue, policies }) => ({ catalogue, policies })),
    );
    for (const id of ['r-0', 'r-1', 'r-2999']) await compare('checks', ({ checks }) => checks.find(tenant, id));
  }
  await compare('backlogs', ({ checks }) => checks.countPending());
  await compare('signing keys', ({ signingKeys }) => signingKeys.list());
  return wrong;
}

const tablesOf = (database: Sqlite.Database): readonly string[] =>
  database
    .prepare<[], string>(
      `select name from sqlite_schema where type = 'table' and name not like 'sqlite%' and name not like 'kysely%'`,
    )
    .pluck()
    .all();

const columnsOf = (database: Sqlite.Database, schema: 'main' | 'source', table: string): readonly string[] =>
  database.prepare<[string, string], string>('select name from pragma_table_info(?, ?)').pluck().all(table, schema);
