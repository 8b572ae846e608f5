import type { AccessModelRecord, SodPolicy } from '@access-admin/domain';
import { openRowReader, readRows } from '@access-admin/harness';
import { cases, SEED } from '@access-admin/test-depth';
import { expect, onTestFinished, test } from 'vitest';
import { createRegisterWorker, Killed } from './drive-register.ts';
import { createRegisterWorld } from './register-world.ts';
import { createRandom, identity, importAt, policyOf, policyRecord } from './report-world.ts';
import { openNewStore } from './sample-store.ts';
import { expectCounts, expectEvents, expectExpiries, expectRegister, readEvents } from './verify-register.ts';

const START_MS = Date.parse('2026-03-01T12:00:00.000Z');
const STEPS = 12;
const STEP_MS = 60;
const SEEDS = Array.from({ length: cases({ reduced: 8, full: 24 }) }, (_, at) => (SEED + at) >>> 0);

test.each(SEEDS)('changes that are made during a round are taken in, in random history %i', async (seed) => {
  const random = createRandom(seed);
  await using opened = await openNewStore();
  await using reader = await openRowReader(opened.url);
  const place = { store: opened.store, reader, tenant: `t-${seed}` };
  const world = await createRegisterWorld(place.store, place.tenant, START_MS);
  const exceptionsMax = random(3) === 0 ? random(3) : 1_000;
  const batchMax = random(2) === 0 ? 1 + random(3) : 1_000;
  const worker = createRegisterWorker(place.store, place.store.register, { exceptionsMax, batchMax });
  await worker.settle(world.nowMs);
  for (let step = 0; step < STEPS; step++) {
    for (let count = 1 + random(3); count > 0; count--) await world.change(random);
    let left = random(5);
    await worker.settle(world.nowMs, async () => {
      world.nowMs += STEP_MS;
      if (left > 0 && random(3) === 0) {
        left -= 1;
        await world.change(random);
      }
      return world.nowMs;
    });
    await worker.settle(world.nowMs);
    const rows = await expectRegister(place, world, () => worker.settle(world.nowMs));
    await expectCounts(place, rows);
    const events = await readEvents(place);
    expectEvents(events, rows);
    await expectExpiries(place, world, events);
  }
});

const ACCESS = [
  { type: 'ENTITLEMENT', id: 'a' },
  { type: 'ENTITLEMENT', id: 'b' },
] as const;

/** Forty identities that a policy violates, which is enforced or not, in a register that is up to date. */
async function openForty(state: SodPolicy['state']) {
  const opened = await openNewStore();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const { store } = opened;
  const world = await createRegisterWorld(store, 'acme', START_MS);
  const importSome = (records: readonly AccessModelRecord[]) =>
    importAt(store, { tenant: 'acme', now: new Date(world.nowMs).toISOString() }, records);
  const policy = policyRecord(policyOf('p', [['a'], ['b']], { state }));
  await importSome([policy, ...Array.from({ length: 40 }, (_, at) => identity(`m-${at}`, null, ACCESS))]);
  const worker = createRegisterWorker(store, store.register, { batchMax: 7 });
  await worker.settle(world.nowMs);
  const shown = async () => {
    const query = { conditions: [], sorters: [], now: new Date(world.nowMs).toISOString() };
    const { violations } = await store.violations.list('acme', query, { limit: 250, offset: 0, after: null });
    return violations.map(({ target }) => target.id);
  };
  return { store, world, importSome, worker, shown };
}

test('a change of an identity is shown before the end of a comparison that only verifies the register', async () => {
  const { store, world, importSome, worker, shown } = await openForty('ENFORCED');
  await store.register.demandComparisons(new Date(world.nowMs).toISOString(), '9999');
  let steps = 0;
  let shownAt = Number.POSITIVE_INFINITY;
  await worker.settle(world.nowMs, async () => {
    steps += 1;
    world.nowMs += STEP_MS;
    if (steps === 2) await importSome([identity('late', null, ACCESS)]);
    if (shownAt > steps && (await shown()).includes('late')) shownAt = steps;
    return world.nowMs;
  });
  expect(shownAt).toBeLessThan(steps - 5);
});

test('a change of the rulebook does not wait for a comparison that only verifies the register', async () => {
  const { store, world, importSome, worker } = await openForty('ENFORCED');
  await store.register.demandComparisons(new Date(world.nowMs).toISOString(), '9999');
  let steps = 0;
  let isRenamed = false;
  const rounds = await worker.settle(world.nowMs, async () => {
    steps += 1;
    world.nowMs += STEP_MS;
    if (steps === 2) {
      const renamed = policyOf('p', [['a'], ['b']], { state: 'ENFORCED', name: 'Renamed' });
      await importSome([policyRecord(renamed)]);
      isRenamed = true;
    }
    return world.nowMs;
  });
  expect(isRenamed).toBe(true);
  // The one that was given up, that of the policy, and the comparison.
  expect(rounds).toBe(3);
});

test('a change does not wait for what a dead worker has left to tell, nor for a comparison that is due', async () => {
  const { store, world, importSome, shown } = await openForty('NOT_ENFORCED');
  await importSome([policyRecord(policyOf('p', [['a'], ['b']], { state: 'ENFORCED' }))]);
  const settle = async () => {
    throw new Killed();
  };
  const options = { batchMax: 7, now: () => world.nowMs };
  const dying = createRegisterWorker(store, { ...store.register, settle }, options);
  await expect(dying.round()).rejects.toBeInstanceOf(Killed);
  expect(await shown()).toHaveLength(40);
  world.nowMs += 5_001;
  await store.register.demandComparisons(new Date(world.nowMs).toISOString(), '9999');
  await importSome([identity('late', null, ACCESS)]);
  let settled = 0;
  const counting: typeof store.register = {
    ...store.register,
    settle: async (...args) => {
      if (!(await shown()).includes('late')) settled += 1;
      return store.register.settle(...args);
    },
  };
  const next = createRegisterWorker(store, counting, options);
  while (await next.round());
  expect(settled).toBe(0);
  expect(await shown()).toHaveLength(41);
  const { events } = await store.events.read('acme', { types: ['sod.violation.opened'], limit: 100 });
  expect(events).toHaveLength(41);
});

test('a change of an identity during a round of a policy is shown with the policy, not before and not after', async () => {
  const { world, importSome, worker, shown } = await openForty('NOT_ENFORCED');
  await importSome([policyRecord(policyOf('p', [['a'], ['b']], { state: 'ENFORCED' }))]);
  let steps = 0;
  const seen = new Set<number>();
  const rounds = await worker.settle(world.nowMs, async () => {
    steps += 1;
    world.nowMs += STEP_MS;
    if (steps === 2) await importSome([identity('late', null, ACCESS)]);
    seen.add((await shown()).length);
    return world.nowMs;
  });
  expect(await shown()).toHaveLength(41);
  expect([...seen]).toEqual([0, 41]);
  expect(rounds).toBe(1);
});

test.each([
  ['does not wait for a running write when none has changed', false],
  ['finds what a running write has staged when one has changed', true],
])('looking for changed identities %s', async (_, isChanged) => {
  await using opened = await openNewStore();
  const { store } = opened;
  const tenant = 'acme';
  const batchMax = 20;
  const count = batchMax + 1;
  let nowMs = START_MS;
  const importSome = (some: readonly AccessModelRecord[]) =>
    importAt(store, { tenant, now: new Date(nowMs).toISOString() }, some);
  await importSome([
    ...ACCESS.map(({ id }): AccessModelRecord => ({ kind: 'entitlement', id, name: id, source: null })),
    { kind: 'identityProfile', id: 'ip', name: 'ip' },
    ...Array.from({ length: count }, (__, at) => identity(`m-${at}`, null, ACCESS)),
  ]);
  let changing: Promise<void> | null = null;
  const looked = Promise.withResolvers<void>();
  const register: typeof store.register = {
    ...store.register,
    // The first write ends after a look that began later, and one of its identities changes meanwhile.
    stage: async (claim, batch, leaseEndMs) => {
      const identityId = batch.opened[0]?.found.identityId ?? '';
      changing ??= isChanged ? importSome([identity(identityId, 'Changed', ACCESS)]) : Promise.resolve();
      await looked.promise;
      return store.register.stage(claim, batch, leaseEndMs);
    },
    openSource: async (of) => {
      await changing;
      if (changing !== null) looked.resolve();
      return { ...(await store.register.openSource(of)), renew: null };
    },
  };
  // The worker stages as for PostgreSQL: some while the next ones are collected, from one snapshot.
  const worker = createRegisterWorker({ ...store, engine: 'postgres' }, register, { batchMax });
  await worker.settle(nowMs);
  await importSome([policyRecord(policyOf('p', [['a'], ['b']], { state: 'ENFORCED' }))]);
  await worker.settle(nowMs, async () => {
    nowMs += STEP_MS;
    return nowMs;
  });
  const rows = await readRows<{ target_name: string }>(opened.url, 'select target_name from sod_violation');
  expect(rows).toHaveLength(count);
  expect(rows.filter(({ target_name }) => target_name === 'Changed')).toHaveLength(isChanged ? 1 : 0);
});

test.each([
  ['ENTITLEMENT', 'a', [{ kind: 'entitlement', id: 'a', name: 'a', source: null }]],
  ['ACCESS_PROFILE', 'new', [{ kind: 'accessProfile', id: 'new', name: 'new', entitlements: ['a'] }]],
  ['ROLE', 'new', [{ kind: 'role', id: 'new', name: 'new', accessProfiles: [], entitlements: ['a'] }]],
] as const)(
  'an identity that receives a new record during a round is compared with it: %s',
  async (type, id, records) => {
    await using opened = await openNewStore();
    const { store, url } = opened;
    const tenant = 'acme';
    const entitlements = (type === 'ENTITLEMENT' ? ['b', 'c'] : ['a', 'b', 'c']).map(
      (each): AccessModelRecord => ({ kind: 'entitlement', id: each, name: each, source: null }),
    );
    let nowMs = START_MS;
    const importSome = (some: readonly AccessModelRecord[]) =>
      importAt(store, { tenant, now: new Date(nowMs).toISOString() }, some);
    const held = (ids: readonly string[]) => ids.map((each) => ({ type: 'ENTITLEMENT', id: each }) as const);
    await importSome([
      ...entitlements,
      { kind: 'identityProfile', id: 'ip', name: 'ip' },
      policyRecord(policyOf('q', [['a'], ['b']], { state: 'ENFORCED' })),
      ...Array.from({ length: 40 }, (_, at) => identity(`m-${at}`, null, held(['b', 'c']))),
    ]);
    const worker = createRegisterWorker(store);
    await worker.settle(nowMs);
    await importSome([policyRecord(policyOf('p', [['b'], ['c']], { state: 'ENFORCED' }))]);
    let steps = 0;
    await worker.settle(nowMs, async () => {
      steps += 1;
      nowMs += STEP_MS;
      if (steps === 2) await importSome([...records, identity('late', null, [{ type, id }, ...held(['b'])])]);
      return nowMs;
    });
    const rows = await readRows<{ policy_id: string }>(url, "select * from sod_violation where identity_id = 'late'");
    expect(rows.map(({ policy_id }) => policy_id)).toEqual(['q']);
  },
);
