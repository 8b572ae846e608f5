import type { AuditContext, NewEvent, SignInEnds } from '@access-admin/domain';
import type { Transaction } from 'kysely';
import { inParts } from '../engine/concurrency/in-parts.ts';
import type { Tables } from '../schema/tables.ts';
import { removeClientsOf } from './clients/remove-of-identities.ts';
import { endLinksMadeBy } from './end-links-made-by.ts';
import { endSignIns } from './end-sign-ins.ts';

// Keeps statements well below the limit of parameters.
const IDS_AT_ONCE = 500;

/**
 * Ends sign-ins of identities, and what those that are deleted or no longer active do by others: clients that act as them,
 * sign-in links that they have made, and webhooks that tell what they may read. Call it once their rows are written: none may
 * come back with an identity that is created later with the same id. Returns the events to append.
 */
export async function endSignInsAndActs(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  { deleted = [], ...ends }: SignInEnds & { readonly deleted?: readonly string[] },
): Promise<readonly NewEvent[]> {
  await endSignIns(trx, auditContext, ends);
  return endActsOf(trx, auditContext, [...deleted, ...ends.deactivated]);
}

async function endActsOf(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  identityIds: readonly string[],
): Promise<readonly NewEvent[]> {
  if (identityIds.length === 0) return [];
  await endLinksMadeBy(trx, auditContext, identityIds);
  await takeScopesOfWebhooks(trx, auditContext, identityIds);
  return removeClientsOf(trx, auditContext, identityIds);
}

/** Without a scope nothing is told, and the worker disables the webhook. */
async function takeScopesOfWebhooks(
  trx: Transaction<Tables>,
  { tenant }: AuditContext,
  identityIds: readonly string[],
): Promise<void> {
  for (const some of inParts(identityIds, IDS_AT_ONCE))
    await trx
      .updateTable('webhook')
      .set({ scopes: '[]' })
      .where('tenant', '=', tenant)
      .where('identity_id', 'in', some)
      .execute();
}
