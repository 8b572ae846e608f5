import type { Caller } from '@access-admin/domain';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimit } from '../config.ts';
import { callerOf } from '../http/caller.ts';
import type { Middleware } from '../http/env.ts';
import { refuse, type TooManyRequests } from '../http/problem.ts';

/** Counts a request of a client, or of an address; the refusal when it exceeds the limit, else null. */
export type CountRequest = (client: Pick<Caller, 'tenant' | 'clientId'>) => Promise<TooManyRequests | null>;

/** Counts the requests of each client in this process; null when there is no limit. A window begins with the first request. */
export function createRequestCounter(limit: RateLimit | null): CountRequest | null {
  if (limit === null) return null;
  const limiter = new RateLimiterMemory({ points: limit.requests, duration: limit.windowSeconds });
  const text = `A client may make at most ${limit.requests} requests in ${limit.windowSeconds} s.`;
  return async ({ tenant, clientId }) => {
    try {
      await limiter.consume(`${tenant}/${clientId}`);
      return null;
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      const retryAfterSeconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
      return { type: 'TooManyRequests', causes: [{ at: '', text }], retryAfterSeconds };
    }
  };
}

/** Refuses the requests of a client beyond its limit (429). */
export const limitRate =
  (count: CountRequest | null): Middleware =>
  async (c, next) => {
    const refused = (await count?.(callerOf(c))) ?? null;
    return refused === null ? next() : refuse(c, refused);
  };
