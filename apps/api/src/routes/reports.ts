import { REPORTS } from '@access-admin/contract';
import {
  fail,
  failure,
  type ListedSodReport,
  type ReportLine,
  type ReportPolicy,
  type SodReport,
  showReportLine,
  showSodReport,
  validateBlastRadius,
} from '@access-admin/domain';
import type { LineCondition, ReportStore, StoredReport } from '@access-admin/store';
import { Hono } from 'hono';
import type { ApiEnv, RequestContext } from '../env.ts';
import type { Answer } from '../http/answer.ts';
import { Unavailable } from '../http/unavailable.ts';
import { type Input, route } from '../operations/route.ts';
import { streamJson } from '../streaming/stream-json.ts';
import { answerList } from './answers/list.ts';
import { startDryRun } from './reports/dry-run.ts';
import { startFixPlan } from './reports/fix-plan.ts';
import { handOverStep, streamEntries } from './reports/fix-plan-entries.ts';
import { NO_REPORT, notThere } from './reports/refusals.ts';
import { startReport } from './reports/start-report.ts';

/** Reports of violations. */
export const reports = () =>
  new Hono<ApiEnv>()
    .on(...route(REPORTS.startScan, (c, { body }) => startReport(c, { kind: 'SCAN', ...body })))
    .on(
      ...route(REPORTS.startBlastRadius, async (c, { caller, body: { question, ...blastRadius } }) => {
        const { index } = await c.env.services.reader.read(caller.tenant, blastRadius.id);
        const refused = validateBlastRadius(index, blastRadius);
        return refused === null ? startReport(c, { kind: 'BLAST_RADIUS', blastRadius, question }) : fail(refused);
      }),
    )
    .on(...route(REPORTS.startDryRun, startDryRun))
    .on(...route(REPORTS.startFixPlan, startFixPlan))
    .on(
      ...route(REPORTS.list, (c, { caller: { tenant }, query: { filters, page } }) => {
        const { reports } = c.env.services.store;
        return answerList(c, page, {
          list: async (rows) => (await reports.list(tenant, filters, rows)).map(listedReport),
          count: () => reports.count(tenant, filters),
        });
      }),
    )
    .on(
      ...route(REPORTS.get, async (c, { caller, params }) => {
        const { reports } = c.env.services.store;
        const report = await reports.find(caller.tenant, params.reportId);
        if (report === null) return fail(NO_REPORT);
        const shown = showSodReport(report);
        return report.totals === null
          ? c.json({ ...shown, summary: report.fixPlan })
          : streamJson(c, { pieces: withSummary(reports, report, shown) });
      }),
    )
    .on(...route(REPORTS.violations, listReportViolations))
    .on(...route(REPORTS.steps, (c, { caller, params }) => streamEntries(c, { ...caller, ...params }, 'STEP')))
    .on(...route(REPORTS.handOver, handOverStep))
    .on(
      ...route(REPORTS.unsolvable, (c, { caller, params }) => streamEntries(c, { ...caller, ...params }, 'UNSOLVABLE')),
    );

const listedReport = (report: StoredReport): ListedSodReport => ({
  ...showSodReport(report),
  summary: report.totals ?? report.fixPlan,
});

/**
 * Writes `{…report, "summary": {…totals, "byPolicy": […]}}`. Policies are read page by page: a report can have as many as the
 * rulebook.
 */
async function* withSummary(
  reports: Pick<ReportStore, 'policies' | 'find'>,
  report: StoredReport,
  { summary: _, ...shown }: SodReport,
): AsyncGenerator<string> {
  const counts = JSON.stringify(report.totals);
  yield `${JSON.stringify(shown).slice(0, -1)},"summary":${counts.slice(0, -1)},"byPolicy":[`;
  let separator = '';
  for await (const policies of reports.policies(report)) {
    yield separator + policies.map((policy) => JSON.stringify(policy)).join();
    separator = ',';
  }
  // A report that has been removed meanwhile has lost policies between two pages.
  if ((await reports.find(report.tenant, report.reportId)) === null)
    throw new Unavailable('ReportRemoved', 'A report was removed while it was sent.');
  yield ']}}';
}

async function listReportViolations(
  c: RequestContext,
  { caller, params, query }: Input<typeof REPORTS.violations>,
): Promise<Answer> {
  const { reports } = c.env.services.store;
  const { change, policyId, filters, page } = query;
  const conditions: readonly LineCondition[] = [
    ...filters,
    ...(change === null ? [] : [equal('change', change)]),
    ...(policyId === null ? [] : [equal('policyId', policyId)]),
  ];
  const report = await reports.find(caller.tenant, params.reportId);
  if (report === null) return fail(NO_REPORT);
  if (report.kind === 'FIX_PLAN') return fail(HAS_STEPS);
  if (report.state !== 'SUCCESS') return fail(notThere(report));
  return answerList(c, page, {
    list: (rows) => reports.listViolations(report, conditions, rows),
    count: () => reports.countViolations(report, conditions),
    write: toLines,
    mediaType: 'application/x-ndjson',
  });
}

const equal = (field: LineCondition['field'], value: string): LineCondition => ({
  field,
  operator: 'eq',
  values: [value],
});

const HAS_STEPS = failure('NotFound', '', 'The report is a fix plan: read its steps and what they leave.');

function* toLines(
  rows: readonly { readonly policy: ReportPolicy; readonly line: ReportLine }[],
): Generator<string, void> {
  for (const { policy, line } of rows) yield `${JSON.stringify(showReportLine(policy, line))}\n`;
}
