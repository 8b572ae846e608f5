import { defineTable } from '../definition/define-table.ts';

/** The access refs of live reservations, by which those of deleted items are found. */
export const sodReservationRef = defineTable({
  name: 'sod_reservation_ref',
  columns: { tenant: 'text', type: 'text', ref_id: 'text', reservation_id: 'text' },
  key: 'tenant, type, ref_id, reservation_id',
  indexes: ['create index sod_reservation_ref_reservation on sod_reservation_ref (tenant, reservation_id)'],
});
