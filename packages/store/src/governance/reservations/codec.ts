import { type PendingReservation, removalOf, type SodReservation } from '@access-admin/domain';
import { packAccess, unpackAccess } from '../../access/records/access-codec.ts';
import type { SodReservationRow } from '../../schema/tables.ts';

export const reservationToRow = (tenant: string, reservation: SodReservation): SodReservationRow => ({
  tenant,
  id: reservation.id,
  identity_id: reservation.identityId,
  access_refs: packAccess(reservation.accessRefs),
  created: reservation.created,
  expires: reservation.expires,
  reference: reservation.reference,
  client_metadata: reservation.clientMetadata === null ? null : JSON.stringify(reservation.clientMetadata),
  client_id: reservation.clientId,
  requester_id: reservation.requesterId,
  prediction: JSON.stringify(reservation.prediction),
  ...stateToColumns(reservation),
});

/** The columns that change with the state. */
export const stateToColumns = ({ state, ended, expires }: Pick<SodReservation, 'state' | 'ended' | 'expires'>) => ({
  state,
  ended,
  due: ended === null ? expires : removalOf(ended),
});

/** A reservation as it is stored. */
export const rowToReservation = (row: SodReservationRow): SodReservation => ({
  id: row.id,
  identityId: row.identity_id,
  accessRefs: unpackAccess(row.access_refs),
  state: row.state as SodReservation['state'],
  created: row.created,
  expires: row.expires,
  ended: row.ended,
  reference: row.reference,
  clientMetadata: row.client_metadata === null ? null : JSON.parse(row.client_metadata),
  clientId: row.client_id,
  requesterId: row.requester_id,
  prediction: JSON.parse(row.prediction),
});

/** What predictions need of a live reservation. */
export const rowToPending = ({
  id,
  reference,
  access_refs,
}: Pick<SodReservationRow, 'id' | 'reference' | 'access_refs'>): PendingReservation => ({
  id,
  reference,
  accessRefs: unpackAccess(access_refs),
});
