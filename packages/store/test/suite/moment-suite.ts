import { randomUUID } from 'node:crypto';
import type { SodViolation } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import type { PresentViolation, PublishedRound, RegisterBatch, RegisterClaim, Store } from '../../src/index.ts';
import { actIn, deletion, identity, importAll, NOW, people } from '../model-records.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';

const NOW_MS = Date.parse(NOW);
const after = (ms: number) => new Date(NOW_MS + ms).toISOString();
const NOTHING: Omit<RegisterBatch, 'at'> = { opened: [], changed: [], ended: [], due: [] };

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

type Taken = Awaited<ReturnType<Store['register']['readVersion']>>;

/** A worker's part of the register of a tenant, written step by step. */
function createKeeper({ register }: Store) {
  let claim: RegisterClaim | undefined;
  const held = () => {
    if (claim === undefined) throw new Error('The register is not claimed.');
    return claim;
  };
  const apply = (at: string, batch: Partial<RegisterBatch>) => register.apply(held(), { ...NOTHING, at, ...batch });
  const publish = async (asOf: string, taken: Taken | null = null) => {
    const { version, identityRevision } = taken ?? (await register.readVersion('acme'));
    const round: PublishedRound = {
      ...version,
      identityRevision,
      identities: 3,
      asOf,
      compareDue: after(86_400_000),
      corrected: null,
      policies: { changed: [], gone: [] },
    };
    return register.publish(held(), round);
  };
  return {
    claim: async (now = NOW) => {
      [claim] = await register.claim({ nowMs: Date.parse(now), leaseMs: 1_000, limit: 1 });
      return claim !== undefined;
    },
    apply,
    publish,
    /** A whole round. */
    run: async (asOf: string, batch: Partial<RegisterBatch> = {}) => {
      expect(await apply(asOf, batch)).toBe(true);
      expect(await publish(asOf)).toBe(true);
      await register.release(held(), 0);
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
  await keeper.run(NOW, { opened: ['i-1', 'i-2', 'i-3'].map((id) => found(id)) });
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
    test('is the present until data change, and then the instant of the first change that the register lacks', async () => {
      const { database, store } = await openRegister(engine);
      await using _database = database;
      expect(await store.violations.readView('acme', after(60_000))).toMatchObject({ asOf: after(60_000) });
      await change(store);
      await database.execute(`update tenant set register_behind_since = '${after(70_000)}'`);
      for (const { violations } of [store, await database.openAnother()]) {
        expect(await violations.readView('acme', after(120_000))).toMatchObject({ asOf: after(70_000) });
        expect(await violations.list('acme', { ...ALL, now: after(120_000) }, PAGE)).toMatchObject({
          asOf: after(70_000),
        });
        // The clock of the database is ahead.
        expect(await violations.readView('acme', after(60_000))).toMatchObject({ asOf: NOW });
      }
    });

    test.each([
      ['before the round: it is that of the round', 60_000, 70_000],
      ['after the instant of the round: it stays', 80_000, 80_000],
    ])(
      'of what the register lacks is moved on by a round during which data change, where the first change came %s',
      async (_, changedMs, expectedMs) => {
        const { database, store, keeper } = await openRegister(engine);
        await using _database = database;
        await change(store);
        await database.execute(`update tenant set register_behind_since = '${after(changedMs)}'`);
        await keeper.claim(after(70_000));
        const taken = await store.register.readVersion('acme');
        await change(store);
        expect(await keeper.publish(after(70_000), taken)).toBe(true);
        const oldest = after(expectedMs);
        expect(await store.register.measureBacklog(NOW_MS + 120_000)).toEqual({ depth: 1, oldest });
        expect(await store.violations.readView('acme', after(120_000))).toMatchObject({ asOf: oldest });
      },
    );

    test('passes no instant at which time alone changes the register', async () => {
      const { database, store, keeper } = await openRegister(engine);
      await using _database = database;
      await change(store);
      await keeper.claim();
      await keeper.run(after(1_000), { due: [{ identityId: 'i-1', due: after(30_000) }] });
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
      const ended = [{ stored: stored('i-1'), status: 'Remediated' as const }];
      await keeper.run(after(1_000), { opened: [found('i-4')], ended });
      const seen: string[] = [];
      for await (const { target, lastEvaluatedDate } of exported.violations)
        seen.push(`${target.id} ${lastEvaluatedDate}`);
      expect(seen.toSorted()).toEqual(['i-1', 'i-2', 'i-3'].map((id) => `${id} ${exported.asOf}`));
    });

    test('does not hold back a change of an owner', async () => {
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
      // From now on it is behind.
      await change(store);
      const later = await reassign('i-2', after(60_000));
      expect([later.modified, later.lastEvaluatedDate, later.owner?.id]).toEqual([after(60_000), NOW, 'i-2']);
      const { asOf, violations } = await readAll(store, after(60_000));
      expect([asOf, violations.find(({ id }) => id === later.id)?.modified]).toEqual([NOW, after(60_000)]);
    });
  });

  describe('the deletion of an owner', () => describeDeletedOwner(engine));

  describe('a batch', () => describeBatches(engine));
}

const PAGE = { limit: 10, offset: 0, after: null };

/** A batch in which one violation begins, one changes, and one ends. */
async function makeThree({ store, keeper }: Pick<Awaited<ReturnType<typeof openRegister>>, 'store' | 'keeper'>) {
  await change(store);
  await keeper.claim(after(1_000));
  const stored = await keeper.stored();
  const covered = found('i-2', { exception: { id: 'x-1', end: after(9_000_000) } });
  return {
    opened: [found('i-4')],
    changed: [{ stored: stored('i-2'), found: covered }],
    ended: [{ stored: stored('i-1'), status: 'Remediated' as const }],
  };
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
  const at = after(1_000);

  test('leaves violations that have ended as they were, and takes the others from the owner', async () => {
    const { database, store, keeper } = await openRegister(engine);
    await using _database = database;
    await importAll(store, 'acme', [identity('i-4', { displayName: 'Grace' })]);
    for (const { id } of (await readAll(store, NOW)).violations) {
      const caller = { identityId: null, isForAll: true };
      const reassignment = { id, assigneeId: 'i-4', comments: null, caller };
      expect(await store.violations.reassign(actIn('acme', NOW), reassignment)).toMatchObject({ ok: true });
    }
    await keeper.claim(at);
    const stored = await keeper.stored();
    await keeper.run(at, { ended: [{ stored: stored('i-1'), status: 'Remediated' }] });
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
    await keeper.run(later);
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

function describeBatches(engine: StoreEngine): void {
  test('is shown at once with its counts and events; the register is complete up to an instant when that is published', async () => {
    const { database, store, keeper } = await openRegister(engine);
    await using _database = database;
    const batch = await makeThree({ store, keeper });
    expect(await readAll(store, after(60_000))).toMatchObject({ asOf: NOW, ...BEFORE });
    expect(await told(store)).toEqual(['opened i-1', 'opened i-2', 'opened i-3']);
    const at = after(1_000);
    expect(await keeper.apply(at, batch)).toBe(true);
    const applied = await readAll(store, at);
    expect(applied).toMatchObject({ asOf: NOW, ...AFTER });
    expect(applied.counted).toMatchObject({
      'i-1': { open: 0 },
      'i-2': { open: 0, mitigated: 1 },
      'i-4': { open: 1 },
    });
    expect((await told(store)).slice(3).toSorted()).toEqual(['mitigated i-2', 'opened i-4', 'remediated i-1']);
    expect(await keeper.publish(at)).toBe(true);
    expect(await readAll(store, at)).toMatchObject({ asOf: at, ...AFTER });
    expect(await told(store)).toHaveLength(6);
  });

  test('has no effect when another worker has claimed the register, which finds what was applied before', async () => {
    const { database, store, keeper } = await openRegister(engine);
    await using _database = database;
    const { opened, ...rest } = await makeThree({ store, keeper });
    expect(await keeper.apply(after(1_000), { opened })).toBe(true);
    // The lease of a worker that is dead ends.
    const next = createKeeper(await database.openAnother());
    expect(await next.claim(after(10_000))).toBe(true);
    const before = await readAll(store, NOW);
    expect(await keeper.apply(after(1_000), rest)).toBe(false);
    expect(await keeper.publish(after(1_000))).toBe(false);
    expect(await readAll(store, NOW)).toEqual(before);
    expect((await next.stored())('i-4').identity_id).toBe('i-4');
    await next.run(after(10_000), rest);
    expect(await readAll(store, after(10_000))).toMatchObject(AFTER);
    expect((await told(store)).slice(3).toSorted()).toEqual(['mitigated i-2', 'opened i-4', 'remediated i-1']);
  });

  test('keeps an owner that is given meanwhile', async () => {
    const { database, store, keeper } = await openRegister(engine);
    await using _database = database;
    const batch = await makeThree({ store, keeper });
    const violation = (await readAll(store, NOW)).violations.find(({ target }) => target.id === 'i-2');
    const caller = { identityId: null, isForAll: true };
    const reassignment = { id: violation?.id ?? '', assigneeId: 'i-3', comments: null, caller };
    expect(await store.violations.reassign(actIn('acme', NOW), reassignment)).toMatchObject({ ok: true });
    await keeper.run(after(1_000), batch);
    expect(await store.violations.find('acme', reassignment.id, after(1_000))).toMatchObject({
      status: 'Mitigated',
      owner: { id: 'i-3' },
    });
  });
}
