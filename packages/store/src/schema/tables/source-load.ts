import { defineTable } from '../definition/define-table.ts';

/** Loads of sources. Those that run are work of workers. */
export const sourceLoad = defineTable({
  name: 'source_load',
  columns: {
    tenant: 'text',
    load_id: 'text',
    source_id: 'text',
    /** Which accounts it has seen is told by this number, which grows within the tenant. */
    number: 'bigint',
    mode: 'text',
    dry_run: 'integer',
    state: 'text',
    attempts: 'integer',
    fence: 'integer',
    /** 0, or when the lease or the delay after a failure ends. */
    claimable_at_ms: 'bigint',
    created: 'text',
    committed: 'text?',
    completed: 'text?',
    /** JSON: who has committed it, as the audit log tells; null until then. */
    audit_context: 'text?',
    /** The number that was confirmed; null for none. */
    confirmed: 'integer?',
    reason: 'text?',
    deletes: 'integer?',
    message: 'text?',
    /** JSON: step, part and piece that were applied last, or step and key of the last account to delete; null until all is examined. */
    progress: 'text?',
    /** JSON: null while it is open. */
    summary: 'text?',
    /** When an open one ends, or the parts of an ended one are removed; null for never. */
    due_ms: 'bigint?',
  },
  key: 'tenant, load_id',
  indexes: [
    'create index source_load_number on source_load (tenant, number)',
    'create index source_load_source on source_load (tenant, source_id, number)',
    "create index source_load_running on source_load (tenant, created) where state = 'RUNNING'",
    'create index source_load_due on source_load (due_ms) where due_ms is not null',
  ],
});
