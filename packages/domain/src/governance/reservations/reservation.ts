import type { TimedAccessRef } from '../../access/model/records.ts';
import { type Conflict, failure } from '../../basics/result/failure.ts';
import { fail, ok, type Result } from '../../basics/result/result.ts';
import type { Basis } from '../../predictions/check.ts';
import type { ViolatedPolicyRef, ViolationContext } from '../../predictions/violation-context.ts';

/** The states of a reservation. One that is `LIVE` counts in predictions that ask for it. */
export const SOD_RESERVATION_STATES = ['LIVE', 'SETTLED', 'RELEASED', 'EXPIRED'] as const;
export type SodReservationState = (typeof SOD_RESERVATION_STATES)[number];

/** What becomes of a request that conflicts: it is refused, or reserved all the same. */
export const ON_CONFLICT = ['REFUSE', 'RESERVE'] as const;
export type OnConflict = (typeof ON_CONFLICT)[number];

/** How long a reservation lives, in hours: the longest time, and that of one that does not say. */
export const RESERVATION_HOURS_MAX = 8_760;
export const RESERVATION_HOURS_DEFAULT = 336;

/** The most live reservations of an identity, and of a tenant. */
export const LIVE_RESERVATIONS_OF_IDENTITY_MAX = 100;
export const LIVE_RESERVATIONS_MAX = 100_000;

/** How long ended reservations are kept. */
export const RESERVATION_RETENTION_DAYS = 90;

/** A request to reserve access for an identity while it waits for an approval. */
export interface NewSodReservation {
  readonly identityId: string;
  readonly accessRefs: readonly TimedAccessRef[];
  readonly ttlHours: number;
  /** What the caller calls it; null for nothing. */
  readonly reference: string | null;
  readonly onConflict: OnConflict;
  readonly clientMetadata: Readonly<Record<string, string>> | null;
}

/** What a reservation would have caused when it was made. */
export interface ReservationPrediction extends Basis {
  /** The first ones in order of policy ids: at most 1,000, and as many as 256 KiB have room for. */
  readonly violationContexts: readonly ViolationContext[];
  /** The number of all violations. Only where some are left out. */
  readonly violationCount?: number;
  /** The number of violations that `violationContexts` leaves out. Only where some are. */
  readonly omitted?: number;
  /** All violated policies. Only where violations are left out. */
  readonly violatedPolicies?: readonly ViolatedPolicyRef[];
}

/** A reservation as answers show it. Instants are ISO 8601 in UTC with milliseconds. */
export interface SodReservation extends Omit<NewSodReservation, 'ttlHours' | 'onConflict'> {
  readonly id: string;
  readonly state: SodReservationState;
  readonly created: string;
  readonly expires: string;
  /** Null while it is live. */
  readonly ended: string | null;
  readonly clientId: string;
  /** The identity that made it; null where an application did. */
  readonly requesterId: string | null;
  readonly prediction: ReservationPrediction;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The author of a reservation, and its id and time. */
interface Maker {
  readonly id: string;
  readonly clientId: string;
  readonly requesterId: string | null;
  readonly now: string;
}

/** Makes a live reservation. */
export const makeReservation = (
  { identityId, accessRefs, ttlHours, reference, clientMetadata }: NewSodReservation,
  { id, clientId, requesterId, now }: Maker,
  prediction: ReservationPrediction,
): SodReservation => ({
  id,
  identityId,
  accessRefs,
  state: 'LIVE',
  created: now,
  expires: new Date(Date.parse(now) + ttlHours * HOUR_MS).toISOString(),
  ended: null,
  reference,
  clientMetadata,
  clientId,
  requesterId,
  prediction,
});

/** A reservation at an instant: one that is past its end has expired, whether or not that is stored. */
export const reservationAt = (reservation: SodReservation, now: string): SodReservation =>
  reservation.state === 'LIVE' && reservation.expires <= now
    ? { ...reservation, state: 'EXPIRED', ended: reservation.expires }
    : reservation;

/** Ends a live reservation; `Conflict` for one that has ended. */
export const endReservation = (
  reservation: SodReservation,
  state: 'SETTLED' | 'RELEASED',
  now: string,
): Result<SodReservation, Conflict> =>
  reservation.state === 'LIVE'
    ? ok({ ...reservation, state, ended: now })
    : fail(
        failure(
          'Conflict',
          '',
          `the reservation is ${reservation.state} since ${reservation.ended}: only a LIVE one can be ${state === 'SETTLED' ? 'settled' : 'released'}`,
        ),
      );

/** When a reservation that has ended is removed. */
export const removalOf = (ended: string): string =>
  new Date(Date.parse(ended) + RESERVATION_RETENTION_DAYS * DAY_MS).toISOString();
