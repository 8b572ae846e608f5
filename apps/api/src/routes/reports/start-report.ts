import { OPEN_REPORTS_MAX } from '@access-admin/domain';
import type { NewReport } from '@access-admin/store';
import type { RequestContext } from '../../env.ts';
import type { Answer } from '../../http/answer.ts';
import { callerOf } from '../../http/caller.ts';
import { requestOrigin } from '../../http/request-origin.ts';
import { backlogFull } from '../answers/backlog-full.ts';

/** What a report is of. */
export type ReportSubject = Pick<NewReport, 'kind' | 'question'> &
  Partial<Pick<NewReport, 'dryRun' | 'blastRadius' | 'at' | 'fixPlan'>>;

/** Answers 202 once the report is durably stored. */
export async function startReport(c: RequestContext, subject: ReportSubject): Promise<Answer> {
  const { store, system } = c.env.services;
  const { clientId, identityId, tenant } = callerOf(c);
  const reportId = system.newId();
  const created = system.now().toISOString();
  const report: NewReport = {
    dryRun: null,
    blastRadius: null,
    at: null,
    ...subject,
    origin: requestOrigin(c),
    tenant,
    requestedBy: { clientId, identityId },
    reportId,
    created,
  };
  const outcome = await store.reports.enqueue(report, OPEN_REPORTS_MAX);
  return outcome === 'backlogFull'
    ? backlogFull(`The tenant has ${OPEN_REPORTS_MAX} reports that are not done: wait for one of them.`)
    : c.json({ reportId, created }, 202, { location: `/sod-reports/v1/${reportId}` });
}
