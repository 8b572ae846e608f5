import type { REPORTS } from '@access-admin/contract';
import { type Failure, fail, failure, ok, type Result } from '@access-admin/domain';
import type { FixPlanLists, ReportKey, ReportStore, StoredReport } from '@access-admin/store';
import type { RequestContext } from '../../env.ts';
import type { Answer } from '../../http/answer.ts';
import { auditContext } from '../../http/audit-context.ts';
import { Unavailable } from '../../http/unavailable.ts';
import type { Input } from '../../operations/route.ts';
import { streamJson } from '../../streaming/stream-json.ts';
import { NO_REPORT, notThere } from './refusals.ts';

/** Answers a list of a fix plan that is done, one entry a line. */
export async function streamEntries(
  c: RequestContext,
  { tenant, reportId }: ReportKey,
  list: keyof FixPlanLists,
): Promise<Answer> {
  const { reports } = c.env.services.store;
  const plan = await findPlan(reports, { tenant, reportId });
  if (!plan.ok) return plan;
  return streamJson(c, { pieces: linesOf(reports, plan.value, list) }, { 'content-type': 'application/x-ndjson' });
}

/** Publishes a step of a fix plan as an event, so that its receivers carry it out. */
export async function handOverStep(
  c: RequestContext,
  { caller: { tenant }, params: { reportId, step }, body: { comment } }: Input<typeof REPORTS.handOver>,
): Promise<Answer> {
  const { reports } = c.env.services.store;
  const plan = await findPlan(reports, { tenant, reportId });
  if (!plan.ok) return plan;
  const requested = await reports.handOver(auditContext(c), { reportId, step, comment });
  return requested === null ? fail(NO_STEP) : c.json(requested);
}

/** A fix plan that is done. */
async function findPlan(
  reports: Pick<ReportStore, 'find'>,
  { tenant, reportId }: ReportKey,
): Promise<Result<StoredReport, Failure>> {
  const report = await reports.find(tenant, reportId);
  if (report === null) return fail(NO_REPORT);
  if (report.kind !== 'FIX_PLAN') return fail(NO_PLAN);
  return report.state === 'SUCCESS' ? ok(report) : fail(notThere(report));
}

const NO_PLAN = failure('NotFound', '', 'The report is no fix plan: read its violations.');
const NO_STEP = failure('NotFound', '', 'The fix plan has no such step.');

async function* linesOf(
  reports: Pick<ReportStore, 'entries' | 'find'>,
  report: ReportKey,
  list: keyof FixPlanLists,
): AsyncGenerator<string> {
  for await (const entries of reports.entries(report, list))
    yield entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  // A report that has been removed meanwhile has lost entries between two pages.
  if ((await reports.find(report.tenant, report.reportId)) === null)
    throw new Unavailable('ReportRemoved', 'A report was removed while it was sent.');
}
