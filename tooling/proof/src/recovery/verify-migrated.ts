import { openSqliteStore } from '@access-admin/store';
import { findCorruption, openSqlite, type Sql } from '../service/open-database.ts';
import { NEXT_MIGRATION } from './next-migration.ts';

/** A migrated file, the file before the migration, and one that was migrated without interruption. */
export interface Migrated {
  readonly path: string;
  readonly before: string;
  readonly uninterrupted: string;
  readonly tenants: readonly string[];
}

/** The failures of a migrated file. */
export async function verifyMigrated(migrated: Migrated): Promise<readonly string[]> {
  try {
    return [...(await verifyFile(migrated)), ...(await verifyService(migrated))];
  } catch (error) {
    return [`it cannot be read: ${error}`];
  }
}

/** The file must be intact, have the schema of an uninterrupted migration, and keep each row. */
async function verifyFile({ path, before, uninterrupted }: Migrated): Promise<readonly string[]> {
  await using sql = await openSqlite(path);
  await using expected = await openSqlite(uninterrupted);
  const wrong = [...(await findCorruption(sql))];
  if ((await readSchema(sql)) !== (await readSchema(expected)))
    wrong.push('the schema is not that of an uninterrupted migration');
  await sql.run(`attach '${before}' as source`);
  const tables = `select name from source.sqlite_schema where type = 'table' and name not like '%kysely%'`;
  for (const table of await sql.texts(tables))
    if (!(await keepsRows(sql, table))) wrong.push(`rows of ${table} are not what they were`);
  return wrong;
}

const readSchema = async (sql: Sql): Promise<string> =>
  (
    await sql.texts(
      `select concat_ws(' ', type, name, sql) from sqlite_schema where name not like 'sqlite%' order by 1`,
    )
  ).join();

async function keepsRows(sql: Sql, table: string): Promise<boolean> {
  const columnsIn = (schema: string) => sql.texts(`select name from pragma_table_info('${table}', '${schema}')`);
  const still = await columnsIn('main');
  const columns = (await columnsIn('source')).filter((name) => still.includes(name)).map((name) => `"${name}"`);
  if (columns.length === 0) return false;
  const missing = `select ${columns} from source."${table}" except select ${columns} from main."${table}"`;
  const [kept] = await sql.texts(`select not exists (${missing})
    and (select count(*) from main."${table}") >= (select count(*) from source."${table}")`);
  return kept === '1';
}

/** A store on the file must answer as one on an uninterrupted migration. */
async function verifyService({ path, uninterrupted, tenants }: Migrated): Promise<readonly string[]> {
  await using migrated = await openSqliteStore({ path, furtherMigrations: NEXT_MIGRATION });
  await using expected = await openSqliteStore({ path: uninterrupted, furtherMigrations: NEXT_MIGRATION });
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
