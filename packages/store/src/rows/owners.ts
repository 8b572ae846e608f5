import type { Transaction } from 'kysely';
import type { Tables } from '../schema/tables.ts';

// Keeps statements well below the limit of parameters.
const IDS_AT_ONCE = 500;

/**
 * Takes deleted identities from the policies and controls that they own, in the transaction of the deletion. Secondary owners
 * that do not exist are left out when a control is shown.
 */
export async function removeOwners(trx: Transaction<Tables>, tenant: string, ids: readonly string[]): Promise<void> {
  for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
    const some = ids.slice(start, start + IDS_AT_ONCE);
    for (const table of ['sod_policy', 'control'] as const)
      await trx
        .updateTable(table)
        .set({ owner_id: null })
        .where('tenant', '=', tenant)
        .where('owner_id', 'in', some)
        .execute();
  }
}
