import type { Columns } from './columns.ts';

/** The tables of reports, as `TABLES` describes the others. */
export const REPORT_TABLES = {
  sod_report: {
    tenant: 'text',
    report_id: 'text',
    kind: 'text',
    created: 'text',
    state: 'text',
    attempts: 'integer',
    fence: 'integer',
    /** 0, or when the lease or the delay after a failure ends. */
    claimable_at_ms: 'bigint',
    /** When it was claimed last; 0 before the first claim. */
    claimed_at_ms: 'bigint',
    progress: 'real',
    /** JSON: the question of a blast radius, or `{at}` of a scan with an instant; null for all others. */
    request: 'text?',
    /** Null until it is done. */
    completed: 'text?',
    policy_set_version: 'integer?',
    as_of: 'text?',
    message: 'text?',
    identities: 'integer',
    new_count: 'bigint',
    same_count: 'bigint',
    gone_count: 'bigint',
    /** Of all changes. */
    excepted_count: 'bigint',
  },
  /** The request of a dry-run, in parts. */
  sod_report_request: {
    tenant: 'text',
    report_id: 'text',
    part: 'integer',
    /** JSON: array of `['add' | 'change', policy]` and `['remove', id]`. */
    content: 'text',
  },
  /** Policies with violations. Rows with another fence than the report's are leftovers of an earlier attempt. */
  sod_report_policy: {
    tenant: 'text',
    report_id: 'text',
    fence: 'integer',
    /** The position by policy id. */
    number: 'integer',
    policy_id: 'text',
    name: 'text',
    level: 'text',
    new_count: 'bigint',
    same_count: 'bigint',
    gone_count: 'bigint',
    /** Those of them that an exception covers. */
    new_excepted: 'bigint',
    same_excepted: 'bigint',
    gone_excepted: 'bigint',
    /** Violations of the policies before this one. */
    new_before: 'bigint',
    same_before: 'bigint',
    gone_before: 'bigint',
    /** JSON: the sides before the change; null when there was no such policy. */
    sides_before: 'text?',
    /** JSON: the sides after the change; null when they are the same. */
    sides_after: 'text?',
  },
  /** Violations of one policy, ordered by run and then by identity id. */
  sod_report_block: {
    tenant: 'text',
    report_id: 'text',
    fence: 'integer',
    number: 'integer',
    run: 'integer',
    new_count: 'integer',
    same_count: 'integer',
    gone_count: 'integer',
    /** Those of them that an exception covers. */
    new_excepted: 'integer',
    same_excepted: 'integer',
    gone_excepted: 'integer',
    /** A Bloom filter of the ids of the identities, see reports/identity-filter.ts. */
    identity_filter: 'bytes',
    /** JSON: the lines, see reports/codec.ts. */
    content: 'text',
  },
} as const satisfies Readonly<Record<string, Columns>>;
