import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { inParts, inPieces } from '../engine/concurrency/in-parts.ts';
import { createPauses } from '../engine/concurrency/pauses.ts';
import type { Reads } from '../engine/database.ts';
import type { ModelTable, Tables } from '../schema/tables.ts';
import { insertRows } from './insert.ts';
import { isOneOf } from './one-of.ts';

// Reading a page blocks the event loop, and a policy can have 12 KB.
const PAGE_ROWS = 50;
// Keeps statements well below the limit of parameters: 32,766 in SQLite, 65,535 in PostgreSQL.
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
export const readMatches = <T extends ModelTable>(
  db: Kysely<Tables>,
  { table, tenant }: { readonly table: T; readonly tenant: string },
  ids: ReadonlySet<string>,
): AsyncGenerator<readonly Tables[T][]> => readChunks(db, { table, tenant, by: 'id', columns: sql`*` }, ids);

/** Some columns of the rows of a tenant whose column `by` has one of the values, in chunks and without order. */
export const readColumns = <T extends ModelTable, C extends keyof Tables[T] & string>(
  db: Kysely<Tables>,
  { columns, ...from }: { readonly table: T; readonly tenant: string; readonly by: C; readonly columns: readonly C[] },
  values: ReadonlySet<string>,
): AsyncGenerator<readonly Pick<Tables[T], C>[]> =>
  readChunks(db, { ...from, columns: sql.join(columns.map((column) => sql.ref(column))) }, values);

interface Wanted {
  readonly table: ModelTable;
  readonly tenant: string;
  readonly by: string;
  readonly columns: RawBuilder<unknown>;
}

async function* readChunks<R>(
  db: Kysely<Tables>,
  { table, tenant, by, columns }: Wanted,
  values: ReadonlySet<string>,
): AsyncGenerator<readonly R[]> {
  for (const chunk of inParts(values, CHUNK_IDS)) {
    const statement = sql<R>`
      select ${columns} from ${sql.table(table)} where tenant = ${tenant} and ${isOneOf(db, by, chunk)}`;
    yield (await statement.execute(db)).rows;
  }
}

/** The longest column of each table, which the size of a row depends on. The others have a few hundred bytes together. */
export const ROW_SIZES: Readonly<Record<ModelTable, RawBuilder<number>>> = {
  entitlement: sql`0`,
  access_profile: sql`octet_length(entitlements)`,
  role: sql`octet_length(entitlements) + octet_length(access_profiles)`,
  identity_profile: sql`0`,
  identity: sql`octet_length(access)`,
  source: sql`0`,
  account: sql`octet_length(access)`,
  sod_policy: sql`octet_length(criteria)`,
  control: sql`0`,
};
const BYTES_AT_ONCE = 256 * 1024;
const ROW_BYTES = 1024;

/** The same outside a transaction, in pieces of bounded size: a single row can have a megabyte. */
export async function* readMatchesBySize<T extends ModelTable>(
  { read }: Reads,
  { table, tenant }: { readonly table: T; readonly tenant: string },
  ids: ReadonlySet<string>,
): AsyncGenerator<readonly Tables[T][]> {
  for (const chunk of inParts(ids, CHUNK_IDS)) {
    const { rows } = await read((db) =>
      sql<{ id: string; size: number }>`
        select id, ${ROW_SIZES[table]} as size from ${sql.table(table)}
        where tenant = ${tenant} and ${isOneOf(db, 'id', chunk)}`.execute(db),
    );
    for (const piece of inPieces(rows, { sizeOf: ({ size }) => size + ROW_BYTES, sizeMax: BYTES_AT_ONCE })) {
      const wanted = piece.map(({ id }) => id);
      yield await read((db) =>
        selectRows<T>(
          db,
          sql`select * from ${sql.table(table)} where tenant = ${tenant} and ${isOneOf(db, 'id', wanted)}`,
        ),
      );
    }
  }
}

/** Inserts or replaces rows by `tenant` and `id`, which must be unique; `created_ms` stays. All rows have the columns of the first, in its order. */
export const upsertRows = <T extends ModelTable>(
  trx: Transaction<Tables>,
  table: T,
  rows: Iterable<Tables[T]>,
): Promise<void> => insertRows(trx, { table, onConflict: replaceOthers }, rows);

const KEPT: readonly string[] = ['tenant', 'id', 'created_ms'];

function replaceOthers(columns: readonly string[]): RawBuilder<unknown> {
  const replaced = columns.filter((column) => !KEPT.includes(column));
  const settings = replaced.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`);
  return sql`on conflict (tenant, id) do update set ${sql.join(settings)}`;
}

/** Deletes rows of a tenant by id. */
export async function deleteRows(
  trx: Transaction<Tables>,
  { table, tenant }: { readonly table: ModelTable; readonly tenant: string },
  ids: readonly string[],
): Promise<void> {
  const pause = createPauses();
  for (const chunk of inParts(ids, CHUNK_IDS)) {
    await sql`delete from ${sql.table(table)} where tenant = ${tenant} and ${isOneOf(trx, 'id', chunk)}`.execute(trx);
    await pause();
  }
}

async function selectRows<T extends ModelTable>(
  db: Kysely<Tables>,
  query: RawBuilder<unknown>,
): Promise<readonly Tables[T][]> {
  const { rows } = await db.executeQuery<Tables[T]>(query.$castTo<Tables[T]>().compile(db));
  return rows;
}
