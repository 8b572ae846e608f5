import { defineTable } from '../definition/define-table.ts';

export const retiredSigningKey = defineTable({
  name: 'retired_signing_key',
  columns: {
    kid: 'text',
    issuer: 'text',
    /** JSON: the public key. The private key is not kept. */
    public_jwk: 'text',
    created: 'text',
    retired: 'text',
    /** The instant from which on none of its tokens is accepted. */
    tokens_end: 'text',
  },
  key: 'kid',
});
