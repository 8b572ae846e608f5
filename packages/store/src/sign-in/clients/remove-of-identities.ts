import { type AuditContext, changesBetween, type NewEvent, newEvent } from '@access-admin/domain';
import type { Transaction } from 'kysely';
import { inParts } from '../../engine/concurrency/in-parts.ts';
import { createPauses } from '../../engine/concurrency/pauses.ts';
import { recordChanges } from '../../record/audit/append-event.ts';
import type { Tables } from '../../schema/tables.ts';
import { deleteTokensOfClients } from './bearer-tokens.ts';
import { type Client, showClient, showUsedClient } from './client.ts';
import { rowToClient } from './codec.ts';

// Keeps statements well below the limit of parameters.
const IDS_AT_ONCE = 500;

/**
 * Deletes and records the clients that act as identities that are deleted or no longer active, in the transaction of that: an
 * identity that is created later with the same id must not revive them. Returns the events to append.
 */
export async function removeClientsOf(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  identityIds: readonly string[],
): Promise<readonly NewEvent[]> {
  const { tenant, time } = auditContext;
  const pause = createPauses();
  const removed: Client[] = [];
  for (const some of inParts(identityIds, IDS_AT_ONCE)) {
    const rows = await trx
      .deleteFrom('oauth_client')
      .where('tenant', '=', tenant)
      .where('identity_id', 'in', some)
      .returningAll()
      .execute();
    removed.push(...rows.map(rowToClient));
    await deleteTokensOfClients(
      trx,
      tenant,
      rows.map(({ id }) => id),
    );
    await pause();
  }
  removed.sort((one, other) => (one.id < other.id ? -1 : 1));
  await recordChanges(
    trx,
    auditContext,
    removed.map((client) => ({
      resource: { type: 'OAUTH_CLIENT', id: client.id },
      changes: changesBetween(showClient(client), null),
      members: client.identityId === null ? [] : [client.identityId],
    })),
  );
  return removed.map((client) => newEvent('oauth-client.deleted', client.id, { time, data: showUsedClient(client) }));
}
