import { expect, test } from 'vitest';
import { driveLoop, START_MS } from './drive-loop.ts';
import { openNewStore } from './sample-store.ts';

const MINUTE_MS = 60_000;

test('an idle worker removes sign-ins that have ended, of every tenant', async () => {
  await using sample = await openNewStore();
  const { pendingSignIns } = sample.store;
  const pending = { identityId: null, state: '{}', expiresMs: START_MS, nowMs: START_MS - 1 };
  const tenants = ['acme', 'invented', 'invented-too'];
  for (const tenant of tenants) await pendingSignIns.create(tenant, 'p', pending);
  const left = async () => {
    const found = await Promise.all(tenants.map((tenant) => pendingSignIns.find(tenant, 'p', 0)));
    return found.filter((each) => each !== null).length;
  };
  const clock = { nowMs: START_MS };
  const loop = driveLoop(sample.store, clock);
  await loop.idle();
  // Processes whose clock is some minutes behind can still use them.
  expect(await left()).toBe(3);
  clock.nowMs += 6 * MINUTE_MS;
  loop.resume();
  await loop.idle();
  expect(await left()).toBe(0);
  loop.stop();
  await loop.ended;
});
