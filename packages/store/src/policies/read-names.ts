import { type EntitlementNames, placedItems, type SodPolicy } from '@access-admin/domain';
import type { Kysely } from 'kysely';
import { readMatches } from '../rows/model-tables.ts';
import type { Tables } from '../schema/tables.ts';

/** Reads the current names of the items of policies. */
export async function readNames(
  db: Kysely<Tables>,
  tenant: string,
  policies: readonly SodPolicy[],
): Promise<EntitlementNames> {
  const names = new Map<string, string>();
  const ids = new Set(policies.flatMap((policy) => placedItems(policy.conflictingAccessCriteria).map(({ id }) => id)));
  for await (const rows of readMatches(db, { table: 'entitlement', tenant }, ids))
    for (const { id, name } of rows) names.set(id, name);
  return names;
}
