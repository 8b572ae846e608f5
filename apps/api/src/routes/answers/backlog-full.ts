import { fail } from '@access-admin/domain';
import type { ApiFailure } from '../../http/problem.ts';

const RETRY_SECONDS = 5;

/** Refuses work for a worker: the tenant's backlog is full. */
export const backlogFull = (text: string) =>
  fail<ApiFailure>({ type: 'TooManyRequests', causes: [{ at: '', text }], retryAfterSeconds: RETRY_SECONDS });
