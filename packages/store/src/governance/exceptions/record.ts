import {
  type AuditContext,
  type EventType,
  newEvent,
  type SeenException,
  type SodExceptionRecord,
  type SodExceptionState,
  showSodException,
} from '@access-admin/domain';
import type { Transaction } from 'kysely';
import { recordChange } from '../../record/audit/append-event.ts';
import { appendEvents } from '../../record/events/append-events.ts';
import type { Tables } from '../../schema/tables.ts';

interface RecordedChange {
  readonly before: SodExceptionRecord | null;
  readonly after: SeenException;
}

/** Records and tells of the exception with its states before and after, at the time of the request. */
export async function recordException(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  { before, after }: RecordedChange,
): Promise<void> {
  const { tenant, time } = auditContext;
  const shown = showSodException(after.exception, time, after.presentTerms);
  await recordChange(trx, {
    auditContext,
    resource: { type: 'SOD_EXCEPTION', id: shown.id },
    // The terms of a request are not stored: an approval adds them.
    before: before === null ? null : showSodException(before, time),
    after: shown,
  });
  const type = EVENT_OF_STATE[shown.state];
  if (type !== undefined) await appendEvents(trx, tenant, [newEvent(type, shown.id, { time, data: shown })]);
}

/** The event of each state that a request brings about. */
const EVENT_OF_STATE: Readonly<Partial<Record<SodExceptionState, EventType>>> = {
  REQUESTED: 'sod.exception.requested',
  APPROVED: 'sod.exception.approved',
  REVOKED: 'sod.exception.revoked',
};
