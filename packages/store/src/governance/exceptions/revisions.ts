import type { Transaction } from 'kysely';
import { nextIdentityRevision } from '../../record/tenants/versions.ts';
import type { Tables } from '../../schema/tables.ts';

/** Gives identities a new revision after a change of their approved exceptions, so that predictions read them again. */
export async function raiseRevisions(
  trx: Transaction<Tables>,
  tenant: string,
  identityIds: readonly string[],
): Promise<void> {
  if (identityIds.length === 0) return;
  const revision = await nextIdentityRevision(trx, tenant);
  await trx
    .updateTable('identity')
    .set({ revision })
    .where('tenant', '=', tenant)
    .where('id', 'in', identityIds)
    .execute();
}
