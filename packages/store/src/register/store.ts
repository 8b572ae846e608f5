import type { AuditContext, Conflict, Forbidden, NotFound, Result, SodViolation } from '@access-admin/domain';
import { sql } from 'kysely';
import type { Database } from '../engine/database.ts';
import { tenantScope } from '../engine/scope.ts';
import { readDataVersion } from '../reports/source.ts';
import { createRegisterClaims } from './claims.ts';
import { concludeRound } from './conclude.ts';
import { type RegisterView, visibleIn } from './head.ts';
import { extendLease, writeHeld } from './held.ts';
import type { RegisterMaintenance } from './maintenance.ts';
import { createRegisterReads } from './moment.ts';
import { type Reassignment, reassignViolation } from './reassign.ts';
import { removeEnded } from './removal.ts';
import { settleRounds, takeBackStaged } from './settle.ts';
import { showViolations } from './show.ts';
import { openRegisterSource } from './source.ts';
import { stageBatch } from './stage.ts';

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
  const { atMoment } = createRegisterReads(database);
  return {
    readView: (tenant, now) =>
      atMoment(tenant, now, async (_, { asOf, policySetVersion, identities }) => ({
        asOf,
        policySetVersion,
        identities,
      })),
    find: (tenant, id, now) =>
      atMoment(tenant, now, ({ read }, state) =>
        read(async (db) => {
          let query = db.selectFrom('sod_violation').selectAll().where('tenant', '=', tenant).where('id', '=', id);
          const visible = visibleIn(state);
          if (visible !== null) query = query.where(visible);
          const [violation] = await showViolations(db, await query.execute(), state.asOf ?? now);
          return violation ?? null;
        }),
      ),
    ...createRegisterClaims(database),
    countCorrected: () =>
      database.read(async (db) => {
        const { rows } = await sql<{ corrected: number | string | null }>`
          select sum(corrected) as corrected from register_head`.execute(db);
        return Number(rows[0]?.corrected ?? 0);
      }),
    readVersion: (tenant) => readDataVersion(database, tenant),
    openSource: (tenant) => openRegisterSource(database, tenant),
    renew: (claim, leaseEndMs) => writeHeld(database, claim, (trx) => extendLease(trx, claim, { leaseEndMs })),
    stage: (claim, batch, leaseEndMs) => stageBatch(database, claim, { batch, leaseEndMs }),
    conclude: (claim, batch, round) => concludeRound(database, claim, { batch, round }),
    takeBack: (claim, leaseEndMs) => takeBackStaged(database, claim, leaseEndMs),
    settle: (claim, settling) => settleRounds(database, claim, settling),
    removeEnded: (claim, before) => writeHeld(database, claim, (trx) => removeEnded(trx, claim.tenant, before)),
    reassign: (auditContext, reassignment) =>
      database.write(tenantScope(auditContext.tenant), (trx) => reassignViolation(trx, auditContext, reassignment)),
  };
}
