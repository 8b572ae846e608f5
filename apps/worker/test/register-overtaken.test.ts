import type { AccessModelRecord, SodPolicy } from '@access-admin/domain';
import { openRowReader, readRows } from '@access-admin/harness';
import { cases, SEED } from '@access-admin/test-depth';
import { expect, onTestFinished, test } from 'vitest';
import { createRegisterWorker } from './drive-register.ts';
import { withChanges } from './play-history.ts';
import { createRegisterWorld } from './register-world.ts';
import { createRandom, identity, importAt, policyOf, policyRecord } from './report-world.ts';
import { openNewStore } from './sample-store.ts';
import { expectCounts, expectEvents, expectExpiries, expectRegister, readEvents } from './verify-register.ts';

const START_MS = Date.parse('2026-03-01T12:00:00.000Z');
const DAY_MS = 86_400_000;
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
    await expectCounts(place, world, rows);
    const events = await readEvents(place);
    expectEvents(events, rows);
    await expectExpiries(place, world, events);
  }
});

const ACCESS = [
  { type: 'ENTITLEMENT', id: 'a' },
  { type: 'ENTITLEMENT', id: 'b' },
] as const;

const roleOf = (entitlements: readonly string[]): AccessModelRecord => ({
  kind: 'role',
  id: 'r',
  name: 'r',
  entitlements,
  accessProfiles: [],
});

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
  const { world, importSome, worker, shown } = await openForty('ENFORCED');
  world.nowMs += DAY_MS;
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
  const { world, importSome, worker } = await openForty('ENFORCED');
  world.nowMs += DAY_MS;
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

test('a change of an identity is shown before the end of a round of a policy, and what the round found is shown as it is stored', async () => {
  const { world, importSome, worker, shown } = await openForty('NOT_ENFORCED');
  await importSome([policyRecord(policyOf('p', [['a'], ['b']], { state: 'ENFORCED' }))]);
  let steps = 0;
  const counts: number[] = [];
  let withLate = 0;
  await worker.settle(world.nowMs, async () => {
    steps += 1;
    world.nowMs += STEP_MS;
    if (steps === 2) await importSome([identity('late', null, ACCESS)]);
    const ids = await shown();
    counts.push(ids.length);
    if (withLate === 0 && ids.includes('late')) withLate = ids.length;
    return world.nowMs;
  });
  expect(await shown()).toHaveLength(41);
  expect(counts).toEqual(counts.toSorted((one, other) => one - other));
  expect(new Set(counts).size).toBeGreaterThan(4);
  expect(withLate).toBeLessThan(41);
});

test('during a round of a policy, a change of an identity is shown with the policies that another change has made', async () => {
  const { store, world, importSome, worker, shown } = await openForty('ENFORCED');
  await importSome([policyRecord(policyOf('q', [['a'], ['b']], { state: 'ENFORCED' }))]);
  const statusesOf = async (id: string) => {
    const conditions = [{ field: 'targetId', operator: 'in', values: [id] }] as const;
    const query = { conditions, sorters: [], now: new Date(world.nowMs).toISOString() };
    const { violations } = await store.violations.list('acme', query, { limit: 10, offset: 0, after: null });
    return violations.map(({ policy, status }) => `${policy.id} ${status}`).toSorted();
  };
  let steps = 0;
  let seen: readonly string[] | null = null;
  await worker.settle(world.nowMs, async () => {
    steps += 1;
    world.nowMs += STEP_MS;
    if (steps === 2)
      await importSome([
        policyRecord(policyOf('p', [['a'], ['b']], { state: 'NOT_ENFORCED' })),
        identity('m-39', 'Changed', ACCESS),
      ]);
    const statuses = await statusesOf('m-39');
    if (seen === null && statuses.includes('p Closed') && (await shown()).length < 79) seen = statuses;
    return world.nowMs;
  });
  expect(seen).toEqual(['p Closed', 'q Open']);
  expect(await statusesOf('m-39')).toEqual(['p Closed', 'q Open']);
  expect(await statusesOf('m-1')).toEqual(['p Closed', 'q Open']);
});

test('a policy is taken in although others change all the time', async () => {
  const { world, importSome, worker, shown } = await openForty('NOT_ENFORCED');
  await importSome([policyRecord(policyOf('p', [['a'], ['b']], { state: 'ENFORCED' }))]);
  let changes = 0;
  const rounds = await worker.settle(world.nowMs, async () => {
    world.nowMs += STEP_MS;
    changes += 1;
    if ((await shown()).length < 40) {
      const name = `Other ${changes}`;
      await importSome([
        policyRecord(policyOf('q', [['a'], ['c']], { state: 'ENFORCED', name })),
        identity('m-39', name, ACCESS),
      ]);
    }
    return world.nowMs;
  });
  expect(await shown()).toHaveLength(40);
  expect(rounds).toBeLessThan(5);
});

test('the register moves on although too many identities to compare one by one change in each round', async () => {
  const { store, world, importSome } = await openForty('NOT_ENFORCED');
  world.nowMs += STEP_MS;
  await importSome([policyRecord(policyOf('p', [['a'], ['b']], { state: 'ENFORCED' }))]);
  // The plan of a round, and only that, has a bound.
  const few = withChanges(store.register, (changes) =>
    (changes.identities?.size ?? 0) > 10 ? { ...changes, identities: null } : changes,
  );
  const worker = createRegisterWorker(store, few, { batchMax: 7 });
  const readAsOf = async () =>
    (await store.violations.readView('acme', new Date(world.nowMs).toISOString())).asOf ?? '';
  const before = await readAsOf();
  let changes = 0;
  await worker.settle(world.nowMs, async () => {
    world.nowMs += STEP_MS;
    if (changes < 300 && (await readAsOf()) <= before) {
      changes += 1;
      await importSome(Array.from({ length: 20 }, (_, at) => identity(`m-${at}`, `Changed ${changes}`, ACCESS)));
    }
    return world.nowMs;
  });
  expect(changes).toBeGreaterThan(5);
  expect(changes).toBeLessThan(300);
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

test('a violation that a changed role has ended is not opened again by a round that was planned before', async () => {
  const { store, world, importSome, worker } = await openForty('ENFORCED');
  const ofRole = (displayName: string) => identity('of-role', displayName, [{ type: 'ROLE', id: 'r' }]);
  await importSome([roleOf(['a', 'b']), ofRole('At first')]);
  await worker.settle(world.nowMs);
  const renamed = policyOf('p', [['a'], ['b']], { state: 'ENFORCED', name: 'Renamed' });
  await importSome([policyRecord(renamed), ofRole('Changed')]);
  let rounds = 0;
  const overtaken = createRegisterWorker(store, {
    ...store.register,
    // Follows the plan of each round.
    voidExceptions: async (...given) => {
      await store.register.voidExceptions(...given);
      rounds += 1;
      if (rounds === 1) await importSome([roleOf(['a'])]);
    },
  });
  await overtaken.settle(world.nowMs);
  const conditions = [{ field: 'targetId', operator: 'in', values: ['of-role'] }] as const;
  const query = { conditions, sorters: [], now: new Date(world.nowMs).toISOString() };
  const { violations } = await store.violations.list('acme', query, { limit: 10, offset: 0, after: null });
  expect(violations.map(({ status }) => status)).toEqual(['Remediated']);
});
