import type { ClaimedCheck } from '@access-admin/store';
import { expect, test } from 'vitest';
import { createSettlement } from './settle.ts';

const claim: ClaimedCheck = {
  ...{ tenant: 'a', requestId: 'r', created: '2026-03-01T12:00:00.000Z', identityId: 'i', accessRefs: [] },
  ...{ clientMetadata: null, includes: [], fence: 1, attempts: 1 },
};

test('a failed check is released soon, also when no result is to be stored', async () => {
  let nowMs = 0;
  const released: number[] = [];
  const settlement = createSettlement({
    queue: {
      complete: async () => 0,
      release: async (_claim, availableAtMs) => void released.push(availableAtMs),
      renew: async () => [],
    },
    log: { debug: () => {}, error: () => {} },
    ...{ leaseMs: 5_000, now: () => nowMs, busyMs: () => 0, onStored: () => {} },
  });
  expect(settlement.isDue()).toBe(false);
  settlement.fail({ claim, claimedMs: 0, leasedMs: 0, workMs: 0, isLong: false });
  nowMs = 25;
  expect(settlement.isDue()).toBe(true);
  expect(await settlement.store()).toBe(1);
  expect([released, settlement.isDue()]).toEqual([[200], false]);
});
