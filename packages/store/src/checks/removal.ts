import { sql } from 'kysely';
import type { Database } from '../engine/database.ts';
import { deleteSome } from '../query/delete-some.ts';

// One call is bounded, however many tenants there are; other writes run between two.
const TENANTS_AT_ONCE = 100;
const ROWS_AT_ONCE = 500;

/** Removes some checks, with their results, that were completed before this time; true when there may be more. */
export async function removeExpired(database: Database, before: string): Promise<boolean> {
  const tenants = await findTenants(database, before);
  for (const tenant of tenants) {
    // A check is created before it is completed: the index has the order of creation.
    const own = sql<boolean>`tenant = ${tenant} and completed is not null and state in ('SUCCESS', 'ERROR')
      and created < ${before} and completed < ${before}`;
    await database.write({ tenant, changes: 'checks', isSweep: true }, async (trx) => {
      await deleteSome(trx, { table: 'sod_check', key: ['request_id'], own }, ROWS_AT_ONCE);
    });
  }
  return tenants.length > 0;
}

/** Each completed check has told an event, so its tenant has a head of events. */
async function findTenants({ read }: Database, before: string): Promise<readonly string[]> {
  const { rows } = await read((db) =>
    sql<{ readonly tenant: string }>`
      select event_head.tenant from event_head where exists (
        select 1 from sod_check where sod_check.tenant = event_head.tenant and completed is not null
          and state in ('SUCCESS', 'ERROR') and created < ${before} and completed < ${before}
      ) limit ${TENANTS_AT_ONCE}`.execute(db),
  );
  return rows.map(({ tenant }) => tenant);
}
