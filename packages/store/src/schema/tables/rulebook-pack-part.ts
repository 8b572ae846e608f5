import { defineTable } from '../definition/define-table.ts';

export const rulebookPackPart = defineTable({
  name: 'rulebook_pack_part',
  columns: {
    tenant: 'text',
    digest: 'text',
    part: 'integer',
    bytes: 'bytes',
  },
  key: 'tenant, digest, part',
});
