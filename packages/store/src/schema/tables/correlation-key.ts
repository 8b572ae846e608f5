import { defineTable } from '../definition/define-table.ts';

/**
 * What rules compare: the texts by which identities are found, and those that accounts look for. Identities have rows for the
 * fields that rules of the tenant compare, accounts one for each rule of their source.
 */
export const correlationKey = defineTable({
  name: 'correlation_key',
  columns: {
    tenant: 'text',
    /** `i` for an identity, `a` for an account. */
    side: 'text',
    /** A field of identities. */
    field: 'text',
    /** In the form in which texts are compared; a digest of a long one. */
    value: 'text',
    /** The id of the identity, or the key of the account. */
    owner: 'text',
  },
  key: 'tenant, side, field, value, owner',
  isClustered: true,
});
