import { hash } from 'node:crypto';
import {
  type AuditContext,
  type AuditEvent,
  canonicalJson,
  ERASED_FIELD,
  ERASURE_OPERATION,
  type ErasedEntry,
  eraseAuditEvent,
  hashedText,
  type Pseudonym,
} from '@access-admin/domain';
import type { Transaction } from 'kysely';
import { appendAuditEvents } from '../record/audit/append-event.ts';
import { packChanges } from '../record/audit/changes-codec.ts';
import { rowToEvent } from '../record/audit/event-codec.ts';
import type { AuditEventRow, Tables } from '../schema/tables.ts';

export interface LogErasure {
  /** The request of the erasure, and the time of this event. */
  readonly auditContext: AuditContext;
  readonly who: Pseudonym;
  readonly sequences: readonly number[];
}

/** Erases a person from entries of the audit log, and appends an event with the hashes of their present content. */
export async function eraseFromLog(
  trx: Transaction<Tables>,
  { auditContext, who, sequences }: LogErasure,
): Promise<void> {
  const { tenant } = auditContext;
  const rows = await trx
    .selectFrom('audit_event')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('sequence', 'in', sequences)
    .orderBy('sequence')
    .execute();
  const entries: ErasedEntry[] = [];
  for (const row of rows) {
    const erased = eraseAuditEvent(rowToEvent(row), who, sha256);
    if (erased === null) continue;
    await storeErased(trx, tenant, erased);
    entries.push({ sequence: erased.sequence, hash: sha256(hashedText(erased)) });
  }
  const naming = rows.filter(hasPersonsAsMembers).map(({ sequence }) => sequence);
  if (naming.length > 0)
    await trx
      .updateTable('audit_event_member')
      .set({ resource_id: who.pseudonym })
      .where('tenant', '=', tenant)
      .where('resource_id', '=', who.id)
      .where('sequence', 'in', naming)
      .execute();
  if (entries.length === 0) return;
  const event = {
    ...auditContext,
    operation: ERASURE_OPERATION,
    resource: { type: 'IDENTITY', id: who.pseudonym },
    outcome: 'ALLOWED',
    changes: [{ field: ERASED_FIELD, before: null, after: entries }],
  } as const;
  await appendAuditEvents(trx, tenant, [{ event, members: [] }]);
}

/** The members of an event about several are of its type; those of an event about one thing, such as a session, are persons. */
const hasPersonsAsMembers = ({ resource_id: id, resource_type: type }: AuditEventRow): boolean =>
  id !== null || type === 'IDENTITY' || type === 'AUTH_USER';

const storeErased = (trx: Transaction<Tables>, tenant: string, event: AuditEvent) =>
  trx
    .updateTable('audit_event')
    .set({
      identity_id: event.actor.identityId,
      resource_id: event.resource.id,
      changes: packChanges({ event, changesText: canonicalJson(event.changes) }),
      erased: JSON.stringify(event.erased),
    })
    .where('tenant', '=', tenant)
    .where('sequence', '=', event.sequence)
    .execute();

const sha256 = (text: string): string => hash('sha256', text);
