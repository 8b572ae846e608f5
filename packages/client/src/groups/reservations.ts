import type { OnConflict, SodReservation, TimedAccessRef } from '@access-admin/contract';
import { type CursorOptions, type CursorPage, iteratePages, readCursorPage } from '../http/cursor-list.ts';
import { jsonBody } from '../http/json-body.ts';
import { getResource, ifMatchHeader, type WriteOptions } from '../http/resource.ts';
import { createResourceCall, type ResourceCall } from '../http/resource-call.ts';
import type { CallOptions, Transport } from '../http/transport.ts';
import { resourcePath } from '../http/url.ts';

/** Access to reserve for an identity. */
export interface NewReservation {
  readonly identityId: string;
  /** 1 to 500 items. */
  readonly accessRefs: readonly TimedAccessRef[];
  /** How long the reservation lives: 1 to 8,760 hours, 336 if left out. */
  readonly ttlHours?: number;
  /** What the caller calls it, such as the number of a request: at most 256 characters. */
  readonly reference?: string | null;
  /** Whether access that conflicts is refused, which is the default, or reserved all the same. */
  readonly onConflict?: OnConflict;
  /** At most 50 keys of 64 characters with values of 512 characters. */
  readonly clientMetadata?: Readonly<Record<string, string>> | null;
}

/** Filters and order of a list of reservations. */
export interface ReservationListOptions extends CallOptions {
  /** Such as `state eq "LIVE" and identityId eq "i-1"`, best written with `filter`; all if left out. */
  readonly filters?: string | undefined;
  /** Such as `-created`: `created`, `expires` or both; by id if left out. */
  readonly sorters?: string | undefined;
}

/** Which page of reservations to read. */
export interface ReservationPageOptions extends ReservationListOptions, CursorOptions {}

/** Access that is reserved while its request waits for an approval. */
export interface SodReservations {
  /**
   * Reserves access (create-sod-reservation-v1). Rejects with a `ConflictError`, whose `prediction` tells the violations, where it
   * conflicts with what the identity holds or has reserved. Not repeated after an unknown outcome.
   *
   * @example
   * const request = { identityId: 'i-1', accessRefs: [{ type: 'ROLE', id: 'r-1' }], reference: 'REQ-4711' } as const;
   * const { id } = await admin.sodReservations.create(request);
   * // Once the access is granted:
   * await admin.sodReservations.settle(id);
   */
  create(reservation: NewReservation, options?: CallOptions): ResourceCall<SodReservation>;
  /** Iterates over all reservations that meet the filters, a page at a time (list-sod-reservations-v1). */
  list(options?: ReservationListOptions): AsyncIterable<SodReservation>;
  /** Reads one page of the list. */
  page(options?: ReservationPageOptions): Promise<CursorPage<SodReservation>>;
  /** Reads a reservation by its id (get-sod-reservation-v1). */
  get(id: string, options?: CallOptions): ResourceCall<SodReservation>;
  /** Settles a live reservation whose access was granted (settle-sod-reservation-v1). Not repeated after an unknown outcome. */
  settle(id: string, options?: WriteOptions): ResourceCall<SodReservation>;
  /** Releases a live reservation whose access will not be granted (delete-sod-reservation-v1). Not repeated after an unknown outcome. */
  release(id: string, options?: WriteOptions): Promise<void>;
}

/** Builds the operations on reservations. */
export function createSodReservations(transport: Transport): SodReservations {
  const group = '/sod-reservations/v1';
  const page: SodReservations['page'] = async (options) => {
    const query = { filters: options?.filters, sorters: options?.sorters };
    return (await readCursorPage<SodReservation>(transport, { path: group, query }, options)).page;
  };
  const end = async <T>(method: 'POST' | 'DELETE', id: string, step: string, options: WriteOptions | undefined) =>
    transport.call<T>({ method, path: resourcePath(group, id) + step, headers: ifMatchHeader(options), options });
  return {
    create: (reservation, options) =>
      createResourceCall(
        transport.call<SodReservation>({ method: 'POST', path: group, body: jsonBody(reservation), options }),
      ),
    list: (options) => iteratePages((part) => page({ ...options, ...part })),
    page,
    get: (id, options) => getResource(transport, { group, id, experimental: false }, options),
    settle: (id, options) => createResourceCall(end<SodReservation>('POST', id, '/settle', options)),
    release: (id, options) => end<void>('DELETE', id, '', options).then(() => {}),
  };
}
