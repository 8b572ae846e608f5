import { type CheckCompletion, type CheckQueue, type ClaimedCheck, StorageUnavailable } from '@access-admin/store';
import { describe, expect, test } from 'vitest';
import { createSettlement } from './settle.ts';
import type { HeldCheck } from './underway.ts';

const claim: ClaimedCheck = {
  ...{ tenant: 'a', requestId: 'r', created: '2026-03-01T12:00:00.000Z', identityId: 'i', accessRefs: [] },
  ...{ clientMetadata: null, includes: [], fence: 1, attempts: 1 },
};

test('a failed check is released soon, also when no result is to be stored', async () => {
  let nowMs = 0;
  const released: number[] = [];
  const settlement = createSettlement({
    queue: {
      complete: async () => ({ effective: 0, lockedTenants: new Set() }),
      release: async (_claim, availableAtMs) => void released.push(availableAtMs),
      renew: async () => [],
      giveBack: async () => {},
    },
    log: { debug: () => {}, error: () => {} },
    ...{ leaseMs: 5_000, now: () => nowMs, busyMs: () => 0, onStored: () => {}, onLost: () => {} },
  });
  expect(settlement.isDue()).toBe(false);
  settlement.fail({ claim, claimedMs: 0, leasedMs: 0, workMs: 0, isLong: false });
  nowMs = 25;
  expect(settlement.isDue()).toBe(true);
  expect(await settlement.store()).toBe(1);
  expect([released, settlement.isDue()]).toEqual([[200], false]);
});

describe('a result for which the storage has no room', () => {
  const checkOf = (requestId: string): HeldCheck => ({
    ...{ claim: { ...claim, requestId }, claimedMs: 0, leasedMs: 0, workMs: 0, isLong: false },
  });
  /** A storage that accepts small writes, and results once it has room. */
  const fullStorage = () => {
    const stored: CheckCompletion[] = [];
    const givenBack: string[] = [];
    const renewedTo: number[] = [];
    const storage = { hasRoom: false, isLeaseLost: false, attempts: 0, nowMs: 0 };
    const complete: CheckQueue['complete'] = async (completions) => {
      storage.attempts += 1;
      if (!storage.hasRoom) throw new StorageUnavailable('disk full');
      stored.push(...completions);
      return { effective: completions.length, lockedTenants: new Set() };
    };
    const settlement = createSettlement({
      queue: {
        complete,
        release: async () => {},
        renew: async (claims, leaseEndMs) => {
          renewedTo.push(leaseEndMs);
          return storage.isLeaseLost ? [] : claims;
        },
        giveBack: async (claims) => void givenBack.push(...claims.map(({ requestId }) => requestId)),
      },
      log: { debug: () => {}, error: () => {} },
      ...{ leaseMs: 5_000, now: () => storage.nowMs, busyMs: () => 0, onStored: () => {}, onLost: () => {} },
    });
    return { settlement, storage, stored, givenBack, renewedTo };
  };

  test('is tried until it is stored, with its lease renewed, and never ends in an error', async () => {
    const { settlement, storage, stored, renewedTo } = fullStorage();
    settlement.conclude(checkOf('r'), { state: 'SUCCESS', result: '{}' });
    for (; storage.nowMs < 60_000; storage.nowMs += 25) {
      storage.hasRoom = storage.nowMs >= 50_000;
      if (settlement.isDue()) await settlement.store();
    }
    expect(stored.map(({ state, result }) => [state, result])).toEqual([['SUCCESS', '{}']]);
    // Two at once, further ones after 0.1, 0.2, 0.4 and 0.8 s, and then after a quarter of the lease each.
    expect(storage.attempts).toBe(45);
    const gapsMs = renewedTo.slice(1).map((leaseEndMs, place) => leaseEndMs - (renewedTo[place] ?? 0));
    expect(Math.max(...gapsMs)).toBe(1_250);
  });

  test('is forgotten when another worker has taken the check', async () => {
    const { settlement, storage, stored } = fullStorage();
    settlement.conclude(checkOf('r'), { state: 'SUCCESS', result: '{}' });
    storage.isLeaseLost = true;
    await settlement.store();
    storage.hasRoom = true;
    storage.nowMs = 60_000;
    expect(settlement.isDue()).toBe(false);
    await settlement.store();
    expect([stored, storage.attempts]).toEqual([[], 1]);
  });

  test('is given back when the results that wait take 32 MiB, and the others are stored', async () => {
    const { settlement, storage, stored, givenBack } = fullStorage();
    const result = 'x'.repeat(16 * 2 ** 20 - 200);
    for (const requestId of ['r-1', 'r-2', 'r-3']) {
      settlement.conclude(checkOf(requestId), { state: 'SUCCESS', result });
      await settlement.store();
    }
    expect(givenBack).toEqual(['r-3']);
    storage.hasRoom = true;
    storage.nowMs = 100;
    await settlement.store();
    expect(stored.map(({ requestId }) => requestId)).toEqual(['r-1', 'r-2']);
  });
});

describe('results of a tenant whose events another transaction is numbering', () => {
  const heldCheck = (tenant: string, requestId: string): HeldCheck => ({
    ...{ claim: { ...claim, tenant, requestId }, claimedMs: 0, leasedMs: 0, workMs: 0, isLong: false },
  });
  const lockedStorage = () => {
    const storage = { locked: new Set(['a']), nowMs: 0, statements: 0 };
    const [stored, renewed, givenBack]: [string[], string[], string[]] = [[], [], []];
    const settlement = createSettlement({
      queue: {
        complete: async (completions) => {
          storage.statements += 1;
          const done = completions.filter(({ tenant }) => !storage.locked.has(tenant));
          stored.push(...done.map(({ tenant, requestId }) => `${tenant} ${requestId}`));
          return { effective: done.length, lockedTenants: new Set(storage.locked) };
        },
        release: async () => {},
        renew: async (claims) => {
          renewed.push(...claims.map(({ requestId }) => requestId));
          return claims;
        },
        giveBack: async (claims) => void givenBack.push(...claims.map(({ requestId }) => requestId)),
      },
      log: { debug: () => {}, error: () => {} },
      ...{ leaseMs: 5_000, now: () => storage.nowMs, busyMs: () => 0, onStored: () => {}, onLost: () => {} },
    });
    return { settlement, storage, stored, renewed, givenBack };
  };

  test('wait without delaying others, and are stored soon after it', async () => {
    const { settlement, storage, stored, renewed } = lockedStorage();
    for (let at = 0; at < 300; at++) settlement.conclude(heldCheck('a', `r-${at}`), { state: 'SUCCESS', result: '{}' });
    settlement.conclude(heldCheck('b', 'r'), { state: 'SUCCESS', result: '{}' });
    await settlement.store();
    // The first group shows that the tenant is locked.
    expect([stored, storage.statements]).toEqual([['b r'], 2]);
    expect([settlement.isDue(), settlement.idleMs()]).toEqual([false, 25]);
    storage.nowMs = 1_249;
    await settlement.store();
    expect(renewed).toEqual([]);
    storage.nowMs = 2_000;
    expect(settlement.isDue()).toBe(true);
    await settlement.store();
    expect(renewed).toHaveLength(300);
    storage.nowMs = 2_025;
    storage.locked.clear();
    await settlement.store();
    expect([stored.length, renewed.length, settlement.idleMs()]).toEqual([301, 300, Number.POSITIVE_INFINITY]);
  });

  test('are given back when they take 32 MiB, and when the worker stops', async () => {
    const { settlement, givenBack } = lockedStorage();
    const result = 'x'.repeat(16 * 2 ** 20 - 200);
    for (const requestId of ['r-1', 'r-2', 'r-3'])
      settlement.conclude(heldCheck('a', requestId), { state: 'SUCCESS', result });
    await settlement.store();
    expect(givenBack).toEqual(['r-3']);
    await settlement.giveBack();
    expect(givenBack).toEqual(['r-3', 'r-1', 'r-2']);
  });
});
