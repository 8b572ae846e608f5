import { LOAD_OPEN_HOURS } from '@access-admin/domain';
import { sql } from 'kysely';
import type { Database } from '../engine/database.ts';
import { deleteSome } from '../query/delete-some.ts';
import { CANCELLED } from './codec.ts';

// Each may have a megabyte; other writes run between two removals.
const PIECES_AT_ONCE = 50;

interface DueLoad {
  readonly tenant: string;
  readonly loadId: string;
  readonly state: string;
}

/** Ends a load that was open for too long, or removes some parts of one that has ended; true when there may be more. */
export async function removeExpired(database: Database, nowMs: number): Promise<boolean> {
  const due = await findDue(database, nowMs);
  if (due === null) return false;
  const { tenant, loadId, state } = due;
  const own = sql<boolean>`tenant = ${tenant} and load_id = ${loadId}`;
  await database.write({ tenant, changes: 'all', isSweep: true }, async (trx) => {
    // The load may have been committed meanwhile.
    const marked = await trx
      .updateTable('source_load')
      .set({ due_ms: 0, ...(state === 'OPEN' ? { state: 'ERROR', message: TOO_LATE, completed: timeOf(nowMs) } : {}) })
      .where('tenant', '=', tenant)
      .where('load_id', '=', loadId)
      .where('state', '=', state)
      .where('due_ms', '<=', nowMs)
      .executeTakeFirstOrThrow();
    if (marked.numUpdatedRows === 0n) return;
    const parts = { table: 'source_load_part', key: ['step', 'part', 'piece'], own };
    if ((await deleteSome(trx, parts, PIECES_AT_ONCE)) > 0) return;
    if (state === CANCELLED) await sql`delete from source_load where ${own}`.execute(trx);
    else await sql`update source_load set due_ms = null where ${own}`.execute(trx);
  });
  return true;
}

const TOO_LATE = `The load was open for ${LOAD_OPEN_HOURS} hours.`;

const timeOf = (ms: number): string => new Date(ms).toISOString();

async function findDue({ read }: Database, nowMs: number): Promise<DueLoad | null> {
  const { rows } = await read((db) =>
    sql<DueLoad>`
      select tenant, load_id as "loadId", state from source_load where due_ms <= ${nowMs} order by due_ms limit 1`.execute(
      db,
    ),
  );
  return rows[0] ?? null;
}
