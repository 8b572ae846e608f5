import { removeTenant, TENANT_REMOVAL_LEASE_MS } from '@access-admin/store';
import { expect } from 'vitest';
import type { TestApi } from './test-api.ts';

/** Removes a tenant as a worker does, later than its name must stay taken. */
export async function workUntilGone({ store, clock }: Pick<TestApi, 'store' | 'clock'>): Promise<void> {
  clock.nowMs += 60_000;
  const request = { nowMs: clock.nowMs, leaseMs: TENANT_REMOVAL_LEASE_MS, limit: 1 };
  const [claim] = await store.tenantRemovals.claim(request);
  if (claim === undefined) throw new Error('There is nothing to remove.');
  const deps = { removals: store.tenantRemovals, now: () => clock.nowMs, wait: async () => {} };
  expect(await removeTenant(claim, deps, new AbortController().signal)).toBe(true);
}
