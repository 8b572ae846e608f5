import type { SodViolation } from '@access-admin/domain';
import type { Database } from '../engine/database.ts';
import { type RegisterView, readRegisterView } from './head.ts';
import { showViolations } from './show.ts';

/** The register of violations of each tenant. `now` is ISO 8601 in UTC with milliseconds. */
export interface RegisterStore {
  /** The register's moment and what it was made from. */
  readView(tenant: string, now: string): Promise<RegisterView>;
  /** A violation with the register's moment. */
  find(tenant: string, id: string, now: string): Promise<SodViolation | null>;
}

export function createRegisterStore(database: Database): RegisterStore {
  return {
    readView: (tenant, now) => database.read((db) => readRegisterView(db, tenant, now)),
    find: (tenant, id, now) =>
      database.read(async (db) => {
        const query = db.selectFrom('sod_violation').selectAll().where('tenant', '=', tenant).where('id', '=', id);
        const { asOf } = await readRegisterView(db, tenant, now);
        const [violation] = await showViolations(db, await query.execute(), asOf ?? now);
        return violation ?? null;
      }),
  };
}
