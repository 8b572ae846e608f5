import { defineTable } from '../definition/define-table.ts';

/** The erased persons of a tenant. While `id` stands there, workers replace the texts of the person, and the guards of the audit log let them. */
export const identityErasure = defineTable({
  name: 'identity_erasure',
  columns: {
    tenant: 'text',
    /** SHA-256 of the id, so that a later request has the same pseudonym. */
    id_digest: 'text',
    /** Null once all is erased. */
    id: 'text?',
    pseudonym: 'text',
    requested: 'text',
    /** JSON: the client and the identity that asked; null once all is erased. */
    audit_context: 'text?',
    /** When a worker looks for the person, or does so again; null once all is erased. */
    due_ms: 'bigint?',
    fence: 'integer',
    /** 0, or when the lease or the pause after a failure ends. */
    claimable_at_ms: 'bigint',
  },
  key: 'tenant, id_digest',
  indexes: [
    'create index identity_erasure_due on identity_erasure (tenant, due_ms, id_digest) where due_ms is not null',
    'create unique index identity_erasure_pseudonym on identity_erasure (tenant, pseudonym)',
  ],
});
