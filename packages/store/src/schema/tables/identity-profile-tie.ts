import { defineTable } from '../definition/define-table.ts';

/** Records who could act as all identities of an identity profile, and when. Old rows are removed. */
export const identityProfileTie = defineTable({
  name: 'identity_profile_tie',
  columns: {
    tenant: 'text',
    identity_profile: 'text',
    /** The identity that may act as them. */
    maker_id: 'text',
    /** When it last did something that permits it. */
    made_ms: 'bigint',
  },
  key: 'tenant, identity_profile, maker_id',
});
