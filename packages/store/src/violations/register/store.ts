import { sql } from 'kysely';
import type { Database } from '../../engine/database.ts';
import { readDataVersion } from '../../reports/source.ts';
import { createRegisterClaims } from './claims.ts';
import { concludeRound } from './conclude.ts';
import { extendLease, writeHeld } from './held.ts';
import type { RegisterMaintenance } from './maintenance.ts';
import { removeEnded } from './removal.ts';
import { settleRounds, takeBackStaged } from './settle.ts';
import { openRegisterSource } from './source.ts';
import { stageBatch } from './stage.ts';

/** Keeping the registers of all tenants. */
export function createRegisterStore(database: Database): RegisterMaintenance {
  return {
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
  };
}
