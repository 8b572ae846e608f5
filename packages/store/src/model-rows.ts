import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Reads } from './database.ts';
import type { ModelTable, Tables } from './tables.ts';

const PAGE_ROWS = 500;
// Well below the parameters that a statement can have: 32,766 in SQLite, 65,535 in PostgreSQL.
const CHUNK_IDS = 500;

/** All rows of a tenant in the order of their ids, page by page. */
export async function* readPages<T extends ModelTable>(
  { read }: Reads,
  table: T,
  tenant: string,
): AsyncGenerator<readonly Tables[T][]> {
  for (let after = ''; ; ) {
    const page = sql`select * from ${sql.table(table)} where tenant = ${tenant} and id > ${after} order by id limit ${PAGE_ROWS}`;
    const rows = await read((db) => selectRows<T>(db, page));
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    after = last.id;
  }
}

/** The rows of a tenant with one of the ids, in chunks and without order. */
export async function* readMatches<T extends ModelTable>(
  db: Kysely<Tables>,
  { table, tenant }: { readonly table: T; readonly tenant: string },
  ids: ReadonlySet<string>,
): AsyncGenerator<readonly Tables[T][]> {
  const all = [...ids];
  for (let start = 0; start < all.length; start += CHUNK_IDS) {
    const chunk = sql.join(all.slice(start, start + CHUNK_IDS));
    yield await selectRows<T>(db, sql`select * from ${sql.table(table)} where tenant = ${tenant} and id in (${chunk})`);
  }
}

/** Inserts or replaces rows by `tenant` and `id`, with a statement compiled once: the template gives the columns and their order. */
export function prepareUpsert<T extends ModelTable>(
  trx: Transaction<Tables>,
  table: T,
  template: Tables[T],
): (row: Tables[T]) => Promise<void> {
  const columns = Object.keys(template);
  const replaced = columns.filter((column) => column !== 'tenant' && column !== 'id');
  const statement = sql`
    insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    values (${sql.join(columns)})
    on conflict (tenant, id) do update
    set ${sql.join(replaced.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`))}
  `.compile(trx);
  return async (row) => {
    await trx.executeQuery({ ...statement, parameters: Object.values(row) });
  };
}

/** Deletes rows of a tenant by id, with a statement compiled once. */
export function prepareDelete(
  trx: Transaction<Tables>,
  table: ModelTable,
  tenant: string,
): (id: string) => Promise<void> {
  const statement = sql`delete from ${sql.table(table)} where tenant = ${tenant} and id = ${''}`.compile(trx);
  return async (id) => {
    await trx.executeQuery({ ...statement, parameters: [tenant, id] });
  };
}

async function selectRows<T extends ModelTable>(
  db: Kysely<Tables>,
  query: RawBuilder<unknown>,
): Promise<readonly Tables[T][]> {
  const { rows } = await db.executeQuery<Tables[T]>(query.$castTo<Tables[T]>().compile(db));
  return rows;
}
