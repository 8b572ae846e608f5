import { type Caller, OPEN_REPORTS_MAX, ok, type Result } from '@access-admin/domain';
import type { NewReport, ReportStore } from '@access-admin/store';
import type { ApiFailure } from '../../http/problem.ts';
import type { OperationResult } from '../../operations/operation.ts';
import { backlogFull } from '../answers/backlog-full.ts';

export interface StartReportDeps {
  readonly reports: ReportStore;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** 202 only once the report is durably stored. */
export async function startReport(
  { reports, now, newId }: StartReportDeps,
  { clientId, identityId, tenant }: Pick<Caller, 'clientId' | 'identityId' | 'tenant'>,
  request: Omit<NewReport, 'reportId' | 'created' | 'tenant' | 'requestedBy'>,
): Promise<Result<OperationResult, ApiFailure>> {
  const reportId = newId();
  const created = now().toISOString();
  const outcome = await reports.enqueue(
    { ...request, tenant, requestedBy: { clientId, identityId }, reportId, created },
    OPEN_REPORTS_MAX,
  );
  if (outcome === 'backlogFull')
    return backlogFull(`The tenant has ${OPEN_REPORTS_MAX} reports that are not done: wait for one of them.`);
  return ok({ json: { reportId, created }, headers: { location: `/sod-reports/v1/${reportId}` } });
}
