import { defineTable } from '../definition/define-table.ts';

/** What has happened in a tenant, numbered without gaps in the order of commits. The long `data` comes last. */
export const event = defineTable({
  name: 'event',
  columns: {
    tenant: 'text',
    sequence: 'bigint',
    id: 'text',
    type: 'text',
    /** Its type names the kind of the resource; null where the event concerns no single one. */
    resource_id: 'text?',
    time: 'text',
    /** JSON: the resource as it was; null where it is read from the resource, which never changes. */
    data: 'text?',
  },
  key: 'tenant, sequence',
});
