import { defineTable } from '../definition/define-table.ts';

/** The items that accounts have without a window, a row each: the members of groups. Rows are kept for the sources in `kept_members`. */
export const accountAccess = defineTable({
  name: 'account_access',
  columns: {
    tenant: 'text',
    source_id: 'text',
    item_type: 'text',
    item_id: 'text',
    /** The key of the account. */
    account_id: 'text',
    /** The first 40 bits of the key: their sum stands for the set of members. */
    mark: 'bigint',
  },
  key: 'tenant, source_id, item_type, item_id, account_id',
  isClustered: true,
});
