import { type Caller, fail, ok, type Result } from '@access-admin/domain';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimit } from '../config.ts';
import type { HttpFailure } from './problem.ts';

type TooManyRequests = Extract<HttpFailure, { type: 'TooManyRequests' }>;

export type LimitRate = (caller: Caller) => Promise<Result<null, TooManyRequests>>;

/** Limits the requests of each client in this process; null when there is no limit. */
export function createLimitRate(limit: RateLimit | null): LimitRate | null {
  if (limit === null) return null;
  const limiter = new RateLimiterMemory({ points: limit.requests, duration: limit.windowSeconds });
  return async ({ tenant, clientId }) => {
    try {
      await limiter.consume(`${tenant}/${clientId}`);
      return ok(null);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const retryAfterSeconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
      const text = `At most ${limit.requests} requests in ${limit.windowSeconds} s.`;
      return fail({ type: 'TooManyRequests', causes: [{ at: '', text }], retryAfterSeconds });
    }
  };
}
