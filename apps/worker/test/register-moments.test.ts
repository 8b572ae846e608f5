import type { SodViolation, TimedAccessRef } from '@access-admin/domain';
import type { RegisterMaintenance, Store } from '@access-admin/store';
import { cases, SEED } from '@access-admin/test-depth';
import { expect, onTestFinished, test } from 'vitest';
import { createRegisterWorker, Killed, killedAt } from './drive-register.ts';
import { createRegisterWorld, type Expected, type RegisterWorld } from './register-world.ts';
import { createRandom, identity, importAt, policyOf, policyRecord } from './report-world.ts';
import { openNewStore } from './sample-store.ts';

const START_MS = Date.parse('2026-03-01T12:00:00.000Z');
const STEPS = 12;
const DAY_MS = 86_400_000;
const STEP_MS = 60;
const SEEDS = Array.from({ length: cases({ reduced: 8, full: 24 }) }, (_, at) => (SEED + at) >>> 0);
const TENANT = 'acme';
const iso = (ms: number) => new Date(ms).toISOString();

/** The data of a tenant since an instant. */
interface Since {
  readonly from: string;
  readonly expected: (at: string) => ReadonlyMap<string, Expected>;
}

/**
 * Reads the register as callers do. An answer has whatever held at its moment and at each later instant that a round compared for,
 * whichever later data are taken, and nothing that held at none of them.
 */
function createReader(store: Store, world: Pick<RegisterWorld, 'nowMs'>) {
  const history: Since[] = [];
  const compared = new Set<string>();
  const read = () => {
    const query = { conditions: [], sorters: [], now: iso(world.nowMs) };
    const page = { limit: 250, offset: 0, after: null, isCounted: true };
    return store.violations.list(TENANT, query, page);
  };
  const possibleSince = (asOf: string) => {
    const first = Math.max(
      0,
      history.findLastIndex(({ from }) => from <= asOf),
    );
    const at = [asOf, ...[...compared].filter((instant) => instant > asOf)];
    return history
      .slice(first)
      .flatMap(({ expected }) => at.map((instant) => new Set([...expected(instant)].map(keyOfExpected))));
  };
  const verify = ({ asOf, violations, total }: Awaited<ReturnType<typeof read>>) => {
    expect(total).toEqual({ count: violations.length, isExact: true });
    for (const each of violations) {
      expect(each.created <= each.modified && each.modified <= iso(world.nowMs)).toBe(true);
      expect(each.lastEvaluatedDate).toBe(each.closed ?? asOf ?? iso(world.nowMs));
    }
    if (asOf === null) return;
    expect(asOf <= iso(world.nowMs)).toBe(true);
    const present = new Set(violations.filter(({ closed }) => closed === null).map(keyOf));
    const possible = possibleSince(asOf);
    const always = [...(possible[0] ?? [])].filter((key) => possible.every((each) => each.has(key)));
    expect(
      always.filter((key) => !present.has(key)),
      `missing as of ${asOf}`,
    ).toEqual([]);
    const neverHeld = [...present].filter((key) => !possible.some((each) => each.has(key)));
    expect(neverHeld, `never held since ${asOf}`).toEqual([]);
  };
  return {
    /** Notes the instants that rounds compare for. Between a caller's answers time may pass a violation by, but not a round. */
    watch: (register: RegisterMaintenance): RegisterMaintenance => ({
      ...register,
      apply: (claim, batch) => {
        compared.add(batch.at);
        return register.apply(claim, batch);
      },
    }),
    /** To be called after each change, with what the violations of the data must be at an instant. */
    remember: (expected: Since['expected']) => void history.push({ from: iso(world.nowMs), expected }),
    verify: async () => {
      verify(await read());
      const { asOf, open, mitigated } = await store.violations.summarize(TENANT, { now: iso(world.nowMs), days: 1 });
      const listed = await read();
      const count = (status: string) => listed.violations.filter((each) => each.status === status).length;
      // The clock stands still, and nobody writes.
      expect([asOf, open, mitigated]).toEqual([listed.asOf, count('Open'), count('Mitigated')]);
    },
  };
}

const keyOf = ({ target, policy, exception, name }: SodViolation) =>
  `${target.id} ${policy.id} ${exception?.id ?? null} ${name}`;
const keyOfExpected = ([key, { exceptionId, name }]: readonly [string, Expected]) => `${key} ${exceptionId} ${name}`;

test.each(SEEDS)('every answer is complete up to its moment in random history %i', async (seed) => {
  const random = createRandom(seed);
  await using opened = await openNewStore();
  const { store } = opened;
  const world = await createRegisterWorld(store, TENANT, START_MS);
  const reader = createReader(store, world);
  await world.populate(random);
  reader.remember(await world.remember());
  const watched = reader.watch(store.register);
  const startWorker = (register = watched) =>
    createRegisterWorker(store, register, { batchMax: random(3) === 0 ? 1_000 : 1 + random(3) });
  const change = async () => {
    // No answer before is of the instant of the change.
    world.nowMs += 1;
    await world.change(random);
    reader.remember(await world.remember());
  };
  for (let step = 0; step < STEPS; step++) {
    if (random(3) === 0) world.passTime(random);
    for (let count = random(4); count > 0; count--) await change();
    await reader.verify();
    if (random(3) === 0) world.nowMs += DAY_MS;
    let left = random(5);
    const onStep = async () => {
      world.nowMs += STEP_MS;
      if (left > 0 && random(3) === 0) {
        left -= 1;
        await change();
      }
      await reader.verify();
      return world.nowMs;
    };
    if (random(3) === 0) {
      const dying = startWorker(killedAt(watched, 1 + random(6), random(2) === 0));
      await dying.settle(world.nowMs, onStep).catch((error) => expect(error).toBeInstanceOf(Killed));
      await reader.verify();
      world.nowMs += 5_001;
    }
    await startWorker().settle(world.nowMs, onStep);
    await reader.verify();
  }
});

const ACCESS = [
  { type: 'ENTITLEMENT', id: 'a' },
  { type: 'ENTITLEMENT', id: 'b' },
] as const;

/** A tenant with a policy that identities violate, and a worker for whose clock time passes when data are opened. */
async function openTicking() {
  const opened = await openNewStore();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const { store } = opened;
  const world = await createRegisterWorld(store, TENANT, START_MS);
  const policy = policyRecord(policyOf('p', [['a'], ['b']], { state: 'ENFORCED' }));
  const importAtNow = async (id: string, access: readonly TimedAccessRef[] = ACCESS) => {
    world.nowMs += 1;
    await importAt(store, { tenant: TENANT, now: iso(world.nowMs) }, [policy, identity(id, null, access)]);
    world.nowMs += 1;
    return { answered: iso(world.nowMs) };
  };
  const read = async () => {
    const query = { conditions: [], sorters: [], now: iso(world.nowMs) };
    const { asOf, violations } = await store.violations.list(TENANT, query, { limit: 9, offset: 0, after: null });
    return { asOf: asOf ?? '', ids: violations.map(({ target }) => target.id) };
  };
  return { store, world, importAtNow, read };
}

test.each(['before', 'after'])(
  'a change that is committed just %s the data are opened is in the register, or later than its moment',
  async (when) => {
    const { store, world, importAtNow, read } = await openTicking();
    await importAtNow('first');
    let changed: Awaited<ReturnType<typeof importAtNow>> | null = null;
    const register: RegisterMaintenance = {
      ...store.register,
      openSource: async (tenant) => {
        const openNow = () => store.register.openSource(tenant);
        if (changed !== null) return openNow();
        const source = when === 'after' ? await openNow() : null;
        changed = await importAtNow('second');
        return source ?? openNow();
      },
    };
    expect(await createRegisterWorker(store, register, { now: () => world.nowMs }).round()).toBe(true);
    const { asOf, ids } = await read();
    const { answered = '' } = changed ?? {};
    expect(ids).toContain('first');
    if (!ids.includes('second')) expect(asOf < answered, `${asOf} lacks a change of ${answered}`).toBe(true);
  },
);

test('a round shows a violation that has ended before the first answer that has it', async () => {
  const { store, world, importAtNow, read } = await openTicking();
  const reader = createReader(store, world);
  const worker = createRegisterWorker(store, reader.watch(store.register));
  reader.remember(() => new Map());
  await worker.settle(world.nowMs);
  const { asOf } = await read();
  const startMs = world.nowMs + 1;
  const endMs = startMs + DAY_MS / 2;
  const [a, b] = ACCESS;
  await importAtNow('brief', [a, { ...b, start: iso(startMs), end: iso(endMs) }]);
  const violation = { name: 'Policy p: brief', level: 'HIGH', exceptionId: null, items: '' };
  reader.remember((at) => new Map(iso(startMs) <= at && at < iso(endMs) ? [['brief p', violation]] : []));
  const answers: Awaited<ReturnType<typeof read>>[] = [];
  await worker.settle(world.nowMs, async () => {
    world.nowMs = endMs;
    await reader.verify();
    answers.push(await read());
    return endMs;
  });
  expect(answers).toContainEqual({ asOf, ids: ['brief'] });
  await reader.verify();
  const query = { conditions: [], sorters: [], now: iso(endMs) };
  const settled = await store.violations.list(TENANT, query, { limit: 9, offset: 0, after: null });
  expect(settled).toMatchObject({ asOf: iso(endMs), violations: [{ status: 'Remediated', closed: iso(endMs) }] });
});

test('what is shown before everything is verified lacks no instant of identities that were compared before a later change', async () => {
  const { store, world, importAtNow, read } = await openTicking();
  await importAtNow('first');
  await createRegisterWorker(store).settle(world.nowMs);
  world.nowMs += DAY_MS;
  const [a, b] = ACCESS;
  const startMs = world.nowMs + 500;
  await importAtNow('later', [a, { ...b, start: iso(startMs) }]);
  const published: Awaited<ReturnType<typeof read>>[] = [];
  const register: RegisterMaintenance = {
    ...store.register,
    publish: async (claim, round) => {
      const isPublished = await store.register.publish(claim, round);
      published.push(await read());
      return isPublished;
    },
  };
  let isChanged = false;
  await createRegisterWorker(store, register).settle(world.nowMs, async () => {
    // The identity has been compared, and its next instant is not stored yet.
    if (!isChanged) {
      isChanged = true;
      world.nowMs += 1_000;
      await importAtNow('other');
    }
    return world.nowMs;
  });
  expect(published[0]?.ids).toEqual(expect.arrayContaining(['first', 'other']));
  const lacking = published.filter(({ asOf, ids }) => asOf >= iso(startMs) && !ids.includes('later'));
  expect(lacking).toEqual([]);
  expect(published.at(-1)?.ids).toContain('later');
});
