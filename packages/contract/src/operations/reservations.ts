import { type OperationRights, RIGHTS_TO_READ } from '@access-admin/domain';
import { SOD_BODY_BYTES_MAX } from '../limits.ts';
import {
  newSodReservation,
  SOD_RESERVATION_FILTERS,
  SOD_RESERVATION_SORTERS,
  sodReservation,
  sodReservations,
} from '../schemas/reservations.ts';
import { defineOperation, jsonBody, jsonResponse, NO_CONTENT } from './define-operation.ts';

const group = 'SOD Reservations';

const CHANGE: OperationRights = { ...RIGHTS_TO_READ.SOD_RESERVATION, scopes: ['sod-violations:manage'] };

/** The operations on reservations: access that waits for an approval. */
export const RESERVATIONS = {
  list: defineOperation({
    id: 'list-sod-reservations-v1',
    method: 'GET',
    path: '/sod-reservations/v1',
    group,
    summary: 'List of reservations',
    description:
      'Lists the reservations of the tenant, live and ended ones, by id unless `sorters` says otherwise. `state eq "LIVE" and identityId eq "i-1"` finds what waits for an identity, `reference sw "REQ-"` what one system has reserved. Ended ones are kept for 90 days. Follow `Link` for the next page.',
    rights: RIGHTS_TO_READ.SOD_RESERVATION,
    list: true,
    filters: SOD_RESERVATION_FILTERS,
    sorters: SOD_RESERVATION_SORTERS,
    cursor: true,
    response: jsonResponse(sodReservations),
  }),
  create: defineOperation({
    id: 'create-sod-reservation-v1',
    method: 'POST',
    path: '/sod-reservations/v1',
    group,
    summary: 'Reserve access for an identity while its request waits for an approval',
    description:
      'Predicts what the access would cause, with what the identity holds and with its live reservations, and reserves it, in one transaction: of two requests that conflict together exactly one is reserved. Where the access would cause a violation that no exception covers, nothing is stored and the answer is 409 with the `prediction`, unless `onConflict` is `RESERVE`. Predictions count a live reservation only with `include=pending`. An identity can have 100 live reservations, a tenant 100,000 (429).',
    rights: CHANGE,
    body: jsonBody(newSodReservation, SOD_BODY_BYTES_MAX),
    response: jsonResponse(sodReservation, 201),
    errors: [404, 409],
  }),
  get: defineOperation({
    id: 'get-sod-reservation-v1',
    method: 'GET',
    path: '/sod-reservations/v1/{id}',
    group,
    summary: 'One reservation',
    description:
      'Returns one reservation. `LIVE` becomes `SETTLED`, `RELEASED` or, at `expires`, `EXPIRED`, and does not change afterwards.',
    rights: RIGHTS_TO_READ.SOD_RESERVATION,
    response: jsonResponse(sodReservation),
    errors: [404],
    etag: true,
  }),
  settle: defineOperation({
    id: 'settle-sod-reservation-v1',
    method: 'POST',
    path: '/sod-reservations/v1/{id}/settle',
    group,
    summary: 'Settle a reservation, because its access was granted',
    description:
      'Ends a live reservation whose access was granted: it no longer counts, as the identity holds the access now. Settle it after the grant. 409 for one that is not live.',
    rights: CHANGE,
    response: jsonResponse(sodReservation),
    errors: [404, 409, 412],
    etag: true,
  }),
  release: defineOperation({
    id: 'delete-sod-reservation-v1',
    method: 'DELETE',
    path: '/sod-reservations/v1/{id}',
    group,
    summary: 'Release a reservation, because its request was refused or given up',
    description:
      'Ends a live reservation whose access will not be granted. It stays readable. 409 for one that is not live.',
    rights: CHANGE,
    response: NO_CONTENT,
    errors: [404, 409, 412],
    etag: true,
  }),
} as const;
