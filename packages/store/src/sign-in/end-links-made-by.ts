import type { AuditContext } from '@access-admin/domain';
import type { Transaction } from 'kysely';
import { inParts } from '../engine/concurrency/in-parts.ts';
import { recordChanges } from '../record/audit/append-event.ts';
import type { Tables } from '../schema/tables.ts';
import { endedLinks } from './end-sign-ins.ts';

// Keeps statements well below the limit of parameters.
const IDS_AT_ONCE = 500;
const NO_CAPABILITIES = '[]';

/**
 * Ends the open links that deleted identities have made for others, within a transaction of the whole tenant. Used ones stay,
 * and count as made without capabilities: an identity created later with the maker's id has not made them.
 */
export async function endLinksMadeBy(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  makerIds: readonly string[],
): Promise<void> {
  const ended: string[] = [];
  const { tenant } = auditContext;
  for (const ids of inParts(makerIds, IDS_AT_ONCE)) {
    // First, because it waits for a use under way, whose used link then exists.
    const links = await trx
      .deleteFrom('sign_in_link')
      .where('tenant', '=', tenant)
      .where('maker_id', 'in', ids)
      .returning('identity_id')
      .execute();
    await trx
      .updateTable('used_sign_in_link')
      .set({ maker_capabilities: NO_CAPABILITIES })
      .where('tenant', '=', tenant)
      .where('maker_id', 'in', ids)
      .execute();
    for (const { identity_id } of links) ended.push(identity_id);
  }
  await recordChanges(trx, auditContext, endedLinks(ended));
}
