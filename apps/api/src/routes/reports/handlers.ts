import {
  fail,
  failure,
  type ListedSodReport,
  ok,
  type ReportLine,
  type ReportPolicy,
  type SodReport,
  showReportLine,
  showSodReport,
  validateBlastRadius,
} from '@access-admin/domain';
import type { LineCondition, PolicyStore, ReportStore, SodReader, StoredReport } from '@access-admin/store';
import type { Jobs } from '../../event-loop/jobs.ts';
import { requestOrigin } from '../../http/request-origin.ts';
import { Unavailable } from '../../http/unavailable.ts';
import { answerList } from '../../operations/answers.ts';
import type { OperationHandler, OperationHandlers } from '../../operations/operation.ts';
import { startSodDryRun } from './dry-run.ts';
import { startReport } from './start-report.ts';

export interface SodReportParts {
  readonly reports: ReportStore;
  readonly policies: Pick<PolicyStore, 'find'>;
  readonly reader: SodReader;
  readonly jobs: Jobs;
  readonly baseAddress: string;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** The operations on reports. */
export function reportHandlers({ reports, policies, reader, jobs, baseAddress, now, newId }: SodReportParts) {
  const starting = { reports, now, newId };
  return {
    'start-sod-scan-v1': ({ c, caller, body: { at, question } }) =>
      startReport(starting, caller, {
        kind: 'SCAN',
        dryRun: null,
        blastRadius: null,
        at,
        question,
        origin: requestOrigin(c),
      }),
    'start-sod-blast-radius-v1': async ({ c, caller, body: { question, ...blastRadius } }) => {
      const { index } = await reader.read(caller.tenant, blastRadius.id);
      const refused = validateBlastRadius(index, blastRadius);
      if (refused !== null) return fail(refused);
      return startReport(starting, caller, {
        kind: 'BLAST_RADIUS',
        dryRun: null,
        blastRadius,
        at: null,
        question,
        origin: requestOrigin(c),
      });
    },
    'start-sod-dry-run-v1': startSodDryRun({ reports, policies, reader, jobs, now, newId }),
    'list-sod-reports-v1': (request) => {
      const { tenant } = request.caller;
      const { filters } = request.query;
      return answerList(request, baseAddress, {
        list: async (page) => (await reports.list(tenant, filters, page)).map(listedReport),
        count: () => reports.count(tenant, filters),
      });
    },
    'get-sod-report-v1': async ({ caller, params }) => {
      const report = await reports.find(caller.tenant, params.reportId);
      if (report === null) return fail(NO_REPORT);
      const shown = showSodReport(report);
      if (report.totals === null) return ok({ json: shown });
      return ok({ text: { pieces: withSummary(reports, report, shown) } });
    },
    'list-sod-report-violations-v1': listReportViolations(reports, baseAddress),
  } satisfies Partial<OperationHandlers>;
}

const NO_REPORT = failure('NotFound', '', 'There is no such report.');

const listedReport = (report: StoredReport): ListedSodReport => ({ ...showSodReport(report), summary: report.totals });

/** Policies are read page by page: a report can have as many as the rulebook. */
async function* withSummary(
  reports: ReportStore,
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

/** list-sod-report-violations-v1 */
const listReportViolations =
  (reports: ReportStore, baseAddress: string): OperationHandler<'list-sod-report-violations-v1'> =>
  async (request) => {
    const { caller, params } = request;
    const { change, policyId, filters } = request.query;
    const conditions: readonly LineCondition[] = [
      ...filters,
      ...(change === null ? [] : [equal('change', change)]),
      ...(policyId === null ? [] : [equal('policyId', policyId)]),
    ];
    const report = await reports.find(caller.tenant, params.reportId);
    if (report === null) return fail(NO_REPORT);
    if (report.state !== 'SUCCESS') return fail(notThere(report));
    return answerList(request, baseAddress, {
      list: (page) => reports.listViolations(report, conditions, page),
      count: () => reports.countViolations(report, conditions),
      write: toLines,
    });
  };

const equal = (field: LineCondition['field'], value: string): LineCondition => ({
  field,
  operator: 'eq',
  values: [value],
});

const notThere = ({ state }: StoredReport) =>
  failure(
    'Conflict',
    '',
    state === 'ERROR'
      ? 'The report ended in ERROR without a result: start another one.'
      : 'The report is not done: read it until its state is SUCCESS.',
  );

function* toLines(
  rows: readonly { readonly policy: ReportPolicy; readonly line: ReportLine }[],
): Generator<string, void> {
  for (const { policy, line } of rows) yield `${JSON.stringify(showReportLine(policy, line))}\n`;
}
