import { randomUUID } from 'node:crypto';
import type { SodViolation } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import {
  digestOfFound,
  type PresentViolation,
  type RegisterBatch,
  type RegisterClaim,
  type RegisterRound,
  type Store,
} from '../../src/index.ts';
import { actIn, deletion, identity, importAll, NOW, people } from '../model-records.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';

const NOW_MS = Date.parse(NOW);
const after = (ms: number) => new Date(NOW_MS + ms).toISOString();
const NOTHING: RegisterBatch = { opened: [], changed: [], ended: [], due: [] };

const found = (identityId: string, fields: Partial<PresentViolation> = {}): PresentViolation => ({
  identityId,
  targetName: identityId,
  policyId: 'p',
  policyName: 'Pay',
  levelRank: 1,
  criteria: '[]',
  exception: null,
  ...fields,
});

/** A worker's part of the register of a tenant, written step by step. */
function createKeeper({ register }: Store) {
  let claim: RegisterClaim | null = null;
  const held = () => {
    if (claim === null) throw new Error('The register is not claimed.');
    return claim;
  };
  const conclude = async (asOf: string, batch: Partial<RegisterBatch> = {}, goesOn = false) => {
    const { version, identityRevision } = await register.readVersion('acme');
    const round: RegisterRound = {
      ...version,
      identityRevision,
      identities: 3,
      asOf,
      now: asOf,
      compareDue: after(86_400_000),
      corrected: null,
      changed: { policies: [], gone: [] },
      goesOn,
    };
    return register.conclude(held(), { ...NOTHING, ...batch }, round);
  };
  return {
    claim: async (now = NOW) => {
      claim = await register.claim({ nowMs: Date.parse(now), leaseMs: 1_000, except: [] });
      return claim !== null;
    },
    stage: (batch: Partial<RegisterBatch>) => register.stage(held(), { ...NOTHING, ...batch }, NOW_MS + 1_000),
    conclude,
    takeBack: async () => {
      while ((await register.takeBack(held(), NOW_MS + 1_000)) === 'more');
    },
    settle: async (goesOn = false) => {
      while ((await register.settle(held(), { leaseEndMs: NOW_MS + 1_000, goesOn })) === 'more');
    },
    stored: async () => {
      await using source = await register.openSource('acme');
      const all = new Map<string, Awaited<ReturnType<typeof source.storedOf>>[number]>();
      for (const each of await source.storedOf(['i-1', 'i-2', 'i-3', 'i-4'])) all.set(each.identity_id, each);
      return (identityId: string) => {
        const stored = all.get(identityId);
        if (stored === undefined) throw new Error(`${identityId} violates nothing.`);
        return stored;
      };
    },
  };
}

/** A register with violations of three identities, as of `NOW`. */
async function openRegister(engine: StoreEngine) {
  const database = await openDatabase(engine);
  const { store } = database;
  await importAll(store, 'acme', people({ 'i-1': [], 'i-2': [], 'i-3': [], 'i-4': [] }));
  const keeper = createKeeper(store);
  await keeper.claim();
  const opened = ['i-1', 'i-2', 'i-3'].map((id) => ({ at: NOW, found: found(id) }));
  await keeper.conclude(NOW, { opened });
  return { database, store, keeper };
}

/** Changes data that the register does not have then. */
const change = (store: Store) => importAll(store, 'acme', [identity(randomUUID())]);

const ALL = { conditions: [], sorters: [] } as const;

/** Everything that readers see of the register at an instant. */
async function readAll({ violations, lookUps }: Store, now: string) {
  const query = { ...ALL, now };
  const listed = await violations.list('acme', query, { limit: 50, offset: 0, after: null, isCounted: true });
  const exported: SodViolation[] = [];
  await using opened = await violations.export('acme', query);
  for await (const each of opened.violations) exported.push(each);
  const { open, mitigated, byPolicy, trend, asOf } = await violations.summarize('acme', { now, days: 1 });
  const { records } = await lookUps.list(
    { tenant: 'acme', kind: 'identity', query: { conditions: [], sorters: [] } },
    { limit: 50, offset: 0, after: null },
  );
  expect([opened.asOf, asOf]).toEqual([listed.asOf, listed.asOf]);
  expect(exported).toEqual(listed.violations);
  return {
    asOf,
    shown: listed.violations.map(({ target, status }) => `${target.id} ${status}`).toSorted(),
    violations: listed.violations,
    total: listed.total?.count,
    summary: { open, mitigated, oldest: byPolicy[0]?.oldest ?? null, openToday: trend[0]?.open },
    counted: Object.fromEntries(
      records.flatMap((record) =>
        record.id.startsWith('i-') && 'violations' in record ? [[record.id, record.violations]] : [],
      ),
    ),
  };
}

const told = async ({ events }: Store) => {
  const types = ['opened', 'mitigated', 'reopened', 'remediated', 'closed', 'reassigned'].map(
    (each) => `sod.violation.${each}` as const,
  ) as never;
  const page = await events.read('acme', { types, limit: 100 });
  return page.events.map(({ type, data }) => `${type.slice('sod.violation.'.length)} ${JSON.parse(data).target.id}`);
};

/** The moment of answers, and what they show. */
export function describeMoments(engine: StoreEngine): void {
  describe('the moment of the register', () => {
    test('does not go back when data change, in any process', async () => {
      const { database, store } = await openRegister(engine);
      await using _database = database;
      const other = await database.openAnother();
      const now = after(60_000);
      expect(await store.violations.readView('acme', now)).toMatchObject({ asOf: now });
      await change(store);
      const later = after(120_000);
      for (const { violations } of [store, other]) {
        expect(await violations.readView('acme', later)).toMatchObject({ asOf: now });
        expect(await violations.list('acme', { ...ALL, now: later }, PAGE)).toMatchObject({ asOf: now });
      }
    });

    test('is that of a clock that was ahead only until another reader comes', async () => {
      const { database, store } = await openRegister(engine);
      await using _database = database;
      const ahead = after(3_600_000);
      expect(await store.violations.readView('acme', ahead)).toMatchObject({ asOf: ahead });
      for (const ms of [1_000, 2_000, 3_596_000])
        expect(await store.violations.readView('acme', after(ms))).toMatchObject({ asOf: after(ms) });
    });

    test('is the same for all reads that begin within a quarter of a second', async () => {
      const { database, store } = await openRegister(engine);
      await using _database = database;
      const now = after(60_000);
      for (const ms of [60_000, 60_100, 60_250])
        expect(await store.violations.readView('acme', after(ms))).toMatchObject({ asOf: now });
      expect(await store.violations.readView('acme', after(60_251))).toMatchObject({ asOf: after(60_251) });
    });

    test('passes no instant at which time alone changes the register', async () => {
      const { database, store, keeper } = await openRegister(engine);
      await using _database = database;
      await change(store);
      await keeper.claim();
      await keeper.conclude(after(1_000), { due: [{ identityId: 'i-1', due: after(30_000) }] });
      expect(await store.violations.readView('acme', after(29_999))).toMatchObject({ asOf: after(29_999) });
      expect(await store.violations.readView('acme', after(60_000))).toMatchObject({ asOf: after(29_999) });
    });

    test('is that of every violation of an export, whatever changes while it is read', async () => {
      const { database, store, keeper } = await openRegister(engine);
      await using _database = database;
      await using exported = await store.violations.export('acme', { ...ALL, now: NOW });
      await change(store);
      await keeper.claim();
      const stored = await keeper.stored();
      const ended = [{ at: after(1_000), stored: stored('i-1'), status: 'Remediated' as const }];
      await keeper.conclude(after(1_000), { opened: [{ at: after(1_000), found: found('i-4') }], ended });
      const seen: string[] = [];
      for await (const { target, lastEvaluatedDate } of exported.violations)
        seen.push(`${target.id} ${lastEvaluatedDate}`);
      expect(seen.toSorted()).toEqual(['i-1', 'i-2', 'i-3'].map((id) => `${id} ${exported.asOf}`));
    });

    test('is no earlier than a change of an owner, which is of the present where the register is', async () => {
      const { database, store } = await openRegister(engine);
      await using _database = database;
      const [violation] = (await readAll(store, NOW)).violations;
      const reassign = async (assigneeId: string, time: string) => {
        const caller = { identityId: null, isForAll: true };
        const reassignment = { id: violation?.id ?? '', assigneeId, comments: null, caller };
        const reassigned = await store.violations.reassign(actIn('acme', time), reassignment);
        if (!reassigned.ok || reassigned.value === null) throw new Error('The violation was not reassigned.');
        return reassigned.value;
      };
      const present = await reassign('i-4', after(10));
      expect([present.modified, present.lastEvaluatedDate]).toEqual([after(10), after(10)]);
      expect(await readAll(store, after(10))).toMatchObject({ asOf: after(10) });
      // From now on it is behind.
      await change(store);
      const earlier = await reassign('i-2', after(60_000));
      expect([earlier.modified, earlier.lastEvaluatedDate, earlier.owner?.id]).toEqual([after(10), after(10), 'i-2']);
      const { asOf, violations } = await readAll(store, after(60_000));
      expect([asOf, violations.find(({ id }) => id === earlier.id)?.modified]).toEqual([after(10), after(10)]);
    });
  });

  describe('the deletion of an owner', () => describeDeletedOwner(engine));

  describe('a round that is staged', () => describeStaging(engine));
}

const PAGE = { limit: 10, offset: 0, after: null };

/** Stages that one violation begins, one changes, and one ends. */
async function stageThree({ store, keeper }: Pick<Awaited<ReturnType<typeof openRegister>>, 'store' | 'keeper'>) {
  await change(store);
  await keeper.claim(after(1_000));
  const stored = await keeper.stored();
  const at = after(1_000);
  const covered = found('i-2', { exception: { id: 'x-1', end: after(9_000_000) } });
  await keeper.stage({ opened: [{ at, found: found('i-4') }] });
  await keeper.stage({ changed: [{ at, stored: stored('i-2'), found: covered }] });
  await keeper.stage({ ended: [{ at, stored: stored('i-1'), status: 'Remediated' }] });
  return { at, covered };
}

const BEFORE = {
  shown: ['i-1 Open', 'i-2 Open', 'i-3 Open'],
  total: 3,
  summary: { open: 3, mitigated: 0, oldest: NOW, openToday: 3 },
};
const AFTER = {
  shown: ['i-1 Remediated', 'i-2 Mitigated', 'i-3 Open', 'i-4 Open'],
  total: 4,
  summary: { open: 2, mitigated: 1, oldest: NOW, openToday: 3 },
};

function describeDeletedOwner(engine: StoreEngine): void {
  type Keeper = ReturnType<typeof createKeeper>;
  const at = after(1_000);
  const ended = async (keeper: Keeper) => {
    const stored = await keeper.stored();
    return { ended: [{ at, stored: stored('i-1'), status: 'Remediated' as const }] };
  };

  test.each<[string, (keeper: Keeper) => Promise<Partial<RegisterBatch>>]>([
    ['at once', ended],
    [
      'in a staged round',
      async (keeper) => {
        await keeper.stage(await ended(keeper));
        return {};
      },
    ],
    [
      'in a staged round that had changed it',
      async (keeper) => {
        const stored = await keeper.stored();
        await keeper.stage({
          changed: [{ at, stored: stored('i-1'), found: found('i-1', { policyName: 'Pay more' }) }],
        });
        await keeper.stage(await ended(keeper));
        return {};
      },
    ],
  ])('leaves violations that have ended %s as they were, and takes the others from the owner', async (_, end) => {
    const { database, store, keeper } = await openRegister(engine);
    await using _database = database;
    await importAll(store, 'acme', [identity('i-4', { displayName: 'Grace' })]);
    for (const { id } of (await readAll(store, NOW)).violations) {
      const caller = { identityId: null, isForAll: true };
      const reassignment = { id, assigneeId: 'i-4', comments: null, caller };
      expect(await store.violations.reassign(actIn('acme', NOW), reassignment)).toMatchObject({ ok: true });
    }
    await keeper.claim(at);
    await keeper.conclude(at, await end(keeper));
    await keeper.settle();
    const violationOf = async (targetId: string, now: string) => {
      const violation = (await readAll(store, now)).violations.find(({ target }) => target.id === targetId);
      if (violation === undefined) throw new Error(`${targetId} violates nothing.`);
      return violation;
    };
    const before = await violationOf('i-1', at);
    expect(before).toMatchObject({
      status: 'Remediated',
      closed: at,
      modified: at,
      owner: { id: 'i-4', name: 'Grace' },
    });

    await importAll(store, 'acme', [deletion('identity', 'i-4')]);
    expect(await violationOf('i-1', at)).toEqual(before);
    const later = after(5_000);
    await keeper.claim(later);
    await keeper.conclude(later);
    await keeper.settle();
    expect(await violationOf('i-1', later)).toEqual(before);
    expect(await store.violations.find('acme', before.id, later)).toEqual(before);
    const present = await violationOf('i-2', later);
    expect(present).toMatchObject({ status: 'Open', modified: later });
    expect(present).not.toHaveProperty('owner');

    // Another identity with the id owns none of them.
    await importAll(store, 'acme', [identity('i-4', { displayName: 'Somebody else' })]);
    expect(await violationOf('i-1', later)).toEqual(before);
    expect(await store.violations.findOwner('acme', before.id)).toBeNull();
    const own = { field: 'ownerId', operator: 'eq', values: ['i-4'] } as const;
    const listed = { conditions: [own], sorters: [], now: later };
    const page = { limit: 10, offset: 0, after: null };
    expect((await store.violations.list('acme', listed, page)).violations).toEqual([]);
  });
}

function describeStaging(engine: StoreEngine): void {
  test('is not seen until it is concluded, and then all at once, with its moment', async () => {
    const { database, store, keeper } = await openRegister(engine);
    await using _database = database;
    const { at } = await stageThree({ store, keeper });
    const before = await readAll(store, after(60_000));
    expect(before).toMatchObject({ asOf: NOW, ...BEFORE });
    expect(before.counted).toMatchObject({ 'i-1': { open: 1 }, 'i-2': { open: 1, mitigated: 0 }, 'i-4': { open: 0 } });
    expect(await told(store)).toEqual(['opened i-1', 'opened i-2', 'opened i-3']);
    expect(await keeper.conclude(at)).toBe('more');
    const concluded = await readAll(store, at);
    expect(concluded).toMatchObject({ asOf: at, ...AFTER });
    expect(concluded.counted).toMatchObject({
      'i-1': { open: 0 },
      'i-2': { open: 0, mitigated: 1 },
      'i-4': { open: 1 },
    });
    await keeper.settle();
    expect(await readAll(store, at)).toEqual(concluded);
    const [, , , ...later] = await told(store);
    expect(later.toSorted()).toEqual(['mitigated i-2', 'opened i-4', 'remediated i-1']);
  });

  test('is found by filters and orders as it was until it is concluded', async () => {
    const { database, store, keeper } = await openRegister(engine);
    await using _database = database;
    await stageThree({ store, keeper });
    const list = async (
      field: 'status' | 'policyId' | 'created',
      value: string,
      sorter: 'level' | 'modified' | null,
    ) => {
      const operator = field === 'created' ? ('ge' as const) : ('eq' as const);
      const sorters = sorter === null ? [] : [{ field: sorter, descends: true }];
      const query = { conditions: [{ field, operator, values: [value] }], sorters, now: NOW };
      const { violations, total } = await store.violations.list('acme', query, { ...PAGE, isCounted: true });
      expect(total).toEqual({ count: violations.length, isExact: true });
      return violations.map(({ target }) => target.id).toSorted();
    };
    for (const sorter of [null, 'level', 'modified'] as const) {
      expect(await list('status', 'Open', sorter)).toEqual(['i-1', 'i-2', 'i-3']);
      expect(await list('status', 'Mitigated', sorter)).toEqual([]);
      expect(await list('status', 'Remediated', sorter)).toEqual([]);
      expect(await list('policyId', 'p', sorter)).toEqual(['i-1', 'i-2', 'i-3']);
      expect(await list('created', NOW, sorter)).toEqual(['i-1', 'i-2', 'i-3']);
    }
  });

  test('is taken back by the next claim if it was not concluded, without a trace', async () => {
    const { database, store, keeper } = await openRegister(engine);
    await using _database = database;
    const before = await readAll(store, NOW);
    await stageThree({ store, keeper });
    // The lease of a worker that is dead ends.
    const next = createKeeper(await database.openAnother());
    expect(await next.claim(after(10_000))).toBe(true);
    expect(await keeper.stage({})).toBe(false);
    expect(await keeper.conclude(after(1_000))).toBe(false);
    await next.takeBack();
    expect(await readAll(store, NOW)).toEqual(before);
    const stored = await next.stored();
    expect(stored('i-2').digest).toBe(digestOfFound(found('i-2')));
    expect(await next.conclude(after(10_000))).toBe(true);
    expect(await told(store)).toHaveLength(3);
  });

  test('is settled where a later round concerns it, before that is told', async () => {
    const { database, store, keeper } = await openRegister(engine);
    await using _database = database;
    const { at } = await stageThree({ store, keeper });
    await keeper.conclude(at);
    const next = createKeeper(await database.openAnother());
    expect(await next.claim(after(10_000))).toBe(true);
    const later = after(10_000);
    const stored = await next.stored();
    const ended = [{ at: later, stored: stored('i-4'), status: 'Closed' as const }];
    const changed = [{ at: later, stored: stored('i-2'), found: found('i-2') }];
    expect(await next.conclude(later, { ended, changed, opened: [{ at: later, found: found('i-1') }] })).toBe('more');
    expect((await readAll(store, later)).shown).toEqual([
      'i-1 Open',
      'i-1 Remediated',
      'i-2 Open',
      'i-3 Open',
      'i-4 Closed',
    ]);
    const order = (await told(store)).slice(3);
    expect(order).not.toContain('remediated i-1');
    for (const [first, second] of [
      ['opened i-4', 'closed i-4'],
      ['mitigated i-2', 'reopened i-2'],
    ] as const)
      expect(order.indexOf(first)).toBeLessThan(order.indexOf(second));
    await next.settle();
    const all = await told(store);
    expect(all.slice(-1)).toEqual(['remediated i-1']);
    expect(all).toHaveLength(9);
    expect((await readAll(store, later)).summary).toMatchObject({ open: 3, mitigated: 0 });
  });

  test('is told by the next claim if the worker dies after it is concluded, once', async () => {
    const { database, store, keeper } = await openRegister(engine);
    await using _database = database;
    const { at } = await stageThree({ store, keeper });
    await keeper.conclude(at);
    const next = createKeeper(await database.openAnother());
    expect(await next.claim(after(10_000))).toBe(true);
    await next.settle();
    expect((await told(store)).slice(3).toSorted()).toEqual(['mitigated i-2', 'opened i-4', 'remediated i-1']);
    expect(await next.claim(after(10_000))).toBe(false);
    expect(await readAll(store, at)).toMatchObject(AFTER);
  });

  test('keeps nothing of what begins and ends in it, and the last of what changes twice', async () => {
    const { database, store, keeper } = await openRegister(engine);
    await using _database = database;
    const { at, covered } = await stageThree({ store, keeper });
    const stored = await keeper.stored();
    const other = { ...covered, policyName: 'Pay more' };
    await keeper.stage({
      ended: [{ at, stored: stored('i-4'), status: 'Closed' }],
      changed: [{ at, stored: stored('i-2'), found: other }],
    });
    const again = await keeper.stored();
    await keeper.stage({ ended: [{ at, stored: again('i-2'), status: 'Closed' }] });
    await keeper.conclude(at);
    await keeper.settle();
    const { shown, total, summary } = await readAll(store, at);
    expect({ shown, total, summary }).toEqual({
      shown: ['i-1 Remediated', 'i-2 Closed', 'i-3 Open'],
      total: 3,
      summary: { open: 1, mitigated: 0, oldest: NOW, openToday: 1 },
    });
    expect((await told(store)).slice(3).toSorted()).toEqual(['closed i-2', 'remediated i-1']);
  });

  test.each(['before', 'after'])(
    'keeps an owner that is given %s it is concluded, and tells of it in order',
    async (when) => {
      const { database, store, keeper } = await openRegister(engine);
      await using _database = database;
      const { at } = await stageThree({ store, keeper });
      const reassign = async (targetId: string) => {
        const violation = (await readAll(store, at)).violations.find(({ target }) => target.id === targetId);
        const caller = { identityId: null, isForAll: true };
        const reassignment = { id: violation?.id ?? '', assigneeId: 'i-3', comments: null, caller };
        const reassigned = await store.violations.reassign(actIn('acme', after(2_000)), reassignment);
        expect(reassigned.ok && reassigned.value?.owner?.id).toBe('i-3');
      };
      if (when === 'before') await reassign('i-2');
      await keeper.conclude(at);
      if (when === 'after') for (const id of ['i-2', 'i-4']) await reassign(id);
      await keeper.settle();
      const owners = (await readAll(store, at)).violations.map(({ target, owner }) => [target.id, owner?.id ?? null]);
      expect(Object.fromEntries(owners)).toMatchObject({ 'i-2': 'i-3', 'i-4': when === 'after' ? 'i-3' : null });
      const order = await told(store);
      const place = (event: string) => order.indexOf(event);
      if (when === 'after') {
        expect(place('reassigned i-2')).toBeGreaterThan(place('mitigated i-2'));
        expect(place('reassigned i-4')).toBeGreaterThan(place('opened i-4'));
      } else expect(place('reassigned i-2')).toBeLessThan(place('mitigated i-2'));
      expect(order.length).toBe(new Set(order).size);
    },
  );
}
