import { fail, type Result } from '@access-admin/domain';
import type { ApiFailure } from '../../operations/problem.ts';

const RETRY_SECONDS = 5;

/** Refuses what waits for a worker: the tenant has enough of it already. */
export const backlogFull = (text: string): Result<never, ApiFailure> =>
  fail({ type: 'TooManyRequests', causes: [{ at: '', text }], retryAfterSeconds: RETRY_SECONDS });
