import type {
  AccessRef,
  AuditContext,
  BlastRadiusRequest,
  DryRunRequest,
  FixPlanRequest,
  FixPlanSummary,
  FixStep,
  ReportedPolicy,
  ReportLine,
  ReportPolicy,
  RequestedFix,
  SodPolicyLevel,
  SodReport,
  SodReportCounts,
  SodReportKind,
  SodReportQuestion,
  SodReportRequester,
  SodReportTotals,
  UnsolvableViolation,
} from '@access-admin/domain';
import type { Backlog } from '../../query/backlog.ts';
import type { Condition } from '../../query/filter.ts';
import type { RequestOrigin } from '../../query/origin.ts';
import type { Page } from '../../query/page.ts';
import type { ClaimTime } from '../../queue/leased-table.ts';
import type { Release } from '../../queue/queue.ts';
import type { DataVersion, ReportSource } from './source.ts';

/** A report to be made. */
export interface NewReport {
  readonly tenant: string;
  readonly reportId: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly created: string;
  readonly kind: SodReportKind;
  /** The changes that a dry-run tries; null for the other kinds. */
  readonly dryRun: DryRunRequest | null;
  /** The question of a blast radius; null for the other kinds. */
  readonly blastRadius: BlastRadiusRequest | null;
  /** The only instant that a scan evaluates, ISO 8601 in UTC; null for every instant from now on, and for the other kinds. */
  readonly at: string | null;
  /** The question of a fix plan; left out for the other kinds. */
  readonly fixPlan?: FixPlanRequest | null;
  /** Who asks. The name is that of the identity at present. */
  readonly requestedBy: Omit<SodReportRequester, 'displayName'>;
  /** Null where it is too long to be kept. */
  readonly question: SodReportQuestion | null;
  /** Left out where no request has made it. */
  readonly origin?: RequestOrigin | null;
}

export interface ReportKey {
  readonly tenant: string;
  readonly reportId: string;
}

/** A claim of a report; its fence is higher than that of every earlier claim. */
export interface ReportClaim extends ReportKey {
  readonly fence: number;
}

/** The totals of a report over all policies. */
export interface ReportTotals extends SodReportTotals {
  readonly identities: number;
}

/** A report as it is stored. */
export interface StoredReport extends Omit<SodReport, 'summary' | 'message'>, ReportKey {
  /** Null unless the state is `SUCCESS`, and of a fix plan. */
  readonly totals: ReportTotals | null;
  /** The summary of a fix plan that is done; null for the other kinds. */
  readonly fixPlan: FixPlanSummary | null;
  readonly message: string | null;
}

/** A policy with the counts of its violations. */
export interface CountedPolicy extends ReportedPolicy, SodReportTotals {}

/** Counts of violations, and of those among them that an exception covers. */
export interface CountedViolations extends SodReportCounts {
  readonly excepted: SodReportCounts;
}

/** The result of a policy, to be stored. */
export interface PolicyResult extends ReportPolicy, CountedViolations {
  readonly number: number;
}

/** A condition of a list of reports: one of the values. */
export type ReportCondition = Condition<'kind' | 'state', 'eq' | 'in'>;

/** A condition of a list of violations of a report: one of the values. `excepted` is `true` where an exception covers it, else `false`. */
export type LineCondition = Condition<'policyId' | 'level' | 'identityId' | 'change' | 'excepted', 'eq' | 'in'>;

/** A report that a worker may work on until its lease ends. */
export interface ClaimedReport extends ReportClaim {
  readonly created: string;
  readonly origin: RequestOrigin | null;
  readonly kind: SodReportKind;
  readonly blastRadius: BlastRadiusRequest | null;
  readonly at: string | null;
  readonly fixPlan: FixPlanRequest | null;
  /** How often it has been claimed, including this claim. */
  readonly attempts: number;
}

/** A violation, to be stored; `number` is that of its policy. */
export interface ReportViolation extends ReportLine {
  readonly number: number;
}

/** The lists of a fix plan. */
export interface FixPlanLists {
  readonly STEP: FixStep;
  readonly UNSOLVABLE: UnsolvableViolation;
}

/** An entry of a list of a fix plan, to be stored; steps are numbered as they are shown. */
export type FixPlanEntry = {
  readonly [L in keyof FixPlanLists]: { readonly list: L; readonly number: number; readonly shown: FixPlanLists[L] };
}[keyof FixPlanLists];

/** A step of a fix plan that is to be carried out elsewhere. */
export interface HandOver {
  readonly reportId: string;
  readonly step: number;
  readonly comment: string | null;
}

/** What fix plans say of present data. */
export interface FixPlanTexts {
  /** The names of roles or access profiles, by id; those that are gone are left out. */
  readBundleNames(
    tenant: string,
    bundles: { readonly type: 'ROLE' | 'ACCESS_PROFILE'; readonly ids: ReadonlySet<string> },
  ): Promise<ReadonlyMap<string, string>>;
  /** What the accounts of identities grant, account by account, in pages. */
  readGrantsBySource(tenant: string, identityIds: readonly string[]): AsyncIterable<readonly SourceGrants[]>;
  /** Which of some identities exist. */
  presentIdentities(tenant: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
}

/** What an account grants an identity. */
export interface SourceGrants {
  readonly identityId: string;
  /** The id of the source of the account. */
  readonly source: string;
  readonly refs: readonly AccessRef[];
}

/** The progress of the work on a report. */
export interface ReportProgress {
  readonly progress: number;
  readonly leaseEndMs: number;
  /** Null until the data was read. */
  readonly basis: { readonly policySetVersion: number; readonly asOf: string } | null;
}

/** The outcome of a report. */
export interface ReportCompletion {
  readonly state: 'SUCCESS' | 'ERROR';
  /** ISO 8601 in UTC with milliseconds. */
  readonly completed: string;
  /** Null unless the state is `SUCCESS`, and of a fix plan. */
  readonly totals: ReportTotals | null;
  /** Only of a fix plan. */
  readonly fixPlan?: FixPlanSummary | null;
  /** Null unless the state is `ERROR`. */
  readonly message: string | null;
}

/** Reports. One row is both the queue entry and the summary. Writes of a claim take effect only while its fence is the latest. */
export interface ReportStore extends FixPlanTexts {
  /** Resolves once the report is durably stored; `backlogFull` when the tenant has `openMax` reports that are not done. */
  enqueue(report: NewReport, openMax: number): Promise<'stored' | 'backlogFull'>;
  find(tenant: string, reportId: string): Promise<StoredReport | null>;
  /** The reports that meet all conditions, the newest first. */
  list(tenant: string, conditions: readonly ReportCondition[], page: Page): Promise<readonly StoredReport[]>;
  count(tenant: string, conditions: readonly ReportCondition[]): Promise<number>;
  /** The policies with violations, by id, in pages. */
  policies(key: ReportKey): AsyncIterable<readonly CountedPolicy[]>;
  /** The violations that meet all conditions, by policy id, then by identity id. */
  listViolations(
    key: ReportKey,
    conditions: readonly LineCondition[],
    page: Page,
  ): Promise<readonly { readonly policy: ReportPolicy; readonly line: ReportLine }[]>;
  countViolations(key: ReportKey, conditions: readonly LineCondition[]): Promise<number>;
  /** The entries of one list of a fix plan, in order, in pages. */
  entries<L extends keyof FixPlanLists>(key: ReportKey, list: L): AsyncIterable<readonly FixPlanLists[L][]>;
  /** Tells of a step of a fix plan by an event; null where it has no such step. */
  handOver(auditContext: AuditContext, handOver: HandOver): Promise<RequestedFix | null>;
  /** The levels of the policies that exist among these, by id. */
  presentPolicies(tenant: string, ids: readonly string[]): Promise<ReadonlyMap<string, SodPolicyLevel>>;
  /** Claims a report as `LeasedQueue` says, of a tenant of which none is held; null when there is none. */
  claim(request: ClaimTime & { readonly held?: readonly string[] }): Promise<ClaimedReport | null>;
  /** The request of a dry-run, in parts. */
  readDryRun(key: ReportKey): AsyncIterable<DryRunRequest>;
  /** The version of the data of a tenant. */
  readVersion(tenant: string): Promise<DataVersion>;
  /** The data that a report is made from, as of one instant. */
  openSource(tenant: string): Promise<ReportSource>;
  /** Extends the lease; false when the claim is outdated. */
  renew(claim: ReportClaim, progress: ReportProgress): Promise<boolean>;
  /** Stores violations and extends the lease; false when the claim is outdated. */
  saveViolations(claim: ReportClaim, violations: readonly ReportViolation[], leaseEndMs: number): Promise<boolean>;
  /** Stores policies and extends the lease; false when the claim is outdated. */
  savePolicies(claim: ReportClaim, policies: readonly PolicyResult[], leaseEndMs: number): Promise<boolean>;
  /** Stores entries of a fix plan and extends the lease; false when the claim is outdated. */
  saveEntries(claim: ReportClaim, entries: readonly FixPlanEntry[], leaseEndMs: number): Promise<boolean>;
  /** Ends a report and retires those of the tenant beyond the latest `keptMax`; false when the claim is outdated. */
  complete(claim: ReportClaim, completion: ReportCompletion, keptMax: number): Promise<boolean>;
  /** Gives a claim back before its lease ends. */
  release(claim: ReportClaim, release: Release): Promise<void>;
  /** Removes some results that earlier claims have stored; true when there may be more. */
  removeResults(key: ReportKey): Promise<boolean>;
  /** Removes some rows of retired reports and of those that ended before this time; true when there may be more. */
  removeExpired(completedBefore: string): Promise<boolean>;
  /** The reports that are not done, for metrics. */
  measureBacklog(): Promise<Backlog>;
}
