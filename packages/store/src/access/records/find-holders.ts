import type { AccessRef, AccessType } from '@access-admin/domain';
import { sql } from 'kysely';
import type { Reads } from '../../engine/database.ts';
import { candidatesOf } from '../search/candidates.ts';
import { SEARCH_KINDS, type SearchTable, wordOf } from '../search/entry.ts';

/** As a limit: none. */
export const ALL = Number.MAX_SAFE_INTEGER - 1;

/** Refs of one query of the index. */
const REFS_AT_ONCE = 200;

/** The ids of records of a table that may have one of the refs; all of them, or one more than `most`. */
export async function findHaving(
  { read }: Reads,
  { tenant, table, most }: { readonly tenant: string; readonly table: SearchTable; readonly most: number },
  refs: readonly AccessRef[],
): Promise<ReadonlySet<string>> {
  const words = refs.map(wordOf);
  const ids = new Set<string>();
  for (let start = 0; start < words.length && ids.size <= most; start += REFS_AT_ONCE) {
    const tests = { texts: [], words: [words.slice(start, start + REFS_AT_ONCE)] };
    const { rows } = await read((db) => {
      const { source, condition } = candidatesOf(db, tests);
      return sql<{
        readonly id: string;
      }>`select search_entry.id from ${source} where ${condition} and tenant = ${tenant}
        and kind = ${sql.lit(SEARCH_KINDS[table])} limit ${most + 1}`.execute(db);
    });
    for (const { id } of rows) ids.add(id);
  }
  return ids;
}

const BUNDLES_MAX = 2_000;

/**
 * The ids of all identities that may have one of the refs, also by access profiles and roles; null when there are more than
 * `most`, or very many bundles.
 */
export async function findHolders(
  reads: Reads,
  { tenant, most }: { readonly tenant: string; readonly most: number },
  refs: readonly AccessRef[],
): Promise<readonly string[] | null> {
  const toRefs = (type: AccessType, ids: ReadonlySet<string>) => [...ids].map((id): AccessRef => ({ type, id }));
  const bundles = { tenant, most: BUNDLES_MAX };
  const entitlements = refs.filter(({ type }) => type === 'ENTITLEMENT');
  const profiles = await findHaving(reads, { ...bundles, table: 'access_profile' }, entitlements);
  if (profiles.size > BUNDLES_MAX) return null;
  const given = [...refs, ...toRefs('ACCESS_PROFILE', profiles)];
  const inRoles = given.filter(({ type }) => type !== 'ROLE');
  const roles = await findHaving(reads, { ...bundles, table: 'role' }, inRoles);
  if (roles.size > BUNDLES_MAX) return null;
  const holders = await findHaving(reads, { tenant, table: 'identity', most }, [...given, ...toRefs('ROLE', roles)]);
  return holders.size > most ? null : [...holders];
}
