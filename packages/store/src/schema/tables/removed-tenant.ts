import { defineTable } from '../definition/define-table.ts';

/** Names of tenants that were removed, kept against tokens of external issuers. A new tenant may have the same name. */
export const removedTenant = defineTable({
  name: 'removed_tenant',
  columns: {
    name: 'text',
    /** When the removal was requested. */
    removed_ms: 'bigint',
  },
  key: 'name',
});
