import { compileSodIndex } from '@access-admin/domain';
import { expect, test } from 'vitest';
import type { SodStore } from '../rulebook/sod-store.ts';
import { readExplained } from './read-explained.ts';

const index = compileSodIndex([], { entitlements: [], accessProfiles: [], roles: [] });
const reader = {
  read: () => ({
    index,
    held: null,
    timed: null,
    exceptions: null,
    policySetVersion: 1,
    changeId: null,
    revision: null,
  }),
};

/** Asks for an explanation that is never of the same instant as the prediction. */
function explain(policyIds: readonly string[]) {
  let reads = 0;
  const readExplanation: SodStore['readExplanation'] = async () => {
    reads++;
    return null;
  };
  const explained = readExplained(
    { reader, sod: { readExplanation }, now: () => 0 },
    { tenant: 'acme', identityId: 'i-1', accessRefs: [] },
    () => ({ outcome: 'done', policyIds }),
  );
  return { explained, reads: () => reads };
}

test('nothing is read when there is nothing to explain', async () => {
  const { explained, reads } = explain([]);
  expect(await explained).toMatchObject({ outcome: 'done', explanation: null });
  expect(reads()).toBe(0);
});

test('null after a few seconds when no explanation is of the same instant as the reading', async () => {
  const { explained, reads } = explain(['p-1']);
  expect(await explained).toBeNull();
  expect(reads()).toBeGreaterThan(100);
});
