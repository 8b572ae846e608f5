import { defineTable } from '../definition/define-table.ts';

/** Who may act as all identities of which identity profiles, and since when. Rows stay until they are old. */
export const identityProfileTie = defineTable({
  name: 'identity_profile_tie',
  columns: {
    tenant: 'text',
    identity_profile: 'text',
    /** The identity that may act as them. */
    maker_id: 'text',
    /** When it did the last time what permits it. */
    made_ms: 'bigint',
  },
  key: 'tenant, identity_profile, maker_id',
});
