import type { FixStep, UnsolvableViolation } from '@access-admin/domain';
import type { TestApi } from './test-api.ts';

const MOMENT = '2026-11-21T09:30:00.000Z';
const POLICY = { policyId: 'p-1', policyName: 'One', level: 'HIGH' } as const;

export const STEP: FixStep = {
  step: 1,
  identityId: 'i-cleo',
  displayName: 'Cleo',
  revoke: { type: 'ENTITLEMENT', id: 'e-pay', name: 'AP: release payment' },
  ends: [POLICY],
  alsoLoses: [],
};

export const LEFT: UnsolvableViolation = {
  identityId: 'i-ada',
  displayName: null,
  ...POLICY,
  conflictingAccessCriteria: { leftCriteria: { criteriaList: [] }, rightCriteria: { criteriaList: [] } },
  reason: 'LAST_HOLDER',
};

export const SUMMARY = {
  violations: 2,
  ended: 1,
  unsolvable: 1,
  revocations: 1,
  identities: 1,
  lowerBound: 1,
  optimal: true,
};

/** Starts a fix plan of all violations and completes it as a worker does: with one step, and one violation that stays. */
export async function completeFixPlan({ call, store, clock }: TestApi): Promise<string> {
  const { reportId } = (await call('POST', '/sod-violations/v1/fix-plan', { body: {} })).json;
  const claimed = await store.reports.claim({ nowMs: clock.nowMs, leaseMs: 1_000 });
  if (claimed?.reportId !== reportId || claimed === null) throw new Error('There is another report to make.');
  const leaseEndMs = clock.nowMs + 1_000;
  await store.reports.renew(claimed, { progress: 0.5, leaseEndMs, basis: { policySetVersion: 1, asOf: MOMENT } });
  await store.reports.saveEntries(
    claimed,
    [
      { list: 'STEP', number: 1, shown: STEP },
      { list: 'UNSOLVABLE', number: 0, shown: LEFT },
    ],
    leaseEndMs,
  );
  const result = { totals: null, fixPlan: SUMMARY, message: null };
  await store.reports.complete(claimed, { state: 'SUCCESS', completed: MOMENT, ...result }, 50);
  return reportId;
}
