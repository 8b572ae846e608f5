import { createHash } from 'node:crypto';
import {
  type AuditContext,
  type AuditEvent,
  changesBetween,
  type NewAuditEvent,
  sealAuditEvent,
} from '@access-admin/domain';
import type { Transaction } from 'kysely';
import type { AuditEventRow, Tables } from '../schema/tables.ts';

/** A change to be recorded. */
interface Recorded {
  readonly auditContext: AuditContext;
  readonly resource: NewAuditEvent['resource'];
  /** Null for a created resource. */
  readonly before: object | null;
  /** Null for a deleted resource. */
  readonly after: object | null;
}

/** Records a change within its transaction. Records nothing when nothing differs. */
export async function recordChange(
  trx: Transaction<Tables>,
  { auditContext, resource, before, after }: Recorded,
): Promise<void> {
  const changes = changesBetween(before, after);
  if (changes.length > 0) await appendAuditEvent(trx, { ...auditContext, resource, outcome: 'ALLOWED', changes });
}

/** Appends an event to the log of its tenant. Other appends to this log wait until the transaction ends. */
export async function appendAuditEvent(trx: Transaction<Tables>, event: NewAuditEvent): Promise<void> {
  const { tenant } = event;
  const { sequence, hash } = await trx
    .insertInto('audit_head')
    .values({ tenant, sequence: 1, hash: null })
    .onConflict((conflict) =>
      conflict.column('tenant').doUpdateSet((eb) => ({ sequence: eb('audit_head.sequence', '+', 1) })),
    )
    .returning(['sequence', 'hash'])
    .executeTakeFirstOrThrow();
  const sealed = sealAuditEvent(event, { sequence: sequence - 1, hash }, sha256);
  await trx.insertInto('audit_event').values(eventToRow(sealed)).execute();
  await trx.updateTable('audit_head').set({ hash: sealed.hash }).where('tenant', '=', tenant).execute();
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const eventToRow = (event: AuditEvent): AuditEventRow => ({
  tenant: event.tenant,
  sequence: event.sequence,
  time: event.time,
  client_id: event.actor.clientId,
  identity_id: event.actor.identityId,
  operation: event.operation,
  resource_type: event.resource.type,
  resource_id: event.resource.id,
  outcome: event.outcome,
  changes: JSON.stringify(event.changes),
  tracking_id: event.trackingId,
  previous_hash: event.previousHash,
  hash: event.hash,
});
