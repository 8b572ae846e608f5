import type { AccessRef } from '../access-model/records.ts';
import type { SodPolicy, SodPolicyLevel } from '../policy/model.ts';
import type { Basis } from '../prediction/check.ts';
import type { KOfNConflict, TwoSidedConflict } from '../prediction/violation-context.ts';

/** What a report is about: a change of the rulebook, the violations there are, or a change of a role or an access profile. */
export const SOD_REPORT_KINDS = ['DRY_RUN', 'SCAN', 'BLAST_RADIUS'] as const;
export type SodReportKind = (typeof SOD_REPORT_KINDS)[number];

/** The states of a report: `PENDING` until a worker takes it, `RUNNING` until its end is stored. */
export const SOD_REPORT_STATES = ['PENDING', 'RUNNING', 'SUCCESS', 'ERROR'] as const;
export type SodReportState = (typeof SOD_REPORT_STATES)[number];

/** What becomes of a violation: a scan finds all the `same`, a blast radius only `new` ones. */
export const SOD_REPORT_CHANGES = ['new', 'same', 'gone'] as const;
export type SodReportChange = (typeof SOD_REPORT_CHANGES)[number];

/** How many violations there are of each kind. */
export type SodReportCounts = Readonly<Record<SodReportChange, number>>;

/** A policy as a report names it. */
export interface ReportedPolicy {
  readonly policyId: string;
  readonly name: string;
  readonly level: SodPolicyLevel;
}

/** What a report comes to. */
export interface SodReportSummary extends SodReportCounts {
  /** How many identities were looked at; of a blast radius those that hold the role or the access profile. */
  readonly identities: number;
  /** The policies with any count, sorted by id. */
  readonly byPolicy: readonly (ReportedPolicy & SodReportCounts)[];
}

/** A report as its reader sees it. */
export interface SodReport {
  readonly reportId: string;
  readonly kind: SodReportKind;
  readonly state: SodReportState;
  /** From 0 to 1. */
  readonly progress: number;
  /** ISO 8601 in UTC with milliseconds. */
  readonly created: string;
  readonly completed: string | null;
  /** The version of the rulebook and the moment of the data; null as long as no data was looked at. */
  readonly policySetVersion: Basis['policySetVersion'] | null;
  readonly asOf: Basis['asOf'] | null;
  /** Null unless the state is `SUCCESS`. */
  readonly summary: SodReportSummary | null;
  /** Why there is no summary: only where the state is `ERROR`. */
  readonly message?: string;
}

/** One violation of a report. */
export interface SodReportViolation {
  readonly change: SodReportChange;
  readonly identityId: string;
  readonly displayName: string | null;
  readonly policyId: string;
  readonly policyName: string;
  readonly level: SodPolicyLevel;
  /** The items that the identity has; of a blast radius those that it would have, `existing` where it has them already. */
  readonly conflictingAccessCriteria: TwoSidedConflict | KOfNConflict;
}

/** Changes of the rulebook to be tried out. No id comes twice among the three. */
export interface DryRunRequest {
  readonly add: readonly SodPolicy[];
  readonly change: readonly SodPolicy[];
  /** Ids of policies. */
  readonly remove: readonly string[];
}

/** The most policies of a dry-run, those to be removed included. */
export const DRY_RUN_POLICIES_MAX = 10_000;

/** What can gain access, and come to all who hold it. */
export const BLAST_RADIUS_KINDS = ['role', 'accessProfile'] as const;

/** If this role or access profile gained this access, who would newly violate what? */
export interface BlastRadiusRequest {
  readonly kind: (typeof BLAST_RADIUS_KINDS)[number];
  readonly id: string;
  readonly add: readonly AccessRef[];
}

/** The most reports of a tenant that are not done, and that are kept once they are, and for how many days. */
export const OPEN_REPORTS_MAX = 20;
export const REPORTS_KEPT_MAX = 50;
export const REPORT_KEPT_DAYS = 7;
