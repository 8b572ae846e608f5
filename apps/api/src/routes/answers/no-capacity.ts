import type { NoCapacity } from '@access-admin/scheduling';
import type { ApiFailure } from '../../http/problem.ts';

/** Refuses work for which there is no capacity: 429 where the tenant itself holds it, 503 where others do. */
export const noCapacity = ({ isOwn, retryAfterSeconds }: NoCapacity, own: string): ApiFailure =>
  isOwn
    ? { type: 'TooManyRequests', causes: [{ at: '', text: own }], retryAfterSeconds }
    : {
        type: 'Unavailable',
        causes: [{ at: '', text: 'Other tenants take all room: try again later.' }],
        retryAfterSeconds,
      };
