import { reservationAt } from '@access-admin/domain';
import { sql } from 'kysely';
import type { Database } from '../../engine/database.ts';
import type { Tables } from '../../schema/tables.ts';
import { rowToReservation } from './codec.ts';
import { storeEnd } from './end.ts';
import { tellReservations } from './record.ts';

// A reservation has up to half a megabyte; other writes run between two calls.
const ROWS_AT_ONCE = 50;

/** Ends some reservations of a tenant that are past their end, and removes some that ended long ago; true when there may be more. */
export async function expireSome(database: Database, nowMs: number): Promise<boolean> {
  const now = new Date(nowMs).toISOString();
  const tenant = await findDueTenant(database, now);
  if (tenant === null) return false;
  const isTold = await database.write({ tenant, changes: 'reservations', isSweep: true }, async (trx) => {
    const rows = await trx
      .selectFrom('sod_reservation')
      .selectAll()
      .where('tenant', '=', tenant)
      .where('due', '<=', now)
      .orderBy('due')
      .limit(ROWS_AT_ONCE)
      .execute();
    const removed = rows.filter(({ ended }) => ended !== null).map(({ id }) => id);
    if (removed.length > 0)
      await trx.deleteFrom('sod_reservation').where('tenant', '=', tenant).where('id', 'in', removed).execute();
    const expired = rows.filter(({ ended }) => ended === null).map((row) => reservationAt(rowToReservation(row), now));
    for (const reservation of expired) await storeEnd(trx, tenant, reservation);
    await tellReservations(trx, { tenant, time: now }, expired);
    return expired.length > 0;
  });
  if (isTold) database.announceWork(tenant, 'events');
  return true;
}

async function findDueTenant({ read }: Database, now: string): Promise<string | null> {
  const { rows } = await read((db) =>
    sql<Pick<Tables['sod_reservation'], 'tenant'>>`
      select tenant from sod_reservation where due <= ${now} order by due limit 1`.execute(db),
  );
  return rows[0]?.tenant ?? null;
}
