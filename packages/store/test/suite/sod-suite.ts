import { setImmediate } from 'node:timers/promises';
import { type AccessModelRecord, compileSodIndex, entitlementAt, expandAccess } from '@access-admin/domain';
import { runs } from '@access-admin/test-depth';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSodReader, type SodStore, type Store } from '../../src/index.ts';
import { caughtUp } from '../caught-up.ts';
import {
  accessProfile,
  deletion,
  entitlement,
  evaluatedPolicy,
  holds,
  identity,
  identityProfile,
  importAll,
  role,
  sodPolicy,
} from '../model-records.ts';
import { predictedContexts } from '../predicted-contexts.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';
import { describeRulebooks } from './rulebook-suite.ts';

const MODEL = [
  entitlement('e-1'),
  entitlement('e-2'),
  accessProfile('ap-1', ['e-1']),
  role('r-1', { accessProfiles: ['ap-1'] }),
  identityProfile('ip'),
  identity('i-1', { access: [...holds('ROLE', 'r-1'), ...holds('ENTITLEMENT', 'e-2')] }),
  sodPolicy('p-1', { left: ['e-1'], right: ['e-2'] }),
];

export function describeSod(engine: StoreEngine): void {
  describe('the reads behind predict and check', () => {
    test('every tenant and identity has a version, also unknown ones', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const none = { policySetVersion: 0, changeId: null, revision: null, exceptions: null };
      expect(await store.sod.readVersion('acme', 'i-1')).toEqual(none);
      await importAll(store, 'acme', MODEL);
      const { policySetVersion, changeId } = await store.sod.loadRulebook('acme');
      const version = { policySetVersion, changeId, exceptions: null };
      expect(version).toEqual({ policySetVersion: 1, changeId: expect.any(String), exceptions: null });
      expect(await store.sod.readVersion('acme', 'i-1')).toMatchObject({ ...version, revision: 1 });
      expect(await store.sod.readVersion('acme', 'i-2')).toEqual({ ...version, revision: null });
      expect(await store.sod.readVersion('other', 'i-1')).toEqual(none);
    });

    test('the assignments of an identity come with their versions', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await importAll(store, 'acme', MODEL);
      expect(await store.sod.readAssignments('acme', 'i-1')).toEqual({
        policySetVersion: 1,
        revision: 1,
        access: [
          { type: 'ROLE', id: 'r-1' },
          { type: 'ENTITLEMENT', id: 'e-2' },
        ],
        isOfAccounts: false,
      });
      expect(await store.sod.readAssignments('acme', 'i-2')).toBeNull();
      expect(await store.sod.readAssignments('other', 'i-1')).toBeNull();
    });

    test('access with windows is the same from memory and from storage', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const window = { start: '2026-01-01T00:00:00.000Z', end: '2027-01-01T00:00:00.000Z' };
      const access = [
        ...holds('ENTITLEMENT', 'e-2'),
        { type: 'ROLE' as const, id: 'r-1', ...window },
        { type: 'ENTITLEMENT' as const, id: 'e-2', end: window.end },
      ];
      await importAll(store, 'acme', [...MODEL, identity('i-2', { access }), identity('i-3', { access: [] })]);
      expect((await store.sod.readAssignments('acme', 'i-2'))?.access).toEqual(access);
      const { read } = createSodReader(store.sod);
      const first = await read('acme', 'i-2');
      const span = { startMs: Date.parse(window.start), endMs: Date.parse(window.end) };
      expect([first.held, first.timed]).toEqual([
        new Uint32Array([1]),
        [
          { type: 'ROLE', number: 0, entitlements: new Uint32Array([0]), windows: [span] },
          {
            type: 'ENTITLEMENT',
            number: 1,
            entitlements: [1],
            windows: [{ startMs: Number.NEGATIVE_INFINITY, endMs: span.endMs }],
          },
        ],
      ]);
      expect(await read('acme', 'i-2')).toEqual(first);
      expect(await read('acme', 'i-1')).toMatchObject({ held: new Uint32Array([0, 1]), timed: null });
      expect(await read('acme', 'i-3')).toMatchObject({ held: new Uint32Array(), timed: null });
      await importAll(store, 'acme', [identity('i-2', { access: access.slice(1, 2) })]);
      expect(await read('acme', 'i-2')).toMatchObject({ held: new Uint32Array(), timed: [{ windows: [span] }] });
      expect((await read('acme', 'i-none')).timed).toBeNull();
    });

    test('the whole rulebook of a tenant is read', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await importAll(store, 'acme', MODEL);
      const { kind: _, ...policy } = sodPolicy('p-1', { left: ['e-1'], right: ['e-2'] });
      const rulebook = await store.sod.loadRulebook('acme');
      expect({ ...rulebook, policies: rulebook.policies.map(evaluatedPolicy) }).toEqual({
        policySetVersion: 1,
        changeId: expect.stringMatching(/^[0-9a-f]{16}$/),
        catalogue: {
          entitlements: [
            { id: 'e-1', name: 'e-1', source: null },
            { id: 'e-2', name: 'e-2', source: null },
          ],
          accessProfiles: [{ id: 'ap-1', name: 'ap-1', entitlements: ['e-1'] }],
          roles: [{ id: 'r-1', name: 'r-1', accessProfiles: ['ap-1'], entitlements: [] }],
        },
        policies: [policy].map(evaluatedPolicy),
      });
      const none = { entitlements: [], accessProfiles: [], roles: [] };
      expect(await store.sod.loadRulebook('other')).toEqual({
        policySetVersion: 0,
        changeId: null,
        catalogue: none,
        policies: [],
      });
    });
  });
  describeSodReader(engine);
  describeRulebooks(engine);
}

/** Imports like another process: a read that follows its response comes in a later turn of the event loop. */
async function importAnswered(store: Store, records: readonly AccessModelRecord[]): Promise<void> {
  await importAll(store, 'acme', records);
  await setImmediate();
}

/** Counts the calls of the reader to the store. */
function counting(sod: SodStore) {
  const counts = { readVersion: 0, assignments: 0, loadRulebook: 0 };
  const counted: SodStore = {
    ...sod,
    readVersion: (...request) => {
      counts.readVersion += 1;
      return sod.readVersion(...request);
    },
    readAssignments: (...request) => {
      counts.assignments += 1;
      return sod.readAssignments(...request);
    },
    loadRulebook: (...request) => {
      counts.loadRulebook += 1;
      return sod.loadRulebook(...request);
    },
  };
  return { counts, sod: counted };
}

/** The ids of the entitlements that an identity holds, from a new reader. */
async function freshlyHeld(store: Store, tenant: string, id: string): Promise<readonly string[] | null> {
  const { policies, catalogue } = await store.sod.loadRulebook(tenant);
  const assigned = await store.sod.readAssignments(tenant, id);
  if (assigned === null) return null;
  const index = compileSodIndex(policies, catalogue);
  return [...expandAccess(index, assigned.access).entitlements].map(
    (number) => entitlementAt(index.catalogue, number).id,
  );
}

function describeSodReader(engine: StoreEngine): void {
  describe('a reader that keeps rulebooks and access in memory', () => {
    const heldIds = async (reader: ReturnType<typeof createSodReader>, id: string, tenant = 'acme') => {
      const { index, held } = await reader.read(tenant, id);
      return held === null ? null : [...held].map((number) => entitlementAt(index.catalogue, number).id);
    };

    test('reads only the version while nothing changes, and loads once for many callers', async () => {
      await using database = await openDatabase(engine);
      await importAll(database.store, 'acme', MODEL);
      const { counts, sod } = counting(database.store.sod);
      const reader = createSodReader(sod);
      await Promise.all(Array.from({ length: 10 }, () => heldIds(reader, 'i-1')));
      expect(counts.loadRulebook).toBe(1);
      const before = { ...counts };
      expect(await heldIds(reader, 'i-1')).toEqual(['e-1', 'e-2']);
      expect(counts).toEqual({ ...before, readVersion: before.readVersion + 1 });
    });

    test('sees each change that was committed before the read', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const elsewhere = await database.openAnother();
      const reader = createSodReader(store.sod);
      const importElsewhere = async (...records: readonly AccessModelRecord[]) => {
        await importAnswered(elsewhere, records);
        await caughtUp(store, 'acme', ['i-1']);
      };
      expect(await heldIds(reader, 'i-1')).toBeNull();
      await importElsewhere(...MODEL);
      expect(await heldIds(reader, 'i-1')).toEqual(['e-1', 'e-2']);
      await importElsewhere(identity('i-1', { access: holds('ENTITLEMENT', 'e-2') }));
      expect(await heldIds(reader, 'i-1')).toEqual(['e-2']);
      await importElsewhere(entitlement('e-0'), accessProfile('ap-1', ['e-0']));
      await importElsewhere(identity('i-1', { access: holds('ROLE', 'r-1') }));
      expect(await heldIds(reader, 'i-1')).toEqual(['e-0']);
      await importElsewhere(deletion('identity', 'i-1'));
      expect(await heldIds(reader, 'i-1')).toBeNull();
      await importElsewhere(identity('i-1', { access: holds('ENTITLEMENT', 'e-1') }));
      expect(await heldIds(reader, 'i-1')).toEqual(['e-1']);
      expect(await heldIds(reader, 'i-1', 'other')).toBeNull();
    });

    test('reads a rulebook that is replaced during the read', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await importAll(store, 'acme', MODEL);
      // A rulebook that changed after each load would never be current.
      const restless: SodStore = {
        ...store.sod,
        loadRulebook: async (tenant) => {
          const rulebook = await store.sod.loadRulebook(tenant);
          await importAll(store, 'acme', [entitlement('e-2', `name after ${rulebook.policySetVersion}`)]);
          return rulebook;
        },
      };
      const { index, held, policySetVersion } = await createSodReader(restless).read('acme', 'i-1');
      expect(policySetVersion).toBe(1);
      expect([...(held ?? [])].map((number) => entitlementAt(index.catalogue, number).name)).toEqual(['e-1', 'e-2']);
    });

    test('never combines a rulebook with assignments of another version', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await importAll(store, 'acme', MODEL);
      const changes = [[role('r-3', { entitlements: ['e-2'] }), identity('i-1', { access: holds('ROLE', 'r-3') })]];
      const overtaken: SodStore = {
        ...store.sod,
        loadRulebook: async (tenant) => {
          const rulebook = await store.sod.loadRulebook(tenant);
          for (const records of changes.splice(0)) await importAll(store, 'acme', records);
          return rulebook;
        },
      };
      const reader = createSodReader(overtaken);
      expect(await heldIds(reader, 'i-1')).toEqual(['e-2']);
      expect(await heldIds(reader, 'i-1')).toEqual(['e-2']);
    });

    test('drops held sets when there is no room', async () => {
      await using database = await openDatabase(engine);
      await importAll(database.store, 'acme', [...MODEL, identity('i-2'), identity('i-3')]);
      const { counts, sod } = counting(database.store.sod);
      const reads = ['i-1', 'i-2', 'i-1', 'i-3', 'i-1'];
      const tiny = createSodReader(sod, { cacheBytes: 0 });
      for (const id of reads) expect(await heldIds(tiny, id)).toEqual(await freshlyHeld(database.store, 'acme', id));
      expect(counts).toMatchObject({ assignments: 5, loadRulebook: 1 });
      const roomy = createSodReader(sod, { cacheBytes: 1_048_576 });
      for (const id of reads) expect(await heldIds(roomy, id)).toEqual(await freshlyHeld(database.store, 'acme', id));
      expect(counts).toMatchObject({ assignments: 8, loadRulebook: 2 });
    });

    test('drops the least recently used rulebooks, but not the one in use', async () => {
      await using database = await openDatabase(engine);
      for (const tenant of ['a', 'b']) await importAll(database.store, tenant, MODEL);
      const { counts, sod } = counting(database.store.sod);
      const reader = createSodReader(sod, { cacheBytes: 100 });
      const held = async (tenant: string) => expect(await heldIds(reader, 'i-1', tenant)).toEqual(['e-1', 'e-2']);
      await Promise.all([held('a'), held('b'), held('a')]);
      const before = counts.loadRulebook;
      for (let round = 0; round < 5; round++) await held('b');
      expect(counts.loadRulebook - before).toBeLessThanOrEqual(1);
      await held('a');
      await held('b');
      expect(counts.loadRulebook - before).toBeGreaterThanOrEqual(2);
    });

    test('a failed load fails its callers only', async () => {
      await using database = await openDatabase(engine);
      await importAll(database.store, 'acme', MODEL);
      const failure = new Error('away');
      const outcomes = [Promise.reject(failure), database.store.sod.loadRulebook('acme')];
      outcomes[0]?.catch(() => {});
      // Known to both readers at once, so that they share a load.
      const version = await database.store.sod.readVersion('acme', 'i-1');
      const sod = {
        ...database.store.sod,
        readVersion: () => version,
        loadRulebook: async () => (await outcomes.shift()) ?? Promise.reject(failure),
      };
      const reader = createSodReader(sod);
      const both = await Promise.allSettled([reader.read('acme', 'i-1'), reader.read('acme', 'i-1')]);
      expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      expect(await heldIds(reader, 'i-1')).toEqual(['e-1', 'e-2']);
    });

    test('equals a fresh compilation at any time, under concurrent writes', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const writer = await database.openAnother();
      const reader = createSodReader(store.sod, { cacheBytes: 20_000 });
      await importAll(store, 'acme', [...MODEL, identity('i-2'), identity('i-3')]);
      const id = fc.constantFrom('i-1', 'i-2', 'i-3');
      const change = fc.oneof(
        id.map((held) => [identity(held, { access: holds('ENTITLEMENT', 'e-1') })]),
        id.map((held) => [identity(held, { access: holds('ROLE', 'r-1') })]),
        id.map((held) => [deletion('identity', held)]),
        fc.constantFrom('e-1', 'e-2').map((held) => [accessProfile('ap-1', [held])]),
        fc.integer({ min: 0, max: 9 }).map((number) => [entitlement(`e-0${number}`)]),
        fc.string({ minLength: 1 }).map((name) => [sodPolicy('p-1', { left: ['e-1'], right: ['e-2'] }, { name })]),
      );
      const rounds = fc.array(fc.record({ changes: fc.array(change, { maxLength: 3 }), id }), {
        minLength: 5,
        maxLength: 15,
      });
      const agree = async (
        steps: readonly (typeof rounds extends fc.Arbitrary<readonly (infer S)[]> ? S : never)[],
      ) => {
        for (const step of steps) {
          const writes = step.changes.map((records) => importAnswered(writer, records));
          const racing = reader.read('acme', step.id);
          await Promise.all([racing, ...writes]);
          await caughtUp(store, 'acme', [step.id]);
          expect(await heldIds(reader, step.id)).toEqual(await freshlyHeld(store, 'acme', step.id));
          const { index, policySetVersion } = await reader.read('acme', step.id);
          const rulebook = await store.sod.loadRulebook('acme');
          expect(policySetVersion).toBe(rulebook.policySetVersion);
          const predicted = predictedContexts(index, new Uint32Array(), holds('ENTITLEMENT', 'e-1', 'e-2'));
          expect(predicted.ok && predicted.value[0]?.policy.name).toBe(rulebook.policies[0]?.name);
          expectOneMoment(await racing);
        }
      };
      await fc.assert(fc.asyncProperty(rounds, agree), runs(25));
    });
  });
}

/** Numbers that the index lacks would come from another rulebook. */
function expectOneMoment({ index, held }: Awaited<ReturnType<ReturnType<typeof createSodReader>['read']>>): void {
  for (const number of held ?? []) expect(entitlementAt(index.catalogue, number).id).not.toBe('');
}
