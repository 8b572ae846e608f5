import type { SodReservation } from '@access-admin/domain';
import type { Transaction } from 'kysely';
import type { Tables } from '../../schema/tables.ts';
import { stateToColumns } from './codec.ts';

/** Stores the state of a reservation that has ended. */
export async function storeEnd(trx: Transaction<Tables>, tenant: string, reservation: SodReservation): Promise<void> {
  const { id } = reservation;
  await trx
    .updateTable('sod_reservation')
    .set(stateToColumns(reservation))
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .execute();
  await trx.deleteFrom('sod_reservation_ref').where('tenant', '=', tenant).where('reservation_id', '=', id).execute();
}
