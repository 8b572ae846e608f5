import {
  type AuditContext,
  type EventType,
  newEvent,
  type SeenException,
  type SodException,
  type SodExceptionRecord,
  type SodExceptionState,
  showSodException,
} from '@access-admin/domain';
import type { Transaction } from 'kysely';
import { recordChange } from '../../record/audit/append-event.ts';
import { appendEvents } from '../../record/events/append-events.ts';
import { appendMails, type NewMail } from '../../record/mail/append.ts';
import type { Tables } from '../../schema/tables.ts';

interface RecordedChange {
  readonly before: SodExceptionRecord | null;
  readonly after: SeenException;
  readonly isMailed: boolean;
}

/** Records and tells of the exception with its states before and after, at the time of the request. */
export async function recordException(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  { before, after, isMailed }: RecordedChange,
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
  if (isMailed) await appendMails(trx, auditContext, mailsOf(shown, auditContext.actor.identityId));
  const type = EVENT_OF_STATE[shown.state];
  if (type !== undefined) await appendEvents(trx, tenant, [newEvent(type, shown.id, { time, data: shown })]);
}

/** A request is mailed to those that may approve it, a decision to the requester, unless that has made it. */
function mailsOf({ id, state, requesterId, decisions }: SodException, actorId: string | null): readonly NewMail[] {
  if (state === 'REQUESTED') return [{ kind: 'exception-requested', recipientId: null, data: { exceptionId: id } }];
  const data = { exceptionId: id, decisions: decisions.length };
  return requesterId === actorId ? [] : [{ kind: 'exception-decided', recipientId: requesterId, data }];
}

/** The event of each state that a request brings about. */
const EVENT_OF_STATE: Readonly<Partial<Record<SodExceptionState, EventType>>> = {
  REQUESTED: 'sod.exception.requested',
  APPROVED: 'sod.exception.approved',
  REVOKED: 'sod.exception.revoked',
};
