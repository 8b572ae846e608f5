import { defineTable } from '../definition/define-table.ts';

/** The header of the tenant's compiled rulebook of this version, which is stored in parts. */
export const rulebookPack = defineTable({
  name: 'rulebook_pack',
  columns: {
    tenant: 'text',
    policy_set_version: 'integer',
    change_id: 'text',
    /** SHA-256 of all parts in order, in hexadecimal digits. */
    digest: 'text',
    parts: 'integer',
  },
  key: 'tenant',
});
