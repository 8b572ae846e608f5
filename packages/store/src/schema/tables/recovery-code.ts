import { defineTable } from '../definition/define-table.ts';

export const recoveryCode = defineTable({
  name: 'recovery_code',
  columns: {
    tenant: 'text',
    identity_id: 'text',
    /** SHA-256 of the code, in hexadecimal digits. */
    hash: 'text',
    created: 'text',
    /** The sign-in link through which it was set; null for none. */
    used_link: 'text?',
  },
  key: 'tenant, identity_id, hash',
  foreignKey: 'foreign key (tenant, identity_id) references sign_in_account (tenant, identity_id) on delete cascade',
});
