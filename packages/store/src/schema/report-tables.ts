export interface SodReportRow {
  tenant: string;
  report_id: string;
  kind: string;
  created: string;
  state: string;
  attempts: number;
  fence: number;
  /** 0, or when the lease or the pause after a failure ends. */
  claimable_at_ms: number;
  /** When a worker took it last; 0 before. */
  claimed_at_ms: number;
  progress: number;
  /** JSON: what a blast radius is about; null for the others. */
  request: string | null;
  /** Null as long as it is open. */
  completed: string | null;
  policy_set_version: number | null;
  as_of: string | null;
  message: string | null;
  identities: number;
  new_count: number;
  same_count: number;
  gone_count: number;
}

/** What a dry-run is asked, in parts. */
export interface SodReportRequestRow {
  tenant: string;
  report_id: string;
  part: number;
  /** JSON: array of `[what, policy or id]`. */
  content: string;
}

/** A policy with violations. Of another fence than the report's it is what was left of an attempt. */
export interface SodReportPolicyRow {
  tenant: string;
  report_id: string;
  fence: number;
  /** In order of the policies' ids. */
  number: number;
  policy_id: string;
  name: string;
  level: string;
  new_count: number;
  same_count: number;
  gone_count: number;
  /** How many violations of each kind those before it have. */
  new_before: number;
  same_before: number;
  gone_before: number;
  /** JSON: the sides before the change; null where there was no such policy. */
  sides_before: string | null;
  /** JSON: those after it; null where they are the same. */
  sides_after: string | null;
}

/** Violations of one policy, of identities in order of their ids; those of a later run come after. */
export interface SodReportBlockRow {
  tenant: string;
  report_id: string;
  fence: number;
  number: number;
  run: number;
  new_count: number;
  same_count: number;
  gone_count: number;
  /** JSON: the lines, see report-codec.ts. */
  content: string;
}
