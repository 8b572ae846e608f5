import { fail, type Result } from '@access-admin/domain';
import type { ApiFailure } from '../../http/problem.ts';

const RETRY_SECONDS = 5;

/** Refuses work for a worker: the tenant's backlog is full. */
export const backlogFull = (text: string): Result<never, ApiFailure> =>
  fail({ type: 'TooManyRequests', causes: [{ at: '', text }], retryAfterSeconds: RETRY_SECONDS });
