import { defineTable } from '../definition/define-table.ts';

/**
 * The tenants that are being removed, each until nothing of it is left. From its row on nobody acts in the tenant, no write
 * of it is stored, and the guards of its audit log let go of it.
 */
export const tenantRemoval = defineTable({
  name: 'tenant_removal',
  columns: {
    tenant: 'text',
    requested: 'text',
    /** How many rows are removed so far. */
    removed: 'bigint',
    /** Raised with each claim: only the latest one removes. */
    fence: 'integer',
    claimable_at_ms: 'bigint',
    /** JSON: what the log of the caller's tenant is to tell of it; null once it does. */
    record: 'text?',
  },
  key: 'tenant',
});
