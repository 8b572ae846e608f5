import { sql } from 'kysely';
import type { Database } from '../../engine/database.ts';
import { storeVoid } from '../../exceptions/store-void.ts';
import { type BacklogRow, toBacklog } from '../../query/backlog.ts';
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
    measureBacklog: async (nowMs) => {
      const { rows } = await database.read((db) =>
        sql<BacklogRow>`
          select count(distinct tenant) as depth, min(since) as oldest from (
            select tenant, register_behind_since as since from tenant where register_behind_since is not null
            union all select tenant, next_due from register_head where next_due <= ${new Date(nowMs).toISOString()}
          ) as due`.execute(db),
      );
      return toBacklog(rows[0] ?? { depth: 0, oldest: null });
    },
    countCorrected: () =>
      database.read(async (db) => {
        const { rows } = await sql<{ corrected: number | string | null }>`
          select sum(corrected) as corrected from register_head`.execute(db);
        return Number(rows[0]?.corrected ?? 0);
      }),
    readVersion: (tenant) => readDataVersion(database, tenant),
    openSource: (tenant) => openRegisterSource(database, tenant),
    voidExceptions: async (tenant, source, now) => {
      const voidIds = await source.findVoid(now);
      await storeVoid(database, { tenant, now }, voidIds);
      return voidIds;
    },
    renew: (claim, leaseEndMs) => writeHeld(database, claim, (trx) => extendLease(trx, claim, { leaseEndMs })),
    stage: (claim, batch, leaseEndMs) => stageBatch(database, claim, { batch, leaseEndMs }),
    conclude: (claim, batch, round) => concludeRound(database, claim, { batch, round }),
    takeBack: (claim, leaseEndMs) => takeBackStaged(database, claim, leaseEndMs),
    settle: (claim, settling) => settleRounds(database, claim, settling),
    removeEnded: (claim, before) => writeHeld(database, claim, (trx) => removeEnded(trx, claim.tenant, before)),
  };
}
