import { defineTable } from '../definition/define-table.ts';

/** The policies as of the last round, which tell whether a violation ended by a change of its policy. */
export const registerPolicy = defineTable({
  name: 'register_policy',
  columns: {
    tenant: 'text',
    policy_id: 'text',
    /** A hash of the criteria; empty for a policy that is not enforced. */
    terms: 'text',
  },
  key: 'tenant, policy_id',
});
