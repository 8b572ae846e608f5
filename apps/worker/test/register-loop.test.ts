import { afterEach, expect, test } from 'vitest';
import { type DrivenLoop, driveLoop, START_MS } from './drive-loop.ts';
import { identity, importAll } from './report-world.ts';
import { openSampleStore } from './sample-store.ts';

let loop: DrivenLoop | null = null;

afterEach(async () => {
  loop?.stop();
  await loop?.ended;
});

const ref = (id: string) => ({ type: 'ENTITLEMENT', id }) as const;

test('the loop keeps the register, and lets another worker have it within the lease', async () => {
  await using sample = await openSampleStore();
  const { store } = sample;
  const clock = { nowMs: START_MS };
  const now = () => new Date(clock.nowMs).toISOString();
  const left = await store.register.claim({ nowMs: clock.nowMs, leaseMs: 30_000, limit: 1 });
  expect(left).toMatchObject([{ tenant: 'acme' }]);
  loop = driveLoop(store, clock, { register: store.register });
  await loop.idle();
  expect(await store.violations.readView('acme', now())).toMatchObject({ asOf: null });
  // The worker that has claimed it does not go on.
  clock.nowMs += 30_001;
  const viewOfNext = async () => {
    loop?.resume();
    await loop?.idle();
    return store.violations.readView('acme', now());
  };
  // On Citus, work whose time has come is found by a look at all tenants once a second.
  await expect.poll(viewOfNext).toMatchObject({ asOf: now() });
  expect(await store.register.renew(left, clock.nowMs + 30_000)).toEqual([]);
  await importAll(store, 'acme', [identity('i-1', null, [ref('e-vendor'), ref('e-pay')])]);
  clock.nowMs += 1_000;
  loop.wake();
  await loop.idle();
  const { events } = await store.events.read('acme', { types: ['sod.violation.opened'], limit: 10 });
  expect(events).toHaveLength(1);
  expect(await store.violations.readView('acme', now())).toMatchObject({ asOf: now(), identities: 1 });
});

test('a register rests for whole milliseconds, which PostgreSQL asks for', async () => {
  await using sample = await openSampleStore();
  const { store } = sample;
  await importAll(store, 'acme', [identity('i-1', null, [ref('e-vendor'), ref('e-pay')])]);
  const released: number[] = [];
  const register: typeof store.register = {
    ...store.register,
    release: async (claim, availableAtMs) => {
      released.push(availableAtMs);
      await store.register.release(claim, availableAtMs);
    },
  };
  let workedMs = 0;
  const busyMs = () => {
    workedMs += 0.37;
    return workedMs;
  };
  loop = driveLoop(store, { nowMs: START_MS }, { register, busyMs });
  await expect.poll(() => released.length).toBeGreaterThan(0);
  await loop.idle();
  expect(released.filter((ms) => !Number.isInteger(ms))).toEqual([]);
  expect(loop.logged.filter((line) => line.includes('until its lease ends'))).toEqual([]);
});
