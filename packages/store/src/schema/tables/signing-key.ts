import { defineTable } from '../definition/define-table.ts';

export const signingKey = defineTable({
  name: 'signing_key',
  columns: {
    issuer: 'text',
    kid: 'text',
    private_jwk: 'text',
    created: 'text',
  },
  key: 'issuer',
});
