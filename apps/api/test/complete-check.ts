import { compileSodIndex, expandAccess } from '@access-admin/domain';
import { concludeCheck } from './conclude-check.ts';
import type { TestApi } from './test-api.ts';

/** Concludes the oldest pending check as a worker does. */
export async function completeOne({ store, clock }: TestApi): Promise<void> {
  const [claimed] = await store.checks.claim({ nowMs: clock.nowMs, leaseMs: 1000, limit: 1 });
  if (claimed === undefined) throw new Error('nothing to claim');
  const { policies, catalogue } = await store.sod.loadRulebook(claimed.tenant);
  const index = compileSodIndex(policies, catalogue);
  const held = await store.sod.readAssignments(claimed.tenant, claimed.identityId);
  const entitlements = held === null ? null : expandAccess(index, held.access).entitlements;
  const basis = { index, held: entitlements, timed: null };
  const completed = new Date(clock.nowMs).toISOString();
  await store.checks.complete([
    { ...claimed, completed, ...(await concludeCheck({ ...basis, check: claimed, nowMs: clock.nowMs })) },
  ]);
}
