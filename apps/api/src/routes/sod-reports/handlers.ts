import type { scanRequest } from '@access-admin/contract';
import {
  type BlastRadiusRequest,
  fail,
  failure,
  type ListedSodReport,
  ok,
  type ReportLine,
  type ReportPolicy,
  type SodReport,
  type Steps,
  showReportLine,
  showSodReport,
  type TextSteps,
  validateBlastRadius,
} from '@access-admin/domain';
import type { SodReportStore, Store, StoredReport } from '@access-admin/store';
import type { InferOutput } from 'valibot';
import { begun } from '../../event-loop/begun.ts';
import type { Pace } from '../../event-loop/pace.ts';
import { ended } from '../../http/connection.ts';
import type { OperationHandler, OperationHandlers } from '../../operations/operation.ts';
import { answerList, queryOf } from '../answers/list.ts';
import { type DryRunDeps, startSodDryRun } from './dry-run.ts';
import { parseReportQuery, parseViolationQuery } from './queries.ts';
import { type StartReportDeps, startReport } from './start-report.ts';

export interface SodReportDeps extends Omit<DryRunDeps, 'reports' | 'policies'> {
  readonly store: Pick<Store, 'reports' | 'sodPolicies'>;
  readonly baseAddress: string;
}

export function sodReportHandlers({ store, baseAddress, ...given }: SodReportDeps) {
  const { reports } = store;
  const deps = { ...given, reports };
  return {
    'start-sod-scan-v1': startSodScan(deps),
    'start-sod-blast-radius-v1': startSodBlastRadius(deps),
    'start-sod-dry-run-v1': startSodDryRun({ ...deps, policies: store.sodPolicies }),
    'list-sod-reports-v1': listSodReports({ reports, baseAddress }),
    'get-sod-report-v1': getSodReport(reports),
    'list-sod-report-violations-v1': listReportViolations({ ...deps, baseAddress }),
  } satisfies Partial<OperationHandlers>;
}

/** start-sod-scan-v1 */
const startSodScan =
  (deps: StartReportDeps): OperationHandler =>
  ({ caller: { tenant }, body }) => {
    const { at } = body as InferOutput<typeof scanRequest>;
    return startReport(deps, { tenant, kind: 'SCAN', dryRun: null, blastRadius: null, at });
  };

/** start-sod-blast-radius-v1 */
const startSodBlastRadius =
  (deps: StartReportDeps): OperationHandler =>
  async ({ caller: { tenant }, body }) => {
    const blastRadius = body as BlastRadiusRequest;
    const { index } = await deps.reader.read(tenant, blastRadius.id);
    const refused = validateBlastRadius(index, blastRadius);
    if (refused !== null) return fail(refused);
    return startReport(deps, { tenant, kind: 'BLAST_RADIUS', dryRun: null, blastRadius, at: null });
  };

/** get-sod-report-v1 */
const getSodReport =
  (reports: SodReportStore): OperationHandler =>
  async ({ caller: { tenant }, params: { reportId = '' } }) => {
    const report = await reports.find(tenant, reportId);
    if (report === null) return fail(NO_REPORT);
    const shown = showSodReport(report);
    if (report.totals === null) return ok({ json: shown });
    return ok({ text: await joinShort(withSummary(reports, report, shown)) });
  };

/** list-sod-reports-v1 */
const listSodReports =
  ({ reports, baseAddress }: Pick<ListViolationsDeps, 'reports' | 'baseAddress'>): OperationHandler =>
  async (request) => {
    const query = parseReportQuery(queryOf(request));
    if (!query.ok) return query;
    const { tenant } = request.caller;
    return answerList(request, baseAddress, {
      list: async (page) =>
        (await reports.list(tenant, query.value, page)).map(
          (report): ListedSodReport => ({ ...showSodReport(report), summary: report.totals }),
        ),
      count: () => reports.count(tenant, query.value),
    });
  };

const NO_REPORT = failure('NotFound', '', 'There is no such report.');

const CHUNK_LENGTH = 65_536;

/** Policies are read page by page: a report can have as many as the rulebook. */
async function* withSummary(
  reports: SodReportStore,
  report: StoredReport,
  { summary: _, ...shown }: SodReport,
): AsyncGenerator<string> {
  const counts = JSON.stringify(report.totals);
  let text = `${JSON.stringify(shown).slice(0, -1)},"summary":${counts.slice(0, -1)},"byPolicy":[`;
  let separator = '';
  for (let after = -1; ; ) {
    const policies = await reports.listPolicies(report, after);
    for (const { number, ...policy } of policies) {
      text += separator + JSON.stringify(policy);
      separator = ',';
      after = number;
    }
    if (policies.length === 0) break;
    if (text.length < CHUNK_LENGTH) continue;
    yield text;
    text = '';
  }
  yield `${text}]}}`;
}

/** A text of one piece as a string: each piece of an answer waits for a turn of the event loop. */
async function joinShort(pieces: AsyncGenerator<string>): Promise<string | AsyncIterable<string>> {
  const [first, second] = [await pieces.next(), await pieces.next()];
  if (second.done === true) return first.value;
  return (async function* () {
    yield first.value;
    yield second.value;
    yield* pieces;
  })();
}

interface ListViolationsDeps {
  readonly reports: SodReportStore;
  readonly baseAddress: string;
  readonly pace: Pace;
}

/** list-sod-report-violations-v1 */
const listReportViolations =
  ({ reports, baseAddress, pace }: ListViolationsDeps): OperationHandler =>
  async (request) => {
    const query = parseViolationQuery(queryOf(request));
    if (!query.ok) return query;
    const { caller, params, c } = request;
    const left = ended(c);
    const report = await reports.find(caller.tenant, params['reportId'] ?? '');
    if (report === null) return fail(NO_REPORT);
    if (report.state !== 'SUCCESS') return fail(notThere(report));
    return answerList(request, baseAddress, {
      list: (page) => reports.listViolations(report, query.value, page),
      count: () => reports.countViolations(report, query.value),
      write: (rows) => begun(pace.list(pace.begin(caller.tenant, left), toLines(rows)), left),
    });
  };

const notThere = ({ state }: StoredReport) =>
  failure(
    'Conflict',
    '',
    state === 'ERROR'
      ? 'The report ended in ERROR without a result: start another one.'
      : 'The report is not done: read it until its state is SUCCESS.',
  );

function toLines(rows: readonly { readonly policy: ReportPolicy; readonly line: ReportLine }[]): TextSteps {
  const sink = { text: '' };
  const write = function* (): Steps<void> {
    for (const { policy, line } of rows) {
      sink.text += `${JSON.stringify(showReportLine(policy, line))}\n`;
      yield;
    }
  };
  return { sink, steps: write() };
}
