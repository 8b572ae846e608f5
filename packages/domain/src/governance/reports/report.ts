import type { AccessRef } from '../../access/model/records.ts';
import type { SodPolicy, SodPolicyLevel } from '../../policies/model.ts';
import type { Basis } from '../../predictions/check.ts';
import type { CoveringException, KOfNConflict, TwoSidedConflict } from '../../predictions/violation-context.ts';
import type { ReportedPolicy, SodReportChange } from '../../sod/index.ts';

/**
 * What a report is about: a change of the rulebook, the existing violations, a change of a role or an access profile, or the
 * revocations that end violations.
 */
export const SOD_REPORT_KINDS = ['DRY_RUN', 'SCAN', 'BLAST_RADIUS', 'FIX_PLAN'] as const;
export type SodReportKind = (typeof SOD_REPORT_KINDS)[number];

/** The result of a fix plan. */
export interface FixPlanSummary {
  /** The present violations asked for that no exception covers. */
  readonly violations: number;
  /** How many of them the plan ends. */
  readonly ended: number;
  /** How many of them stay. */
  readonly unsolvable: number;
  /** The number of steps. */
  readonly revocations: number;
  /** The number of identities that lose something. */
  readonly identities: number;
  /** The number of revocations that the best plan needs at least. */
  readonly lowerBound: number;
  /** No plan ends more violations, or as many with fewer revocations. */
  readonly optimal: boolean;
}

/** The states of a report: `PENDING` until a worker claims it, `RUNNING` until its result is stored. */
export const SOD_REPORT_STATES = ['PENDING', 'RUNNING', 'SUCCESS', 'ERROR'] as const;
export type SodReportState = (typeof SOD_REPORT_STATES)[number];

/** The number of violations of each change. */
export type SodReportCounts = Readonly<Record<SodReportChange, number>>;

/** The same, and the number of violations, of whatever change, that an exception covers. */
export interface SodReportTotals extends SodReportCounts {
  readonly excepted: number;
}

/** The result of a report. */
export interface SodReportSummary extends SodReportTotals {
  /** The number of identities evaluated; for a blast radius those that hold the role or the access profile. */
  readonly identities: number;
  /** The policies with any violation, sorted by id. */
  readonly byPolicy: readonly (ReportedPolicy & SodReportTotals)[];
}

/** Who asked for a report, named as at the request. */
export interface SodReportRequester {
  readonly clientId: string;
  /** Null where an application asked. */
  readonly identityId: string | null;
  /** The name of the identity. */
  readonly displayName: string | null;
}

/** The request of a report as it was sent. */
export type SodReportQuestion = Readonly<Record<string, unknown>>;

/** The most bytes of a request that its report keeps. */
export const REPORT_QUESTION_BYTES_MAX = 16 * 1024;

/** A report as answers show it. */
export interface SodReport {
  readonly reportId: string;
  readonly kind: SodReportKind;
  readonly state: SodReportState;
  /** From 0 to 1. */
  readonly progress: number;
  /** ISO 8601 in UTC with milliseconds. */
  readonly created: string;
  readonly requestedBy: SodReportRequester;
  /** Null where it is longer than a report keeps. */
  readonly question: SodReportQuestion | null;
  readonly completed: string | null;
  /** The version of the rulebook and the time of the data; null until the data is read. */
  readonly policySetVersion: Basis['policySetVersion'] | null;
  readonly asOf: Basis['asOf'] | null;
  /** The only instant that a scan evaluates, in UTC; left out where every instant from `asOf` on counts. */
  readonly at?: string;
  /** Null unless the state is `SUCCESS`. Of a fix plan it is another one. */
  readonly summary: SodReportSummary | FixPlanSummary | null;
  /** Why there is no summary; only when the state is `ERROR`. */
  readonly message?: string;
}

/** A report as lists show it: without the counts of each policy. */
export interface ListedSodReport extends Omit<SodReport, 'summary'> {
  readonly summary: Omit<SodReportSummary, 'byPolicy'> | FixPlanSummary | null;
}

/** One violation of a report. */
export interface SodReportViolation {
  readonly change: SodReportChange;
  readonly identityId: string;
  readonly displayName: string | null;
  readonly policyId: string;
  readonly policyName: string;
  readonly level: SodPolicyLevel;
  /** The items that the identity has; for a blast radius those that it would have, `existing` where it has them already. */
  readonly conflictingAccessCriteria: TwoSidedConflict | KOfNConflict;
  /** The exception that covers it, as of the time of the data: it stays a violation. */
  readonly exception: CoveringException | null;
}

/** Changes of the rulebook to be tried out. An id must occur only once among the three lists. */
export interface DryRunRequest {
  readonly add: readonly SodPolicy[];
  readonly change: readonly SodPolicy[];
  /** Ids of policies. */
  readonly remove: readonly string[];
}

/** The most policies of a dry-run, including those to be removed. */
export const DRY_RUN_POLICIES_MAX = 10_000;

/** The kinds of bundle that a blast radius can extend. */
export const BLAST_RADIUS_KINDS = ['role', 'accessProfile'] as const;

/** Asks which violations are new if this role or access profile gains this access. */
export interface BlastRadiusRequest {
  readonly kind: (typeof BLAST_RADIUS_KINDS)[number];
  readonly id: string;
  readonly add: readonly AccessRef[];
}

/** The most unfinished reports of a tenant. */
export const OPEN_REPORTS_MAX = 20;
/** The most finished reports of a tenant that are kept. */
export const REPORTS_KEPT_MAX = 50;
/** How many days a finished report is kept. */
export const REPORT_KEPT_DAYS = 7;
/** A report as it is stored. */
export interface SodReportRecord extends Omit<SodReport, 'summary' | 'message'> {
  readonly message: string | null;
}

/** A report as answers show it, without its summary; its properties in the order of answers. */
export const showSodReport = ({ message, at, ...report }: SodReportRecord): SodReport => ({
  reportId: report.reportId,
  kind: report.kind,
  state: report.state,
  progress: report.progress,
  created: report.created,
  requestedBy: report.requestedBy,
  question: report.question,
  completed: report.completed,
  policySetVersion: report.policySetVersion,
  asOf: report.asOf,
  ...(at === undefined ? {} : { at }),
  ...(message === null ? {} : { message }),
  summary: null,
});
