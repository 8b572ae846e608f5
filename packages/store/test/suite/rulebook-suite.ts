import { setImmediate } from 'node:timers/promises';
import {
  type AccessModelRecord,
  type AccessRef,
  compileSodIndex,
  expandAccess,
  ok,
  planImport,
  type SodIndex,
  sidesOf,
} from '@access-admin/domain';
import { runs } from '@access-admin/test-depth';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSodReader, type SodReader, type SodStore, type Store } from '../../src/index.ts';
import { caughtUp } from '../caught-up.ts';
import {
  APPLICATION,
  accessProfile,
  actIn,
  asLines,
  deletion,
  entitlement,
  evaluatedPolicy,
  holds,
  identity,
  identityProfile,
  importAll,
  NOW,
  role,
  sodPolicy,
} from '../model-records.ts';
import { predictedContexts } from '../predicted-contexts.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';

const MODEL = [
  entitlement('e-1'),
  entitlement('e-2'),
  identityProfile('ip'),
  identity('i-1', { access: holds('ENTITLEMENT', 'e-1') }),
  sodPolicy('p-1', { left: ['e-1'], right: ['e-2'] }),
];

const policy = (id: string, fields: Parameters<typeof sodPolicy>[2] = {}) =>
  sodPolicy(id, { left: ['e-1'], right: ['e-2'] }, fields);

const policies = (count: number, name: string) =>
  Array.from({ length: count }, (_, number) => policy(`p-${number}`, { name: `${name} ${number}` }));

export function describeRulebooks(engine: StoreEngine): void {
  describe('the changes of a rulebook', () => describeChanges(engine));
  describe('a reader whose rulebook changes', () => describeReader(engine));
}

async function versionOf(store: Store, tenant = 'acme') {
  const { policySetVersion, changeId } = await store.sod.loadRulebook(tenant);
  return { policySetVersion, changeId };
}

/** The ids; null stays null. */
async function changesSince(store: Store, since: Awaited<ReturnType<typeof versionOf>>, tenant = 'acme') {
  const changes = await store.sod.readPolicyChanges(tenant, since);
  if (changes === null) return null;
  const { policySetVersion, upserts, deletes } = changes;
  return { policySetVersion, upserts: upserts.map(({ id }) => id).toSorted(), deletes: deletes.toSorted() };
}

function describeChanges(engine: StoreEngine): void {
  test('are the policies created, replaced and deleted since a version, as they are now', async () => {
    await using database = await openDatabase(engine);
    const { store } = database;
    const elsewhere = await database.openAnother();
    await importAll(store, 'acme', MODEL);
    const first = await versionOf(store);
    expect(await changesSince(store, first)).toEqual({ policySetVersion: 1, upserts: [], deletes: [] });
    await importAll(elsewhere, 'acme', [policy('p-2'), policy('p-3'), policy('p-4', { state: 'NOT_ENFORCED' })]);
    const second = await versionOf(store);
    await importAll(elsewhere, 'acme', [policy('p-1', { name: 'new' }), deletion('sodPolicy', 'p-2')]);
    await importAll(elsewhere, 'acme', [identity('i-2')]);
    await importAll(elsewhere, 'acme', [deletion('sodPolicy', 'p-1'), policy('p-1', { name: 'newer' })]);
    expect(await changesSince(store, first)).toEqual({
      policySetVersion: 4,
      upserts: ['p-1', 'p-3', 'p-4'],
      deletes: ['p-2'],
    });
    expect(await changesSince(store, second)).toEqual({ policySetVersion: 4, upserts: ['p-1'], deletes: ['p-2'] });
    const changes = await store.sod.readPolicyChanges('acme', second);
    const rulebook = await store.sod.loadRulebook('acme');
    expect(changes?.changeId).toBe(rulebook.changeId);
    expect(changes?.upserts).toMatchObject(rulebook.policies.filter(({ id }) => id === 'p-1').map(evaluatedPolicy));
    expect(changes?.upserts[0]?.name).toBe('newer');
  });

  test.each([
    ['an entitlement', [entitlement('e-1', 'new name')]],
    ['a new entitlement and a policy', [entitlement('e-4'), policy('p-1', { name: 'new' })]],
    ['an access profile', [accessProfile('ap-1', ['e-1'])]],
    ['a role', [role('r-1', { entitlements: ['e-1'] })]],
    ['an entitlement that is gone', [deletion('entitlement', 'e-3')]],
    ['very many policies', policies(1_001, 'new')],
  ])('are null after %s', async (_, records) => {
    await using database = await openDatabase(engine);
    const { store } = database;
    await importAll(store, 'acme', [...MODEL, entitlement('e-3')]);
    const first = await versionOf(store);
    await importAll(store, 'acme', records);
    expect(await changesSince(store, first)).toBeNull();
    const second = await versionOf(store);
    await importAll(store, 'acme', [policy('p-9')]);
    expect(await changesSince(store, first)).toBeNull();
    expect(await changesSince(store, second)).toEqual({ policySetVersion: 3, upserts: ['p-9'], deletes: [] });
  });

  test('are known for 1,000 policies, in one import or several', async () => {
    await using database = await openDatabase(engine);
    const { store } = database;
    await importAll(store, 'acme', MODEL);
    const first = await versionOf(store);
    await importAll(store, 'acme', policies(1_000, 'a'));
    expect((await changesSince(store, first))?.upserts).toHaveLength(1_000);
    await importAll(store, 'acme', policies(1_000, 'b'));
    expect((await changesSince(store, first))?.upserts).toHaveLength(1_000);
    await importAll(store, 'acme', [policy('p-1000')]);
    expect(await changesSince(store, first)).toBeNull();
  });

  test('are null for another state of the same version, for a later version and for none', async () => {
    await using database = await openDatabase(engine);
    const { store } = database;
    await importAll(store, 'acme', MODEL);
    await importAll(store, 'acme', [policy('p-2')]);
    const { policySetVersion, changeId } = await versionOf(store);
    expect(await changesSince(store, { policySetVersion, changeId: 'another' })).toBeNull();
    expect(await changesSince(store, { policySetVersion, changeId: null })).toBeNull();
    expect(await changesSince(store, { policySetVersion: policySetVersion + 1, changeId })).toBeNull();
    expect(await changesSince(store, { policySetVersion: 0, changeId: null })).toBeNull();
    expect(await changesSince(store, await versionOf(store, 'other'), 'other')).toBeNull();
  });

  test('of one tenant are separate from those of another', async () => {
    await using database = await openDatabase(engine);
    const { store } = database;
    await importAll(store, 'acme', MODEL);
    await importAll(store, 'other', MODEL);
    const acme = await versionOf(store);
    const other = await versionOf(store, 'other');
    expect(acme.changeId).not.toBe(other.changeId);
    await importAll(store, 'other', [policy('p-2')]);
    expect(await changesSince(store, acme)).toEqual({ policySetVersion: 1, upserts: [], deletes: [] });
    expect(await changesSince(store, other, 'other')).toEqual({ policySetVersion: 2, upserts: ['p-2'], deletes: [] });
  });
}

/** Counts how a reader gets its rulebooks, and lets tests delay full loads. */
function watching(sod: SodStore) {
  const counts = { loads: 0, changes: 0, held: 0 };
  let firstGate: Promise<void> = Promise.resolve();
  let gate: Promise<void> = Promise.resolve();
  const watched: SodStore = {
    ...sod,
    readAssignments: (...request) => {
      counts.held += 1;
      return sod.readAssignments(...request);
    },
    loadRulebook: async (tenant) => {
      counts.loads += 1;
      await firstGate;
      const rulebook = await sod.loadRulebook(tenant);
      await gate;
      return rulebook;
    },
    readPolicyChanges: (...request) => {
      counts.changes += 1;
      return sod.readPolicyChanges(...request);
    },
  };
  const hold = (when: 'before' | 'after') => {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (when === 'before') firstGate = promise;
    else gate = promise;
    return resolve;
  };
  return { counts, sod: watched, hold };
}

function predictOn(index: SodIndex, held: Uint32Array | null, accessRefs: readonly AccessRef[]) {
  const contexts = predictedContexts(index, held, accessRefs);
  return contexts.ok ? ok({ violationContexts: contexts.value }) : contexts;
}

async function violated(reader: SodReader, refs: readonly AccessRef[], id = 'i-1') {
  const { index, held } = await reader.read('acme', id);
  const outcome = predictOn(index, held, refs);
  return outcome.ok
    ? outcome.value.violationContexts.map(({ policy: { id: found, name } }) => `${found} ${name}`)
    : null;
}

const E2 = holds('ENTITLEMENT', 'e-2');

function describeReader(engine: StoreEngine): void {
  test('applies changed policies alone, by any process, and keeps held sets', async () => {
    await using database = await openDatabase(engine);
    const { store } = database;
    const elsewhere = await database.openAnother();
    await importAll(store, 'acme', MODEL);
    const { counts, sod } = watching(store.sod);
    const reader = createSodReader(sod);
    expect(await violated(reader, E2)).toEqual(['p-1 p-1']);
    const before = await reader.read('acme', 'i-1');
    await importAll(elsewhere, 'acme', [policy('p-1', { name: 'new' }), policy('p-2')]);
    await caughtUp(store, 'acme', ['i-1']);
    expect(await violated(reader, E2)).toEqual(['p-1 new', 'p-2 p-2']);
    await importAll(store, 'acme', [deletion('sodPolicy', 'p-1'), policy('p-2', { state: 'NOT_ENFORCED' })]);
    expect(await violated(reader, E2)).toEqual([]);
    expect(counts).toMatchObject({ loads: 1, changes: 2, held: 1 });
    // A reading that began before keeps its index.
    const late = predictOn(before.index, before.held, E2);
    expect(late.ok && late.value.violationContexts.map(({ policy: { name } }) => name)).toEqual(['p-1']);
    await importAll(store, 'acme', [entitlement('e-2', 'other name')]);
    expect(await violated(reader, E2)).toEqual([]);
    expect(counts.loads).toBe(2);
  });

  test('compiles a much changed rulebook in the background without delaying reads or losing changes', async () => {
    await using database = await openDatabase(engine);
    const { store } = database;
    await importAll(store, 'acme', [...MODEL, ...policies(1_001, 'first')]);
    const { counts, sod, hold } = watching(store.sod);
    const reader = createSodReader(sod);
    expect(await violated(reader, E2)).toContain('p-7 first 7');
    const release = hold('after');
    await importAll(store, 'acme', policies(50, 'second'));
    expect(await violated(reader, E2)).toContain('p-7 second 7');
    expect(counts.loads).toBe(1);
    await importAll(store, 'acme', [policy('p-7', { name: 'third' }), policy('p-1000', { name: 'third' })]);
    expect(await violated(reader, E2)).toContain('p-7 third');
    expect(counts.loads).toBe(2);
    await importAll(store, 'acme', [deletion('sodPolicy', 'p-7'), policy('p-8', { name: 'fourth' })]);
    expect(await violated(reader, E2)).toContain('p-8 fourth');
    release();
    for (;;) {
      const found = await violated(reader, E2);
      expect(found).toContain('p-8 fourth');
      expect(found).not.toContain('p-7 third');
      if ((await reader.read('acme', 'i-1')).index.changedPolicies < 51) break;
      await setImmediate();
    }
    expect(counts).toMatchObject({ loads: 2, held: 1 });
  });

  test.each([
    ['before it is read for compilation, of which comes a new index', 'before', 3, 2],
    ['after it is read for compilation, of which nothing comes', 'after', 2, 1_252],
  ] as const)('does not delay reads when very much changes %s', async (_, when, questions, changed) => {
    await using database = await openDatabase(engine);
    const { store } = database;
    await importAll(store, 'acme', [...MODEL, ...policies(1_300, 'first')]);
    const { counts, sod, hold } = watching(store.sod);
    const reader = createSodReader(sod);
    await reader.read('acme', 'i-1');
    const release = hold(when);
    const all = policies(1_250, 'second');
    await importAll(store, 'acme', all.slice(0, 50));
    await reader.read('acme', 'i-1');
    await importAll(store, 'acme', [policy('p-1298'), policy('p-1299')]);
    await reader.read('acme', 'i-1');
    for (let turn = 0; turn < 5; turn++) await setImmediate();
    for (const start of [50, 650]) {
      await importAll(store, 'acme', all.slice(start, start + 600));
      await reader.read('acme', 'i-1');
    }
    const asked = counts.changes;
    release();
    while (counts.changes < asked + questions) await setImmediate();
    for (let turn = 0; turn < 20; turn++) await setImmediate();
    await importAll(store, 'acme', [policy('p-1298', { name: 'third' }), policy('p-1299', { name: 'third' })]);
    expect(await violated(reader, E2)).toContain('p-1298 third');
    expect((await reader.read('acme', 'i-1')).index.changedPolicies).toBe(changed);
    // What was held stays in memory: the rulebook was never read as a whole for want of changes.
    expect(counts.held).toBe(1);
  });

  describeSameAnswers(engine);
}

const pool = (prefix: string, size: number) => fc.nat({ max: size - 1 }).map((number) => `${prefix}-${number}`);
const some = (prefix: string, size: number) => fc.uniqueArray(pool(prefix, size), { maxLength: 3 });
const side = fc.uniqueArray(pool('e', 6), { minLength: 1, maxLength: 2 });

/** The import may be refused for its references. */
const arbitraryRecord: fc.Arbitrary<AccessModelRecord> = fc.oneof(
  { weight: 6, arbitrary: policyRecord() },
  { weight: 2, arbitrary: pool('p', 8).map((id) => deletion('sodPolicy', id)) },
  {
    weight: 1,
    arbitrary: fc.record({ id: pool('e', 6), name: fc.string() }).map(({ id, name }) => entitlement(id, name)),
  },
  { weight: 1, arbitrary: pool('e', 6).map((id) => deletion('entitlement', id)) },
  { weight: 1, arbitrary: fc.tuple(pool('ap', 3), some('e', 6)).map(([id, held]) => accessProfile(id, held)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(pool('r', 3), some('e', 6), some('ap', 3))
      .map(([id, entitlements, accessProfiles]) => role(id, { entitlements, accessProfiles })),
  },
  { weight: 1, arbitrary: fc.constantFrom(deletion('role', 'r-0'), deletion('accessProfile', 'ap-0')) },
  {
    weight: 4,
    arbitrary: fc.tuple(pool('i', 4), some('e', 6), some('ap', 3), some('r', 3)).map(([id, direct, profiles, roles]) =>
      identity(id, {
        access: [
          ...holds('ENTITLEMENT', ...direct),
          ...holds('ACCESS_PROFILE', ...profiles),
          ...holds('ROLE', ...roles),
        ],
      }),
    ),
  },
  { weight: 2, arbitrary: pool('i', 4).map((id) => deletion('identity', id)) },
);

function policyRecord() {
  return fc
    .record({
      id: pool('p', 8),
      left: side,
      right: side,
      name: fc.string({ minLength: 1 }),
      state: fc.constantFrom('ENFORCED' as const, 'ENFORCED' as const, 'NOT_ENFORCED' as const),
    })
    .map(({ id, left, right, ...fields }) =>
      sodPolicy(id, { left, right: right.filter((held) => !left.includes(held)) }, fields),
    )
    .filter(({ conflictingAccessCriteria }) => sidesOf(conflictingAccessCriteria)[1]?.criteriaList.length !== 0);
}

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      records: fc.array(arbitraryRecord, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      cacheBytes: fc.constantFrom(0, 4_000, 20_000, 1_000_000),
    }),
  },
);

async function tryImport(store: Store, records: readonly AccessModelRecord[]): Promise<void> {
  const lines = asLines(records);
  await store.accessModel.import({ auditContext: actIn('acme'), records: lines }, (base) =>
    planImport({ records: lines, base, caller: APPLICATION, now: NOW }),
  );
}

const REQUESTS: readonly (readonly AccessRef[])[] = [
  ...[0, 1, 2, 3, 4, 5].map((number) => holds('ENTITLEMENT', `e-${number}`)),
  holds('ROLE', 'r-1', 'r-2'),
  [...holds('ACCESS_PROFILE', 'ap-0', 'ap-1'), ...holds('ENTITLEMENT', 'e-3')],
];

/** The outcomes of every identity from a fresh compilation. */
async function answersAnew(store: Store): Promise<readonly unknown[]> {
  const { policies: found, catalogue } = await store.sod.loadRulebook('acme');
  const index = compileSodIndex(found, catalogue);
  const answers: unknown[] = [];
  for (const id of ['i-0', 'i-1', 'i-2', 'i-3']) {
    const assigned = await store.sod.readAssignments('acme', id);
    const held = assigned === null ? null : expandAccess(index, assigned.access).entitlements;
    answers.push(...REQUESTS.map((refs) => predictOn(index, held, refs)));
  }
  return answers;
}

async function answersOf(reader: SodReader): Promise<readonly unknown[]> {
  const answers: unknown[] = [];
  for (const id of ['i-0', 'i-1', 'i-2', 'i-3']) {
    const { index, held } = await reader.read('acme', id);
    answers.push(...REQUESTS.map((refs) => predictOn(index, held, refs)));
  }
  return answers;
}

function describeSameAnswers(engine: StoreEngine): void {
  test('equals a fresh compilation, at any size, after any imports and restarts', async () => {
    await using database = await openDatabase(engine);
    const { store } = database;
    const elsewhere = await database.openAnother();
    await importAll(store, 'acme', [identityProfile('ip')]);
    let reader = createSodReader(store.sod);
    const tiny = createSodReader(elsewhere.sod, { cacheBytes: 0 });
    const run = async (steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[]) => {
      for (const given of steps) {
        if ('records' in given) await tryImport(elsewhere, given.records);
        if ('cacheBytes' in given) {
          reader = createSodReader(store.sod, given);
          await reader.read('acme', 'i-0');
        }
        for (const each of [store, elsewhere]) await caughtUp(each, 'acme', ['i-0', 'i-1', 'i-2', 'i-3']);
        const expected = await answersAnew(store);
        expect(await answersOf(reader)).toEqual(expected);
        expect(await answersOf(tiny)).toEqual(expected);
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), run), runs(20));
  });
}
