import { type AuditContext, newEvent, type RequestedFix } from '@access-admin/domain';
import type { Database } from '../../engine/database.ts';
import { changeScope } from '../../engine/scope.ts';
import { recordChange } from '../../record/audit/append-event.ts';
import { appendEvents } from '../../record/events/append-events.ts';
import { markHandedOver, readStep } from './entries.ts';
import type { HandOver } from './report.ts';

/** Tells of a step of a fix plan by an event, records that, and marks the step; null where the plan has no such step. */
export function handOverStep(
  database: Database,
  auditContext: AuditContext,
  { reportId, step, comment }: HandOver,
): Promise<RequestedFix | null> {
  const { tenant, time } = auditContext;
  return database.write(changeScope(auditContext), async (trx) => {
    const found = await readStep(trx, { tenant, reportId }, step);
    if (found === null) return null;
    const { handedOver, ...handed } = found;
    const requested: RequestedFix = { reportId, comment, ...handed };
    await markHandedOver(trx, { tenant, reportId }, { ...handed, handedOver: time });
    await recordChange(trx, {
      auditContext,
      resource: { type: 'SOD_REPORT', id: reportId },
      before: { handedOver: null, comment: null },
      after: { handedOver: step, comment },
    });
    await appendEvents(trx, tenant, [newEvent('sod.fix.requested', reportId, { time, data: requested })]);
    return requested;
  });
}
