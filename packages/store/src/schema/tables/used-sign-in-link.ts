import { defineTable } from '../definition/define-table.ts';

/** A used link that an identity made. Credentials, sign-ins and sessions that go back to it name its hash, and end with it. */
export const usedSignInLink = defineTable({
  name: 'used_sign_in_link',
  columns: {
    tenant: 'text',
    /** That of the link. */
    hash: 'text',
    identity_id: 'text',
    /** Follows that of the identity, unless the link ends; what names a link of another generation is not valid. */
    generation: 'bigint',
    /** The identity that made it. */
    maker_id: 'text',
    /** JSON: the capabilities that its maker had then; none once the maker is deleted. */
    maker_capabilities: 'text',
  },
  key: 'tenant, hash',
  foreignKey: 'foreign key (tenant, identity_id) references sign_in_account (tenant, identity_id) on delete cascade',
  indexes: [
    'create index used_sign_in_link_identity on used_sign_in_link (tenant, identity_id)',
    'create index used_sign_in_link_maker on used_sign_in_link (tenant, maker_id)',
  ],
});
