import { sql } from 'kysely';
import type { Database } from '../../../engine/database.ts';
import { type BacklogRow, toBacklog } from '../../../query/backlog.ts';
import { storeVoid } from '../../exceptions/store-void.ts';
import { readDataVersion } from '../../reports/source.ts';
import { applyBatch } from './apply-batch.ts';
import { createRegisterClaims, createRegisterQueue } from './claim.ts';
import type { RegisterMaintenance } from './maintenance.ts';
import { publishHead } from './publish-head.ts';
import { removeEnded } from './removal.ts';
import { openRegisterSource } from './source.ts';

/** Keeping the registers of all tenants. */
export function createRegisterStore(database: Database): RegisterMaintenance {
  const queue = createRegisterQueue(database);
  const deps = { database, queue };
  return {
    ...createRegisterClaims(database, queue),
    readVersion: (tenant) => readDataVersion(database, tenant),
    openSource: (tenant) => openRegisterSource(database, tenant),
    voidExceptions: async (tenant, source, now) => storeVoid(database, { tenant, now }, await source.findVoid(now)),
    apply: (claim, batch) => applyBatch(deps, claim, batch),
    publish: (claim, round) => publishHead(database, claim, round),
    removeEnded: (claim, before) => removeEnded(deps, claim, before),
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
  };
}
