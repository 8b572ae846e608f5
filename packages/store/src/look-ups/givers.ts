import { type AccessRef, type Bundles, codeOfValue, type Givers, giversOf } from '@access-admin/domain';
import { sql } from 'kysely';
import { rowToAccessProfile, rowToRole } from '../rows/catalogue-codec.ts';
import { readMatchesBySize } from '../rows/model-tables.ts';
import type { Tables } from '../schema/tables.ts';
import { SEARCH_KINDS, type SearchTable, seedOf } from '../search/entry.ts';
import type { Searches } from './read-keys.ts';

const TABLES = { ENTITLEMENT: 'entitlement', ACCESS_PROFILE: 'access_profile', ROLE: 'role' } as const;

/** Finds the assignments that give a record; null where it does not exist. */
export async function findGivers(searches: Searches, tenant: string, target: AccessRef): Promise<Givers | null> {
  if (!(await isThere(searches, tenant, target))) return null;
  const bundles: { -readonly [K in keyof Bundles]: Bundles[K] } = { accessProfiles: [], roles: [] };
  if (target.type === 'ENTITLEMENT') {
    const ids = await findHaving(searches, { tenant, table: 'access_profile', most: ALL }, [target]);
    bundles.accessProfiles = await readAll(searches, { table: 'access_profile', tenant, ids }, rowToAccessProfile);
  }
  if (target.type !== 'ROLE') {
    const profiles = bundles.accessProfiles.map(({ id }) => ({ type: 'ACCESS_PROFILE', id }) as const);
    const ids = await findHaving(searches, { tenant, table: 'role', most: ALL }, [target, ...profiles]);
    bundles.roles = await readAll(searches, { table: 'role', tenant, ids }, rowToRole);
  }
  return giversOf(target, bundles);
}

async function isThere({ read }: Searches, tenant: string, { type, id }: AccessRef): Promise<boolean> {
  const found = sql`select id from ${sql.table(TABLES[type])} where tenant = ${tenant} and id = ${id}`;
  return (await read((db) => found.execute(db))).rows.length > 0;
}

async function readAll<T extends 'access_profile' | 'role', R>(
  searches: Searches,
  { ids, ...from }: { readonly table: T; readonly tenant: string; readonly ids: ReadonlySet<string> },
  decode: (row: Tables[T]) => R,
): Promise<readonly R[]> {
  const records: R[] = [];
  for await (const rows of readMatchesBySize(searches, from, ids)) for (const row of rows) records.push(decode(row));
  return records;
}

const ALL = Number.MAX_SAFE_INTEGER - 1;

/** Refs of one query of the index. */
const REFS_AT_ONCE = 200;

/**
 * The ids of records of a table that may have one of the refs; all of them, or one more than `most`. Different refs can have
 * the same code, so some of the records may have none.
 */
export async function findHaving(
  { read, search }: Searches,
  { tenant, table, most }: { readonly tenant: string; readonly table: SearchTable; readonly most: number },
  refs: readonly AccessRef[],
): Promise<ReadonlySet<string>> {
  const codes = refs.map(({ type, id }) => codeOfValue(seedOf(tenant, table, type), id));
  const ids = new Set<string>();
  for (let start = 0; start < codes.length && ids.size <= most; start += REFS_AT_ONCE) {
    const { source, condition } = search.having({ codes: codes.slice(start, start + REFS_AT_ONCE), are: 'any' });
    const { rows } = await read((db) =>
      sql<{ readonly id: string }>`select id from ${source} where ${condition} and tenant = ${tenant}
        and kind = ${sql.lit(SEARCH_KINDS[table])} limit ${most + 1}`.execute(db),
    );
    for (const { id } of rows) ids.add(id);
  }
  return ids;
}
