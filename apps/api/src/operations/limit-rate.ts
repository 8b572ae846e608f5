import { type Caller, type Cause, fail, type Result } from '@access-admin/domain';
import type { RateLimit } from '../config.ts';
import { OK } from '../event-loop/maybe-promise.ts';

/** The client has made too many requests; it may retry after `retryAfterSeconds`. */
export interface TooManyRequests {
  readonly type: 'TooManyRequests';
  readonly causes: readonly Cause[];
  readonly retryAfterSeconds: number;
}

/** Counts a request of the caller's client; fails when it exceeds the limit. */
export type LimitRate = (caller: Pick<Caller, 'tenant' | 'clientId'>) => Result<null, TooManyRequests>;

interface Window {
  readonly endsMs: number;
  requests: number;
}

/**
 * Limits the requests of each client in this process; null when there is no limit. A window begins with the first request of
 * a client. Synchronous, because most requests are answered without waiting. `elapsed` is monotonic, in ms.
 */
export function createLimitRate(limit: RateLimit | null, elapsed: () => number): LimitRate | null {
  if (limit === null) return null;
  const windowMs = limit.windowSeconds * 1000;
  const windows = new Map<string, Window>();
  const openWindow = (client: string, nowMs: number): Window => {
    // All windows are equally long, so the map has them in the order of their ends.
    for (const [other, { endsMs }] of windows) {
      if (endsMs > nowMs) break;
      windows.delete(other);
    }
    const window = { endsMs: nowMs + windowMs, requests: 0 };
    windows.set(client, window);
    return window;
  };
  return ({ tenant, clientId }) => {
    const client = `${tenant}/${clientId}`;
    const nowMs = elapsed();
    const known = windows.get(client);
    const window = known !== undefined && known.endsMs > nowMs ? known : openWindow(client, nowMs);
    window.requests += 1;
    if (window.requests <= limit.requests) return OK;
    const retryAfterSeconds = Math.max(1, Math.ceil((window.endsMs - nowMs) / 1000));
    const text = `A client may make at most ${limit.requests} requests in ${limit.windowSeconds} s.`;
    return fail({ type: 'TooManyRequests', causes: [{ at: '', text }], retryAfterSeconds });
  };
}
