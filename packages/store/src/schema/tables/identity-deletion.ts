import { defineTable } from '../definition/define-table.ts';

/** Deleted identities that the register has not taken in yet, by the revision of their deletion. */
export const identityDeletion = defineTable({
  name: 'identity_deletion',
  columns: {
    tenant: 'text',
    revision: 'bigint',
    identity_id: 'text',
  },
  key: 'tenant, revision, identity_id',
});
