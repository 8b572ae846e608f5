import { defineTable } from '../definition/define-table.ts';

/** How the key with which secrets are encrypted is recognized. */
export const secretKey = defineTable({
  name: 'secret_key',
  columns: {
    name: 'text',
    salt: 'text',
    check_value: 'text',
    created: 'text',
  },
  key: 'name',
});
