import { defineTable } from '../definition/define-table.ts';

/** The violations of a tenant. Ended ones stay as they were when they ended. */
export const sodViolation = defineTable({
  name: 'sod_violation',
  columns: {
    tenant: 'text',
    /** A UUID of version 7, so that rows are appended to its index. */
    id: 'text',
    identity_id: 'text',
    policy_id: 'text',
    /** `Open` or `Mitigated`; of an ended one `Remediated` or `Closed`. */
    status: 'text',
    /** 1 for low to 4 for critical. */
    level_rank: 'integer',
    created: 'text',
    modified: 'text',
    /** Null while it lasts. */
    closed: 'text?',
    owner_id: 'text?',
    /** The covering exception and its end; null for none. */
    exception_id: 'text?',
    expiration: 'text?',
    policy_name: 'text',
    /** The display name of the identity; its id where it has none. */
    target_name: 'text',
    /** JSON: `conflictingCriteria` as answers show them. */
    criteria: 'text',
    /** The display name of the owner when the violation ended; null while it lasts. */
    ended_owner_name: 'text?',
    /** The owner of an ended violation after the identity's deletion. Display only: a new identity with this id gets no rights. */
    former_owner_id: 'text?',
  },
  key: 'tenant, id',
  indexes: [
    // New rows are appended to most of these: they begin with values that few or the latest rows have.
    'create index sod_violation_created on sod_violation (tenant, created, id)',
    'create index sod_violation_modified on sod_violation (tenant, modified, id)',
    'create index sod_violation_level on sod_violation (tenant, level_rank, created, id)',
    'create index sod_violation_status on sod_violation (tenant, status, created, id)',
    'create index sod_violation_policy on sod_violation (tenant, policy_id, created, id)',
    // Parts of names are found without case, by indexes of the names as `lower` writes them: it changes the letters of ASCII.
    'create index sod_violation_policy_name on sod_violation (tenant, lower(policy_name), created, id)',
    'create index sod_violation_owner on sod_violation (tenant, owner_id, created, id) where owner_id is not null',
    'create index sod_violation_closed on sod_violation (tenant, closed, id) where closed is not null',
    'create index sod_violation_target_name on sod_violation (tenant, lower(target_name))',
    // It also counts the present violations of an identity.
    'create index sod_violation_identity on sod_violation (tenant, identity_id, status, policy_id)',
    // The present ones, in the order of a comparison.
    'create index sod_violation_present on sod_violation (tenant, policy_id, identity_id) where closed is null',
    // The oldest present one of each policy.
    'create index sod_violation_oldest on sod_violation (tenant, policy_id, created) where closed is null',
  ],
});
