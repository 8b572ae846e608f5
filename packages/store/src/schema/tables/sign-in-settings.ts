import { defineTable } from '../definition/define-table.ts';

/** JSON, or null for a config that is not set. */
export const signInSettings = defineTable({
  name: 'sign_in_settings',
  columns: {
    tenant: 'text',
    lockout: 'text?',
    session: 'text?',
    network: 'text?',
  },
  key: 'tenant',
});
