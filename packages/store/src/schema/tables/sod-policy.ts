import { defineTable } from '../definition/define-table.ts';

export const sodPolicy = defineTable({
  name: 'sod_policy',
  columns: {
    tenant: 'text',
    id: 'text',
    name: 'text',
    description: 'text?',
    state: 'text',
    level: 'text',
    type: 'text',
    /** JSON: the conflicting access criteria. */
    criteria: 'text',
    /** SHA-256 of time of creation, name, level and criteria: what the approval of an exception is bound to. */
    terms: 'text',
    /** The identity that owns new violations of the policy. */
    owner_id: 'text?',
    external_policy_reference: 'text?',
    compensating_controls: 'text?',
    correction_advice: 'text?',
    /** JSON: array of strings. */
    tags: 'text',
    /** JSON: texts by name. */
    attributes: 'text',
    external_id: 'text?',
    /** 0 or 1. */
    scheduled: 'integer',
    /** JSON, as it was sent. */
    owner_assignment: 'text?',
    secondary_owner_refs: 'text?',
    allowed_controls: 'text?',
    creator_id: 'text?',
    modifier_id: 'text?',
    created: 'text',
    modified: 'text',
  },
  key: 'tenant, id',
  indexes: ['create index sod_policy_owner on sod_policy (tenant, owner_id) where owner_id is not null'],
});
