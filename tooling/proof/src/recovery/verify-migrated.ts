import { findCorruption, openSqlite, type Sql } from '../service/open-database.ts';

/** A migrated file, the file before the migration, and one that was migrated without interruption. */
export interface Migrated {
  readonly path: string;
  readonly before: string;
  readonly uninterrupted: string;
}

/** The failures of a migrated file: it must be intact, equal the uninterrupted one, and keep each row. */
export async function verifyMigrated({ path, before, uninterrupted }: Migrated): Promise<readonly string[]> {
  await using sql = await openSqlite(path);
  const wrong = [...(await findCorruption(sql))];
  await sql.run(`attach '${before}' as earlier`);
  await sql.run(`attach '${uninterrupted}' as expected`);
  if ((await readSchema(sql, 'main')) !== (await readSchema(sql, 'expected')))
    return [...wrong, 'the schema is not that of an uninterrupted migration'];
  for (const table of await readTables(sql, 'expected')) {
    const columns = await readColumns(sql, 'main', table);
    if (!(await hasRows(sql, `expected."${table}"`, { of: `main."${table}"`, columns })))
      wrong.push(`${table} has rows that an uninterrupted migration does not make`);
    if (!(await hasRows(sql, `main."${table}"`, { of: `expected."${table}"`, columns })))
      wrong.push(`${table} lacks rows that an uninterrupted migration makes`);
  }
  for (const table of await readTables(sql, 'earlier')) {
    const columns = (await readColumns(sql, 'earlier', table)).intersection(await readColumns(sql, 'main', table));
    if (!(await hasRows(sql, `main."${table}"`, { of: `earlier."${table}"`, columns })))
      wrong.push(`rows of ${table} are not what they were`);
  }
  return wrong;
}

const readSchema = async (sql: Sql, file: string): Promise<string> => {
  const texts = `select concat_ws(' ', type, name, sql) from ${file}.sqlite_schema where name not like 'sqlite%' order by 1`;
  return (await sql.texts(texts)).join();
};

const readTables = (sql: Sql, file: string): Promise<readonly string[]> =>
  sql.texts(`select name from ${file}.sqlite_schema where type = 'table' and name not like '%kysely%'`);

const readColumns = async (sql: Sql, file: string, table: string): Promise<Set<string>> =>
  new Set((await sql.texts(`select name from pragma_table_info('${table}', '${file}')`)).map((name) => `"${name}"`));

/** Whether a table has all rows of another one, in these columns. */
async function hasRows(
  sql: Sql,
  table: string,
  { of: other, columns }: { readonly of: string; readonly columns: ReadonlySet<string> },
): Promise<boolean> {
  const list = [...columns].join();
  const [hasAll] = await sql.texts(`
    select not exists (select ${list} from ${other} except select ${list} from ${table})
      and (select count(*) from ${table}) >= (select count(*) from ${other})`);
  return hasAll === '1';
}
