import type { ApiFailure } from '../../http/problem.ts';
import type { RoomFull } from '../../rooms/ledger.ts';

/** Refuses work for which there is no room: 429 where the tenant itself takes it, 503 where others do. */
export const roomFull = ({ isOwn, retryAfterSeconds }: RoomFull, own: string): ApiFailure =>
  isOwn
    ? { type: 'TooManyRequests', causes: [{ at: '', text: own }], retryAfterSeconds }
    : {
        type: 'Unavailable',
        causes: [{ at: '', text: 'Other tenants take all room: try again later.' }],
        retryAfterSeconds,
      };
