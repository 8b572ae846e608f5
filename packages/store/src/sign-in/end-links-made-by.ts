import type { AuditContext } from '@access-admin/domain';
import type { Transaction } from 'kysely';
import { recordChanges } from '../audit/append-event.ts';
import type { Tables } from '../schema/tables.ts';
import { endedLinks } from './end-sign-ins.ts';

// Keeps statements well below the limit of parameters.
const IDS_AT_ONCE = 500;

/** Ends the open links that identities have made for others, within a transaction of the whole tenant. */
export async function endLinksMadeBy(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  makerIds: readonly string[],
): Promise<void> {
  const ended: string[] = [];
  for (let start = 0; start < makerIds.length; start += IDS_AT_ONCE) {
    const links = await trx
      .deleteFrom('sign_in_link')
      .where('tenant', '=', auditContext.tenant)
      .where('maker_id', 'in', makerIds.slice(start, start + IDS_AT_ONCE))
      .returning('identity_id')
      .execute();
    for (const { identity_id } of links) ended.push(identity_id);
  }
  await recordChanges(trx, auditContext, endedLinks(ended));
}
