import type { Caller } from '@access-admin/domain';
import { LRUCache } from 'lru-cache';
import type { RateLimit } from '../config.ts';
import type { TooManyRequests } from '../http/problem.ts';

/** Counts a request of a client, or of an address; the refusal when it exceeds the limit, else null. */
export type CountRequest = (client: Pick<Caller, 'tenant' | 'clientId'>) => TooManyRequests | null;

/** The clients, or addresses, that are counted at the same time. */
const REMEMBERED_MAX = 100_000;

/** Counts the requests of each client in this process; null when there is no limit. A window begins with the first request. */
export function createRequestCounter(limit: RateLimit | null): CountRequest | null {
  if (limit === null) return null;
  // With `max`, room for all of them would be taken at once.
  const windows = new LRUCache<string, { requests: number }>({
    maxSize: REMEMBERED_MAX,
    sizeCalculation: () => 1,
    ttl: limit.windowSeconds * 1000,
  });
  const text = `A client may make at most ${limit.requests} requests in ${limit.windowSeconds} s.`;
  return ({ tenant, clientId }) => {
    const key = `${tenant}/${clientId}`;
    const window = windows.get(key) ?? { requests: 0 };
    window.requests += 1;
    if (window.requests === 1) windows.set(key, window);
    if (window.requests <= limit.requests) return null;
    const retryAfterSeconds = Math.max(1, Math.ceil(windows.getRemainingTTL(key) / 1000));
    return { type: 'TooManyRequests', causes: [{ at: '', text }], retryAfterSeconds };
  };
}
