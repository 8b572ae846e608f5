import { gather } from '../concurrency/gather.ts';
import type { Reads } from '../engine/database.ts';

/** The tenants that there are. */
export interface TenantStore {
  /** Whether anything has brought a tenant into being. Questions of one turn of the event loop are one statement. */
  exists(tenant: string): Promise<boolean>;
}

const ASKED_AT_ONCE = 500;

export const createTenantStore = (database: Reads): TenantStore => ({
  exists: gather(
    async (tenants: readonly string[]) => {
      const rows = await database.read((db) =>
        db.selectFrom('tenant').select('tenant').where('tenant', 'in', tenants).execute(),
      );
      const existing = new Set(rows.map(({ tenant }) => tenant));
      return tenants.map((tenant) => existing.has(tenant));
    },
    { requestsMax: ASKED_AT_ONCE },
  ),
});
