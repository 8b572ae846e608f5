import type { ApprovedException } from '@access-admin/domain';
import type { Transaction } from 'kysely';
import type { Tables } from '../schema/tables.ts';
import { nextIdentityRevision } from './tenant.ts';

/** Parses the approved exceptions of a hot read: JSON, `[policyId, id, start, end]` each; null for none. */
export function parseApprovedExceptions(text: string | null | undefined): readonly ApprovedException[] | null {
  if (text === null || text === undefined) return null;
  const rows: readonly [string, string, string, string][] = JSON.parse(text);
  return rows.map(([policyId, id, start, end]) => ({ policyId, id, start, end }));
}

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
