import { hash } from 'node:crypto';
import {
  type AuditContext,
  type AuditHead,
  changesBetween,
  type NewAuditEvent,
  type ResourceChange,
  type SealedAuditEvent,
  sealAuditEvent,
} from '@access-admin/domain';
import { sql, type Transaction } from 'kysely';
import { createPauses } from '../../engine/concurrency/pauses.ts';
import { openInserts } from '../../query/insert.ts';
import type { AuditEventRow, Tables } from '../../schema/tables.ts';
import { packChanges } from './changes-codec.ts';

/** A change to be recorded. */
interface Recorded {
  readonly auditContext: AuditContext;
  readonly resource: NewAuditEvent['resource'];
  /** Null for a created resource. */
  readonly before: object | null;
  /** Null for a deleted resource. */
  readonly after: object | null;
  /** The ids of other resources that the event is found by. */
  readonly members?: readonly string[];
}

/** Records a change within its transaction. Records nothing when nothing differs. */
export const recordChange = (
  trx: Transaction<Tables>,
  { auditContext, resource, before, after, members = [] }: Recorded,
): Promise<void> => recordChanges(trx, auditContext, [{ resource, changes: changesBetween(before, after), members }]);

/** Records what a request changed within its transaction, as one event each. A change without differences is left out. */
export const recordChanges = (
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  changes: Iterable<ResourceChange>,
): Promise<void> => appendAuditEvents(trx, auditContext.tenant, eventsOf(auditContext, changes));

function* eventsOf(auditContext: AuditContext, all: Iterable<ResourceChange>): Generator<AppendedEvent> {
  for (const { resource, changes, members = [] } of all)
    if (changes.length > 0) yield { event: { ...auditContext, resource, outcome: 'ALLOWED', changes }, members };
}

interface AppendedEvent {
  readonly event: NewAuditEvent;
  /** The ids of resources that the event is found by, besides its own. */
  readonly members: readonly string[];
}

/** Appends events to the log of a tenant, in bounded pieces. Other appends to this log wait until the transaction ends. */
export async function appendAuditEvents(
  trx: Transaction<Tables>,
  tenant: string,
  events: Iterable<AppendedEvent>,
): Promise<void> {
  await using inserts = openInserts(trx);
  const eventRows = inserts.createWriter({ table: 'audit_event', onConflict: () => sql`` });
  const memberRows = inserts.createWriter({ table: 'audit_event_member', onConflict: () => sql`` });
  const pause = createPauses();
  let head: AuditHead | null = null;
  for (const { event, members } of events) {
    const sealed: SealedAuditEvent = sealAuditEvent(event, head ?? (await lockHead(trx, tenant)), sha256);
    head = sealed.event;
    const row = eventToRow(sealed);
    if (eventRows.add(row, row.changes.length)) await eventRows.flush();
    for (const member of members)
      if (memberRows.add({ tenant, resource_id: member, sequence: sealed.event.sequence })) await memberRows.flush();
    await pause();
  }
  if (head === null) return;
  await eventRows.flush();
  await memberRows.flush();
  await inserts.end();
  const { sequence, hash } = head;
  await trx.updateTable('audit_head').set({ sequence, hash }).where('tenant', '=', tenant).execute();
}

/** Locks and reads the end of a log. A new log begins with its head and the cursor of its stream. */
async function lockHead(trx: Transaction<Tables>, tenant: string): Promise<AuditHead> {
  const head = await trx
    .insertInto('audit_head')
    .values({ tenant, sequence: 0, hash: null, first_sequence: 1, first_previous_hash: null })
    .onConflict((conflict) =>
      conflict.column('tenant').doUpdateSet((eb) => ({ sequence: eb.ref('audit_head.sequence') })),
    )
    .returning(['sequence', 'hash'])
    .executeTakeFirstOrThrow();
  if (head.sequence === 0)
    await trx.insertInto('audit_stream').values({ tenant, sequence: 0, fence: 0, claimable_at_ms: 0 }).execute();
  return head;
}

const sha256 = (text: string): string => hash('sha256', text);

const eventToRow = ({ event, changesText }: SealedAuditEvent): AuditEventRow => ({
  tenant: event.tenant,
  sequence: event.sequence,
  time: event.time,
  client_id: event.actor.clientId,
  identity_id: event.actor.identityId,
  operation: event.operation,
  resource_type: event.resource.type,
  resource_id: event.resource.id,
  outcome: event.outcome,
  changes: packChanges({ event, changesText }),
  tracking_id: event.trackingId,
  previous_hash: event.previousHash,
  hash: event.hash,
  erased: null,
});
