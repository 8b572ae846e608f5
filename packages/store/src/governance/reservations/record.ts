import { type AuditContext, changesBetween, type EventType, newEvent, type SodReservation } from '@access-admin/domain';
import type { Transaction } from 'kysely';
import { recordChanges } from '../../record/audit/append-event.ts';
import { appendEvents } from '../../record/events/append-events.ts';
import type { Tables } from '../../schema/tables.ts';

/** A reservation before and after a request; null before it was made. */
export interface ReservationChange {
  readonly before: SodReservation | null;
  readonly after: SodReservation;
}

/** Records and tells what a request has made of reservations. Call it last: other writes that tell something wait from then on. */
export async function recordReservations(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  changes: readonly ReservationChange[],
): Promise<void> {
  const { tenant, time } = auditContext;
  await recordChanges(
    trx,
    auditContext,
    changes.map(({ before, after }) => ({
      resource: { type: 'SOD_RESERVATION' as const, id: after.id },
      changes: changesBetween(before, after),
      members: [after.identityId],
    })),
  );
  await tellReservations(
    trx,
    { tenant, time },
    changes.map(({ after }) => after),
  );
}

/** Tells that reservations have come to their states. */
export const tellReservations = (
  trx: Transaction<Tables>,
  { tenant, time }: Pick<AuditContext, 'tenant' | 'time'>,
  reservations: readonly SodReservation[],
): Promise<void> =>
  appendEvents(
    trx,
    tenant,
    reservations.map((data) => newEvent(EVENT_OF_STATE[data.state], data.id, { time, data })),
  );

const EVENT_OF_STATE = {
  LIVE: 'sod.reservation.created',
  SETTLED: 'sod.reservation.settled',
  RELEASED: 'sod.reservation.released',
  EXPIRED: 'sod.reservation.expired',
} as const satisfies Record<SodReservation['state'], EventType>;
