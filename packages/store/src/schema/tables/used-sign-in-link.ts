import { defineTable } from '../definition/define-table.ts';

/** A used link that an identity made. Credentials, sign-ins and sessions that derive from it hold its hash, and end with it. */
export const usedSignInLink = defineTable({
  name: 'used_sign_in_link',
  columns: {
    tenant: 'text',
    /** SHA-256 of the link's token. */
    hash: 'text',
    identity_id: 'text',
    /** Raised with that of the identity, unless the link is revoked. References are valid only while both are equal. */
    generation: 'bigint',
    maker_id: 'text',
    /** JSON: the capabilities of the maker when it made the link; none once the maker is deleted. */
    maker_capabilities: 'text',
  },
  key: 'tenant, hash',
  foreignKey: 'foreign key (tenant, identity_id) references sign_in_account (tenant, identity_id) on delete cascade',
  indexes: [
    'create index used_sign_in_link_identity on used_sign_in_link (tenant, identity_id)',
    'create index used_sign_in_link_maker on used_sign_in_link (tenant, maker_id)',
  ],
});
