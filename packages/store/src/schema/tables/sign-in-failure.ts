import { defineTable } from '../definition/define-table.ts';

/** Failed attempts to sign in of one user or from one address. */
export const signInFailure = defineTable({
  name: 'sign_in_failure',
  columns: {
    tenant: 'text',
    /** `USER` or `ADDRESS`. */
    kind: 'text',
    /** The id of the identity, or the address. */
    subject: 'text',
    /** The subject of a user; null for an address. */
    identity_id: 'text?',
    /** JSON: array of the times of the latest failures, in milliseconds, ascending. */
    times: 'text',
    /** When the lock begins and ends; both 0 when it is not locked. */
    locked_from_ms: 'bigint',
    locked_until_ms: 'bigint',
    /** When the row has no effect any more. */
    expires_ms: 'bigint',
  },
  key: 'tenant, kind, subject',
  foreignKey: 'foreign key (tenant, identity_id) references sign_in_account (tenant, identity_id) on delete cascade',
  indexes: [
    'create index sign_in_failure_identity on sign_in_failure (tenant, identity_id)',
    'create index sign_in_failure_expires on sign_in_failure (expires_ms)',
  ],
});
