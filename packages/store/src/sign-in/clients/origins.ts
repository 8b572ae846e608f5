import type { AuditContext } from '@access-admin/domain';
import type { Transaction } from 'kysely';
import { findMakers, recordMakers } from '../../record/ties/makers.ts';
import { recordTiesOfChange } from '../../record/ties/record.ts';
import type { Tables } from '../../schema/tables.ts';

/** Whose secret somebody has learned. */
interface DisclosedClient {
  readonly tenant: string;
  readonly id: string;
  /** The identity that the client acts as; null for an application. */
  readonly identityId: string | null;
}

/**
 * Records that whoever makes a change has learned the secret of a client: it may act as the identity of the client, or as the
 * application. Those of another tenant are not recorded: what they may do here is theirs alone.
 */
export async function recordClientOrigin(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  { tenant, id, identityId }: DisclosedClient,
): Promise<void> {
  if (auditContext.tenant !== tenant) return;
  if (identityId === null) await recordMakers(trx, { tenant, clientId: id }, await findMakers(trx, auditContext));
  else await recordTiesOfChange(trx, auditContext, [identityId]);
}
