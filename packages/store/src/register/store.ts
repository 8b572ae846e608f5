import type { AuditContext, Conflict, Forbidden, NotFound, Result, SodViolation } from '@access-admin/domain';
import { sql } from 'kysely';
import type { Database } from '../engine/database.ts';
import { applyBatch, extendLease, writeHeld } from './apply.ts';
import { createRegisterClaims } from './claims.ts';
import { type RegisterView, readRegisterView } from './head.ts';
import type { RegisterMaintenance } from './maintenance.ts';
import { type Reassignment, reassignViolation } from './reassign.ts';
import { createRounds } from './round.ts';
import { showViolations } from './show.ts';
import { openRegisterSource } from './source.ts';

/** The register of violations of each tenant. `now` is ISO 8601 in UTC with milliseconds. */
export interface RegisterStore extends RegisterMaintenance {
  /** The register's moment and what it was made from. */
  readView(tenant: string, now: string): Promise<RegisterView>;
  /** A violation with the register's moment. */
  find(tenant: string, id: string, now: string): Promise<SodViolation | null>;
  /** Gives a violation another owner; null when the identity owns it already. */
  reassign(
    auditContext: AuditContext,
    reassignment: Reassignment,
  ): Promise<Result<SodViolation | null, Forbidden | NotFound | Conflict>>;
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
    ...createRegisterClaims(database),
    countCorrected: () =>
      database.read(async (db) => {
        const { rows } = await sql<{ corrected: number | string | null }>`
          select sum(corrected) as corrected from register_head`.execute(db);
        return Number(rows[0]?.corrected ?? 0);
      }),
    openSource: (tenant) => openRegisterSource(database, tenant),
    renew: (claim, leaseEndMs) => writeHeld(database, claim, (trx) => extendLease(trx, claim, leaseEndMs)),
    apply: (claim, batch) => applyBatch(database, claim, batch),
    ...createRounds(database),
    reassign: (auditContext, reassignment) =>
      database.write(auditContext, (trx) => reassignViolation(trx, auditContext, reassignment)),
  };
}
