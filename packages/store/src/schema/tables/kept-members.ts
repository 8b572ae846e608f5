import { defineTable } from '../definition/define-table.ts';

/** The sources whose rows of `account_access` are kept: those whose groups have been asked for by SCIM. */
export const keptMembers = defineTable({
  name: 'kept_members',
  columns: {
    tenant: 'text',
    source_id: 'text',
    /** Whether the accounts from before have their rows, too. */
    is_complete: 'integer',
  },
  key: 'tenant, source_id',
});
