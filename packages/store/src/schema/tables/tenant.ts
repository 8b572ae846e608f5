import { defineTable } from '../definition/define-table.ts';

export const tenant = defineTable({
  name: 'tenant',
  columns: {
    tenant: 'text',
    policy_set_version: 'integer',
    /** The last revision given to an identity. Never reused, so that an identity deleted and created again gets another one. */
    identity_revision: 'bigint',
    /** How many identities the tenant has. */
    identity_count: 'bigint',
    /** Since when data have changed that the register may not have; null when it has all. */
    register_behind_since: 'text?',
    iframe_whitelist: 'text?',
    username_label: 'text?',
    username_empty_text: 'text?',
    /** Null when the first write had no time. */
    created: 'text?',
    /**
     * 1 once it is being removed. A statement that has waited for this row sees that, but no row of `tenant_removal` that was
     * stored meanwhile.
     */
    is_removed: 'integer',
  },
  key: 'tenant',
  indexes: ['create index tenant_register_behind on tenant (tenant) where register_behind_since is not null'],
});
