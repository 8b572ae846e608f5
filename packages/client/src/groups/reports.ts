import type {
  AccessRef,
  BlastRadiusRequest,
  FixPlanRequest,
  FixPlanSummary,
  FixStep,
  ListedSodReport,
  RequestedFix,
  SodReport,
  SodReportChange,
  SodReportSummary,
  SodReportViolation,
  StartedSodReport,
  UnsolvableViolation,
} from '@access-admin/contract';
import { openDeadline } from '../http/deadline.ts';
import { jsonBody } from '../http/json-body.ts';
import { iterateItems, type Page, type PageOptions, readLinesPage, readPage } from '../http/list.ts';
import { parseNdjson } from '../http/ndjson.ts';
import type { Runtime } from '../http/runtime.ts';
import type { CallOptions, Transport } from '../http/transport.ts';
import { resourcePath } from '../http/url.ts';
import type { SodPolicyInput } from './access-model-record.ts';
import type { NewSodPolicy } from './policies.ts';
import type { WaitOptions } from './wait-for-check.ts';

/** Changes of SOD policies whose effect is to be reported: at most 10,000 policies, each id once. */
export interface DryRun {
  readonly add?: readonly NewSodPolicy[];
  /** Replacements of existing policies. */
  readonly change?: readonly SodPolicyInput[];
  /** Ids of existing policies. */
  readonly remove?: readonly string[];
}

/** Access that a role or an access profile would gain: at most 500 access items. */
export interface BlastRadius extends Omit<BlastRadiusRequest, 'add'> {
  readonly add: readonly AccessRef[];
}

/** The violations to end and what is not to be lost: all present violations, and the last holder of each entitlement, if left out. */
export type FixPlanOptions = Partial<FixPlanRequest>;

/** A report in its final state. In state `ERROR` there is no summary, and `message` says why. */
export type FinishedSodReport = SodReport & { readonly completed: string } & (
    | { readonly state: 'SUCCESS'; readonly summary: SodReportSummary | FixPlanSummary }
    | { readonly state: 'ERROR'; readonly summary: null }
  );

/** Filters of the violations of a report: all if left out. */
export interface ReportViolationOptions extends CallOptions {
  readonly change?: SodReportChange | undefined;
  readonly policyId?: string | undefined;
  /**
   * Such as `identityId eq "i-1" and excepted eq "false"`, also of `policyId` and `level`, best written with `filter`.
   */
  readonly filters?: string | undefined;
}

/** The instant of a scan. */
export interface ScanOptions extends CallOptions {
  /** ISO 8601 with an offset: only this instant counts. Every instant from now on if left out. */
  readonly at?: string | undefined;
}

/** Filters of the list of reports. */
export interface SodReportListOptions extends CallOptions {
  /** Such as `kind eq "SCAN" and state in ("PENDING", "RUNNING")`, best written with `filter`; all if left out. */
  readonly filters?: string | undefined;
}

/** Reports over all identities, made in the background. They change neither policies nor access. */
export interface SodReports {
  /** Starts a report of the violations that changes of policies would add and remove (start-sod-dry-run-v1). */
  dryRun(changes: DryRun, options?: CallOptions): Promise<StartedSodReport>;
  /** Starts a report of all violations (start-sod-scan-v1). */
  scan(options?: ScanOptions): Promise<StartedSodReport>;
  /**
   * Starts a report of the violations that would be new if a role or an access profile gained access
   * (start-sod-blast-radius-v1).
   */
  blastRadius(gain: BlastRadius, options?: CallOptions): Promise<StartedSodReport>;
  /** Starts a plan of the fewest revocations that end violations (start-sod-fix-plan-v1). */
  fixPlan(request?: FixPlanOptions, options?: CallOptions): Promise<StartedSodReport>;
  /** Iterates over the steps of a fix plan that is done, by identity id (list-sod-fix-steps-v1). */
  steps(reportId: string, options?: CallOptions): AsyncIterable<FixStep>;
  /** Iterates over the violations that a fix plan leaves, with the reasons (list-sod-unsolvable-violations-v1). */
  unsolvable(reportId: string, options?: CallOptions): AsyncIterable<UnsolvableViolation>;
  /** Hands a step of a fix plan over to another system, by the event `sod.fix.requested` (hand-over-sod-fix-step-v1). */
  handOver(
    reportId: string,
    step: number,
    options?: CallOptions & { readonly comment?: string | undefined },
  ): Promise<RequestedFix>;
  /** Iterates over the reports that meet the filters, the newest first, without `byPolicy` (list-sod-reports-v1). */
  list(options?: SodReportListOptions): AsyncIterable<ListedSodReport>;
  /** Reads one page of the list. */
  page(options?: SodReportListOptions & PageOptions): Promise<Page<ListedSodReport>>;
  /** Reads a report in any state (get-sod-report-v1). */
  get(reportId: string, options?: CallOptions): Promise<SodReport>;
  /** Resolves once the report is done; rejects with a `TimeoutError` after 10 minutes, or after `timeoutMs`. */
  waitFor(reportId: string, options?: WaitOptions): Promise<FinishedSodReport>;
  /**
   * Iterates over the violations of a report that is done, by policy id, then identity id
   * (list-sod-report-violations-v1).
   */
  violations(reportId: string, options?: ReportViolationOptions): AsyncIterable<SodReportViolation>;
  /** Reads one page of the violations. */
  violationsPage(reportId: string, options?: ReportViolationOptions & PageOptions): Promise<Page<SodReportViolation>>;
}

const GROUP = '/sod-reports/v1';

/** Builds the operations on reports. */
export function createSodReports(transport: Transport, runtime: Runtime): SodReports {
  const start = async (path: string, body: object, options: CallOptions | undefined) => {
    const content = jsonBody(body);
    return (await transport.call<StartedSodReport>({ method: 'POST', path, body: content, options })).value;
  };
  const stream = (reportId: string, list: 'steps' | 'unsolvable', options: CallOptions | undefined) =>
    transport.stream({
      method: 'GET',
      path: `${resourcePath(GROUP, reportId)}/${list}`,
      headers: { accept: 'application/x-ndjson' },
      options,
    });
  const get: SodReports['get'] = async (reportId, options) =>
    (await transport.call<SodReport>({ method: 'GET', path: resourcePath(GROUP, reportId), options })).value;
  const page: SodReports['page'] = (options) =>
    readPage(transport, { path: GROUP, query: { filters: options?.filters } }, options);
  const violationsPage: SodReports['violationsPage'] = (reportId, options) => {
    const { change, policyId, filters } = options ?? {};
    const path = `${resourcePath(GROUP, reportId)}/violations`;
    return readLinesPage(transport, { path, query: { change, policyId, filters } }, options);
  };
  return {
    dryRun: (changes, options) => start('/sod-policies/v1/dry-run', changes, options),
    scan: (options) => start('/sod-violations/v1/scan', options?.at === undefined ? {} : { at: options.at }, options),
    blastRadius: (gain, options) => start('/sod-violations/v1/blast-radius', gain, options),
    fixPlan: (request = {}, options = undefined) => start('/sod-violations/v1/fix-plan', request, options),
    steps: (reportId, options) => parseNdjson(stream(reportId, 'steps', options)),
    unsolvable: (reportId, options) => parseNdjson(stream(reportId, 'unsolvable', options)),
    async handOver(reportId, step, { comment, ...options } = {}) {
      const path = `${resourcePath(GROUP, reportId)}/steps/${step}/hand-over`;
      const body = jsonBody(comment === undefined ? {} : { comment });
      return (await transport.call<RequestedFix>({ method: 'POST', path, body, options })).value;
    },
    list: (options) => iterateItems((part) => page({ ...options, ...part })),
    page,
    get,
    waitFor: (reportId, options) =>
      waitForReport(reportId, (signal) => get(reportId, { signal }), { runtime, options }),
    violations: (reportId, options) => iterateItems((part) => violationsPage(reportId, { ...options, ...part })),
    violationsPage,
  };
}

const TIMEOUT_MS = 600_000;
const PAUSE_FIRST_MS = 100;
const PAUSE_MAX_MS = 2_000;

async function waitForReport(
  reportId: string,
  read: (signal: AbortSignal) => Promise<SodReport>,
  { runtime, options }: { readonly runtime: Runtime; readonly options: WaitOptions | undefined },
): Promise<FinishedSodReport> {
  const { timeoutMs = TIMEOUT_MS, signal } = options ?? {};
  const deadline = openDeadline({ timeoutMs, signal }, `Report ${reportId}`, runtime);
  try {
    for (let pauseMs = PAUSE_FIRST_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS)) {
      const report = await read(deadline.signal);
      if (isFinished(report)) return report;
      await runtime.sleep(pauseMs, deadline.signal);
    }
  } finally {
    deadline.close();
  }
}

const isFinished = (report: SodReport): report is FinishedSodReport => report.completed !== null;
