import { compileSodIndex, type EvaluatedPolicy, expandAssignments } from '@access-admin/domain';
import { expect, test } from 'vitest';
import { StorageUnavailable } from '../engine/errors.ts';
import type { SodStore } from '../policies/rulebook/sod-store.ts';
import { readPrediction } from './read-prediction.ts';

const named = (id: string) => ({ id, name: id, source: null });
const refTo = (id: string) => ({ type: 'ENTITLEMENT' as const, id, name: null });
const policy: EvaluatedPolicy = {
  id: 'p-1',
  name: 'p-1',
  state: 'ENFORCED',
  level: 'HIGH',
  conflictingAccessCriteria: {
    leftCriteria: { name: null, criteriaList: [refTo('a')] },
    rightCriteria: { name: null, criteriaList: [refTo('b')] },
  },
};
const index = compileSodIndex([policy], { entitlements: [named('a'), named('b')], accessProfiles: [], roles: [] });
const versions = { exceptions: null, policySetVersion: 1, changeId: null, revision: null };
const reader = { read: () => ({ index, ...versions, ...expandAssignments(index, [refTo('a')]) }) };

/** Requests access whose explanation is never of the instant of the prediction. */
function predictFor(id: string) {
  let reads = 0;
  const readExplanation: SodStore['readExplanation'] = async () => {
    reads++;
    return null;
  };
  const predicted = readPrediction(
    { reader, sod: { readExplanation }, reservations: { readPending: async () => [] }, now: () => 0 },
    { tenant: 'acme', identityId: 'i-1', accessRefs: [refTo(id)], includes: ['via'] },
    () => undefined,
  );
  return { predicted, reads: () => reads };
}

test('nothing is read when there is nothing to explain', async () => {
  const { predicted, reads } = predictFor('a');
  expect(await predicted).toMatchObject({ ok: true, value: { explanation: null } });
  expect(reads()).toBe(0);
});

test('the storage is unavailable when no explanation is of the instant of the prediction for a few seconds', async () => {
  const { predicted, reads } = predictFor('b');
  await expect(predicted).rejects.toThrow(StorageUnavailable);
  expect(reads()).toBeGreaterThan(100);
});
