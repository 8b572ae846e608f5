import { defineTable } from '../definition/define-table.ts';

/** Exceptions stay when their policy or identity is deleted. One is live while it is not revoked, not void and not past its end. */
export const sodException = defineTable({
  name: 'sod_exception',
  columns: {
    tenant: 'text',
    id: 'text',
    policy_id: 'text',
    identity_id: 'text',
    /** Of the identity at the request: tells it from a later one with the same id. */
    identity_created_ms: 'bigint',
    /** Of the policy at the request, likewise. */
    policy_created: 'text',
    starts: 'text',
    ends: 'text',
    justification: 'text',
    requester_id: 'text',
    created: 'text',
    approver_id: 'text?',
    approved: 'text?',
    revoker_id: 'text?',
    revoked: 'text?',
    /** When it was found void, or after its end another exception of the pair was requested. */
    voided: 'text?',
    /** `terms` of the policy at the approval. */
    approved_terms: 'text?',
    /** JSON: array of the ids of the conflicting items at the approval. */
    approved_items: 'text?',
    /** The digest of the terms at the request; null where there was no conflict. */
    requested_digest: 'text?',
    /** JSON: the terms at the approval. */
    terms: 'text?',
    /** JSON: array of decisions. */
    decisions: 'text',
  },
  key: 'tenant, id',
  indexes: [
    // Serves the exceptions that may be live, which are few among many that have ended.
    'create index sod_exception_open on sod_exception (tenant, ends, id) where revoked is null and voided is null',
    'create index sod_exception_identity on sod_exception (tenant, identity_id, id)',
    // A policy and an identity have one live exception at most.
    `create unique index sod_exception_pair on sod_exception (tenant, identity_id, policy_id)
    where revoked is null and voided is null`,
    'create index sod_exception_policy on sod_exception (tenant, policy_id, id)',
    'create index sod_exception_ends on sod_exception (tenant, ends, id)',
  ],
});
