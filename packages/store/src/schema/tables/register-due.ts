import { defineTable } from '../definition/define-table.ts';

/** The next instant at which time alone may change the violations of an identity. */
export const registerDue = defineTable({
  name: 'register_due',
  columns: {
    tenant: 'text',
    identity_id: 'text',
    due: 'text',
  },
  key: 'tenant, identity_id',
  indexes: ['create index register_due_instant on register_due (tenant, due)'],
});
