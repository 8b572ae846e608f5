import { defineTable } from '../definition/define-table.ts';

/** Systems that data come from. A tenant has at most 100. */
export const source = defineTable({
  name: 'source',
  columns: {
    tenant: 'text',
    id: 'text',
    name: 'text',
    description: 'text?',
    authoritative: 'integer',
    identity_profile: 'text?',
    /** JSON: array of rules. */
    correlation: 'text',
    ignore_disabled: 'integer',
    delete_threshold_percent: 'integer',
    groups_become: 'text',
    created: 'text',
    modified: 'text',
    /** The last load that was applied; null for none. */
    last_load: 'text?',
  },
  key: 'tenant, id',
});
