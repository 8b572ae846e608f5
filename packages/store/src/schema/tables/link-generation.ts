import { defineTable } from '../definition/define-table.ts';

/** How often a change of an identity has ended its links, and what began with one; no row for never. */
export const linkGeneration = defineTable({
  name: 'link_generation',
  columns: {
    tenant: 'text',
    identity_id: 'text',
    generation: 'bigint',
  },
  key: 'tenant, identity_id',
  foreignKey: 'foreign key (tenant, identity_id) references sign_in_account (tenant, identity_id) on delete cascade',
});
