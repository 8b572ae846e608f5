import { defineTable } from '../definition/define-table.ts';

export const passkey = defineTable({
  name: 'passkey',
  columns: {
    tenant: 'text',
    /** The credential id, in base64url. */
    id: 'text',
    identity_id: 'text',
    name: 'text',
    /** COSE, in base64url. */
    public_key: 'text',
    counter: 'bigint',
    /** JSON: array of strings. */
    transports: 'text',
    created: 'text',
    last_used: 'text?',
    /** The sign-in link through which it was set; null for none. */
    used_link: 'text?',
  },
  key: 'tenant, id',
  foreignKey: 'foreign key (tenant, identity_id) references sign_in_account (tenant, identity_id) on delete cascade',
  indexes: ['create index passkey_identity on passkey (tenant, identity_id)'],
});
