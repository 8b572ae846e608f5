import { type PolicyNames, placedItems, type SodPolicy } from '@access-admin/domain';
import type { Kysely } from 'kysely';
import { readIdentityNames } from '../access/records/identity-names.ts';
import { readMatches } from '../query/model-tables.ts';
import type { Tables } from '../schema/tables.ts';

/** Reads the present names of the items and owners of policies. */
export async function readNames(
  db: Kysely<Tables>,
  tenant: string,
  policies: readonly SodPolicy[],
): Promise<PolicyNames> {
  const entitlements = new Map<string, string>();
  const ids = new Set(policies.flatMap((policy) => placedItems(policy.conflictingAccessCriteria).map(({ id }) => id)));
  for await (const rows of readMatches(db, { table: 'entitlement', tenant }, ids))
    for (const { id, name } of rows) entitlements.set(id, name);
  const owners = new Set(policies.flatMap(({ ownerRef }) => ownerRef?.id ?? []));
  return { entitlements, identities: await readIdentityNames(db, tenant, owners) };
}
