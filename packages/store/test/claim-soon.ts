import { inject, vi } from 'vitest';

/** Waits for longer than until the next look at all tenants. */
const TIMEOUT_MS = 30_000;

/**
 * The result of a claim of work whose time has come. On Citus it is found by a look at all tenants once a second, which no claim
 * waits for: there the claim is repeated until it has a result.
 */
export async function claimSoon<T>(claim: () => Promise<readonly T[]>): Promise<readonly T[]> {
  if (!inject('isOnCitus')) return claim();
  return vi.waitUntil(
    async () => {
      const claimed = await claim();
      return claimed.length > 0 && claimed;
    },
    { timeout: TIMEOUT_MS, interval: 100 },
  );
}
