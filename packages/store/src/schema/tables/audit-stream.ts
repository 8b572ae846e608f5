import { defineTable } from '../definition/define-table.ts';

/** How far the audit log of a tenant has been streamed. Each log has one from its first event on. */
export const auditStream = defineTable({
  name: 'audit_stream',
  columns: {
    tenant: 'text',
    /** The last event that has been written; 0 before the first. */
    sequence: 'bigint',
    /** Grows with each claim. */
    fence: 'integer',
    /** 0, or when the lease of the claim, or the pause after a failure, ends. */
    claimable_at_ms: 'bigint',
  },
  key: 'tenant',
});
