import type { Transaction } from 'kysely';
import type { Tables } from '../schema/tables.ts';

// Keeps statements well below the limit of parameters.
const IDS_AT_ONCE = 500;

/**
 * Takes deleted identities from the policies and controls that they own, in the transaction of the deletion. Returns the ids
 * of those policies.
 */
export async function removeOwners(
  trx: Transaction<Tables>,
  tenant: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const policyIds: string[] = [];
  for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
    const some = ids.slice(start, start + IDS_AT_ONCE);
    const removeFrom = (table: 'sod_policy' | 'control') =>
      trx.updateTable(table).set({ owner_id: null }).where('tenant', '=', tenant).where('owner_id', 'in', some);
    const policies = await removeFrom('sod_policy').returning('id').execute();
    policyIds.push(...policies.map(({ id }) => id));
    await removeFrom('control').execute();
  }
  if (ids.length > 0) await removeSecondaryOwners(trx, tenant, new Set(ids));
  return policyIds;
}

/** An export that names an identity that does not exist could not be imported. */
async function removeSecondaryOwners(
  trx: Transaction<Tables>,
  tenant: string,
  deleted: ReadonlySet<string>,
): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await trx
      .selectFrom('control')
      .select(['id', 'secondary_owner_ids'])
      .where('tenant', '=', tenant)
      .where('secondary_owner_ids', '<>', '[]')
      .where('id', '>', after)
      .orderBy('id')
      .limit(IDS_AT_ONCE)
      .execute();
    for (const row of rows) {
      const owners: readonly string[] = JSON.parse(row.secondary_owner_ids);
      const kept = owners.filter((id) => !deleted.has(id));
      if (kept.length === owners.length) continue;
      await trx
        .updateTable('control')
        .set({ secondary_owner_ids: JSON.stringify(kept) })
        .where('tenant', '=', tenant)
        .where('id', '=', row.id)
        .execute();
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < IDS_AT_ONCE) return;
    after = last.id;
  }
}
