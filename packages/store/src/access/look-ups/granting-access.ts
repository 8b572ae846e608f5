import { type AccessRef, type Bundles, type GrantingAccess, grantingAccessOf } from '@access-admin/domain';
import { sql } from 'kysely';
import { readMatchesBySize } from '../../query/model-tables.ts';
import type { Tables } from '../../schema/tables.ts';
import { rowToAccessProfile, rowToRole } from '../records/catalogue-codec.ts';
import { ALL, findHaving } from '../records/find-holders.ts';
import type { Searches } from './read-keys.ts';

const TABLES = { ENTITLEMENT: 'entitlement', ACCESS_PROFILE: 'access_profile', ROLE: 'role' } as const;

/** Finds the assignments that give a record; null where it does not exist. */
export async function findGrantingAccess(
  searches: Searches,
  tenant: string,
  target: AccessRef,
): Promise<GrantingAccess | null> {
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
  return grantingAccessOf(target, bundles);
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
