import type {
  BlastRadiusRequest,
  DryRunRequest,
  ReportedPolicy,
  ReportLine,
  ReportPolicy,
  SodReport,
  SodReportChange,
  SodReportCounts,
  SodReportKind,
} from '@access-admin/domain';
import type { Page } from '../rows/page.ts';
import type { ReportSource } from './source.ts';

/** A report to be made. */
export interface NewReport {
  readonly tenant: string;
  readonly reportId: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly created: string;
  readonly kind: SodReportKind;
  /** What a dry-run is to try; null for the other kinds. */
  readonly dryRun: DryRunRequest | null;
  /** What a blast radius is about; null for the other kinds. */
  readonly blastRadius: BlastRadiusRequest | null;
}

/** Where the results of a report are. */
export interface ReportKey {
  readonly tenant: string;
  readonly reportId: string;
  /** The claim that has stored them. */
  readonly fence: number;
}

/** What a report came to, without its policies. */
export interface ReportTotals extends SodReportCounts {
  readonly identities: number;
}

/** A report as it is stored. */
export interface StoredReport extends Omit<SodReport, 'summary' | 'message'>, ReportKey {
  /** Null unless the state is `SUCCESS`. */
  readonly totals: ReportTotals | null;
  readonly message: string | null;
}

/** A policy with its violations counted; `number` is its place among all of the report. */
export interface CountedPolicy extends ReportedPolicy, SodReportCounts {
  readonly number: number;
}

/** Which violations of a report are meant; null: all. */
export interface ViolationQuery {
  readonly change: SodReportChange | null;
  readonly policyId: string | null;
}

/** A report that a worker may work on until its lease ends. */
export interface ClaimedReport extends ReportKey {
  readonly kind: SodReportKind;
  readonly blastRadius: BlastRadiusRequest | null;
  /** How often it has been claimed, this time included. */
  readonly attempts: number;
}

/** Some violations of one policy, of identities in order of their ids. */
export interface ReportBlock extends SodReportCounts {
  /** Of the policy. */
  readonly number: number;
  /** Blocks of a policy come in this order. */
  readonly run: number;
  /** Lines as `packedLineOf` writes them, in a JSON array. */
  readonly content: string;
}

/** How the work on a report goes. */
export interface ReportProgress {
  readonly progress: number;
  readonly leaseEndMs: number;
  /** Null until data was looked at. */
  readonly basis: { readonly policySetVersion: number; readonly asOf: string } | null;
}

/** How a report ended. */
export interface ReportCompletion {
  readonly state: 'SUCCESS' | 'ERROR';
  /** ISO 8601 in UTC with milliseconds. */
  readonly completed: string;
  /** Null unless the state is `SUCCESS`. */
  readonly totals: ReportTotals | null;
  /** Null unless the state is `ERROR`. */
  readonly message: string | null;
}

/** Reports: each a row that is both queue entry and summary. What is written for a claim takes effect only while its fence is the latest. */
export interface SodReportStore {
  /** Resolves once the report is durably stored; `backlogFull` when the tenant has `openMax` reports that are not done. */
  enqueue(report: NewReport, openMax: number): Promise<'stored' | 'backlogFull'>;
  find(tenant: string, reportId: string): Promise<StoredReport | null>;
  /** Some policies with any count, in order of ids, after the one of this number. */
  listPolicies(key: ReportKey, afterNumber: number): Promise<readonly CountedPolicy[]>;
  /** Violations in order of policy ids, then of identity ids. */
  listViolations(
    key: ReportKey,
    query: ViolationQuery,
    page: Page,
  ): Promise<readonly { readonly policy: ReportPolicy; readonly line: ReportLine }[]>;
  countViolations(key: ReportKey, query: ViolationQuery): Promise<number>;
  /** Which of these ids are those of SOD policies. */
  presentPolicies(tenant: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Takes the oldest report that waits, or whose lease has ended, of the tenant that was served longest ago; null when there is none. */
  claim(request: { readonly nowMs: number; readonly leaseMs: number }): Promise<ClaimedReport | null>;
  /** What a dry-run is asked, in portions. */
  readDryRun(key: ReportKey): AsyncIterable<DryRunRequest>;
  /** What a report is made from, all as of one moment. */
  openSource(tenant: string): Promise<ReportSource>;
  /** Extends the lease; false when another has the report. */
  renew(key: ReportKey, progress: ReportProgress): Promise<boolean>;
  /** Stores blocks of violations and extends the lease; false when another has the report. */
  saveBlocks(key: ReportKey, blocks: readonly ReportBlock[], leaseEndMs: number): Promise<boolean>;
  /** Stores policies, to be called in the order of their numbers and with those of the calls before counted in `passed`. */
  savePolicies(
    key: ReportKey,
    policies: readonly (ReportPolicy & CountedPolicy)[],
    state: { readonly passed: SodReportCounts; readonly leaseEndMs: number },
  ): Promise<boolean>;
  /** Ends a report, once, and retires those of the tenant beyond the latest `keptMax`; false when another has it. */
  complete(key: ReportKey, completion: ReportCompletion, keptMax: number): Promise<boolean>;
  /** Gives a claimed report back; it can be claimed again from `availableAtMs` on. One that was not at fault does not count as tried. */
  release(key: ReportKey, how: { readonly availableAtMs: number; readonly countsAsAttempt: boolean }): Promise<void>;
  /** Removes some of what earlier claims have left; true when there may be more. */
  removeLeftovers(key: ReportKey): Promise<boolean>;
  /** Removes some of what is not to be kept: reports that ended before this moment, and those that were retired. True when there may be more. */
  removeExpired(completedBefore: string): Promise<boolean>;
  /** Reports that are not done, over all tenants, for metrics. */
  countOpen(): Promise<number>;
}
