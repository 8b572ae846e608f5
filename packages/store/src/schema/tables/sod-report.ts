import { defineTable } from '../definition/define-table.ts';

export const sodReport = defineTable({
  name: 'sod_report',
  columns: {
    tenant: 'text',
    report_id: 'text',
    kind: 'text',
    created: 'text',
    state: 'text',
    attempts: 'integer',
    fence: 'integer',
    /** 0, or when the lease or the delay after a failure ends. */
    claimable_at_ms: 'bigint',
    progress: 'real',
    /** JSON: the question of a blast radius, `{at}` of a scan with an instant, or `{fixPlan}`; null for all others. */
    request: 'text?',
    /** JSON: `[client id, identity id, display name]` of whoever asked. */
    requested_by: 'text',
    /** JSON: the request as it was sent; null where it is too long to be kept. */
    question: 'text?',
    /** JSON: the request that made it, see query/origin.ts. */
    origin: 'text?',
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
    /** JSON: the summary of a fix plan that is done; null for all others. */
    fix_plan: 'text?',
  },
  key: 'tenant, report_id',
  indexes: [
    'create index sod_report_open on sod_report (tenant, created) where completed is null',
    'create index sod_report_completed on sod_report (completed) where completed is not null',
  ],
});
