import {
  type AccessModelRecord,
  approveException,
  completeShown,
  exceptionStateAt,
  type NewSodException,
  ok,
  requestException,
  revokeException,
  SOD_EXCEPTION_STATES,
  type SodException,
  type SodExceptionRecord,
} from '@access-admin/domain';
import { seeds } from '@access-admin/test-depth';
import { describe, expect, test } from 'vitest';
import { createSodReader, type Store } from '../../src/index.ts';
import { caughtUp } from '../caught-up.ts';
import {
  accessProfile,
  actIn,
  deletion,
  entitlement,
  holds,
  identity,
  identityProfile,
  importAll,
  NOW,
  role,
  sodPolicy,
} from '../model-records.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';
import { voidExceptions } from '../void-exceptions.ts';

const LATER = '2026-03-01T12:00:01.000Z';
const END = '2026-06-01T00:00:00.000Z';
const BASE = [
  ...['e-1', 'e-2', 'e-3'].map((id) => entitlement(id)),
  identityProfile('ip'),
  identity('i-admin', { capabilities: ['ORG_ADMIN'] }),
];
const ADMIN = { ...actIn('acme'), actor: { clientId: 'c-1', identityId: 'i-admin' } };

const asked = (policyId: string, identityId: string): NewSodException => ({
  policyId,
  identityId,
  start: NOW,
  end: END,
  justification: 'why',
});

const ask = ({ exceptions }: Store, id: string, requested: NewSodException) =>
  exceptions.create(ADMIN, requested, (view) =>
    requestException(requested, view, { id, identityId: 'i-asker', now: NOW }),
  );

const approve = ({ exceptions }: Store, id: string) =>
  exceptions.change(ADMIN, id, {
    decide: (view) => approveException(view.exception, view, { identityId: 'i-admin', now: NOW, comment: null }),
  });

async function makeApproved(store: Store, id: string, requested: NewSodException): Promise<void> {
  for (const made of [await ask(store, id, requested), await approve(store, id)])
    expect(made).toMatchObject({ ok: true });
}

async function statesOf({ exceptions }: Store): Promise<Readonly<Record<string, string>>> {
  const found: SodExceptionRecord[] = [];
  for (let offset = 0; ; offset += 250) {
    const page = await exceptions.list('acme', { conditions: [], now: LATER }, { limit: 250, offset });
    found.push(...page.map(({ exception }) => exception));
    if (page.length < 250) break;
  }
  return Object.fromEntries(found.map((one) => [one.id, exceptionStateAt(one, LATER)]));
}

/** The ids of exceptions as lists by state have them. */
async function idsByState({ exceptions }: Store): Promise<Readonly<Record<string, readonly string[]>>> {
  const found: Record<string, readonly string[]> = {};
  for (const state of SOD_EXCEPTION_STATES) {
    const query = { conditions: [{ field: 'state', operator: 'eq', values: [state] }], now: LATER } as const;
    const page = await exceptions.list('acme', query, { limit: 250, offset: 0 });
    expect(await exceptions.count('acme', query)).toBe(page.length);
    if (page.length > 0) found[state] = page.map(({ exception }) => exception.id);
  }
  return found;
}

const groupIds = (states: Readonly<Record<string, string>>) =>
  Object.fromEntries(Map.groupBy(Object.keys(states).toSorted(), (id) => states[id] ?? ''));

export function describeExceptions(engine: StoreEngine): void {
  describe('exceptions', () => {
    test('of a pair are requested and approved once, by any process', async () => {
      await using database = await openDatabase(engine);
      const stores = [database.store, await database.openAnother()];
      const access = holds('ENTITLEMENT', 'e-1', 'e-2');
      await importAll(database.store, 'acme', [
        ...BASE,
        sodPolicy('p', { left: ['e-1'], right: ['e-2'] }),
        identity('i-1', { access }),
      ]);
      const calls = Array.from({ length: 16 }, (_, at) => at);
      const storeAt = (at: number) => stores[at % 2] ?? database.store;
      const made = await Promise.all(calls.map((at) => ask(storeAt(at), `x-${at}`, asked('p', 'i-1'))));
      const created = made.filter(({ ok: isOk }) => isOk);
      expect(created).toHaveLength(1);
      const [only] = created;
      if (only?.ok !== true) throw new Error('there is none');
      const moved = await Promise.all(calls.map((at) => approve(storeAt(at), only.value.exception.id)));
      expect(moved.filter(({ ok: isOk }) => isOk)).toHaveLength(1);
      expect(await database.store.exceptions.count('acme', { conditions: [], now: NOW })).toBe(1);
    });

    test('become void when their conflict is removed, in any number and with any other changes', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const policies = Array.from({ length: 60 }, (_, at) => `p-${at}`);
      const holders = Array.from({ length: 8 }, (_, at) => `i-${at}`);
      const both = holds('ENTITLEMENT', 'e-1', 'e-2');
      const policyOf = (id: string) => sodPolicy(id, { left: ['e-1'], right: ['e-2'] });
      await importAll(store, 'acme', [...BASE, ...policies.map(policyOf)]);
      await importAll(
        store,
        'acme',
        holders.map((id) => identity(id, { access: both })),
      );
      const covered = policies.flatMap((policy) => holders.slice(0, 7).map((holder) => ({ policy, holder })));
      await Promise.all(
        covered.map(({ policy, holder }) => makeApproved(store, `${policy}:${holder}`, asked(policy, holder))),
      );
      const voidCount = async () => {
        const shown = await statesOf(store);
        await voidExceptions(store, 'acme', LATER);
        expect(await statesOf(store)).toEqual(shown);
        return Object.values(shown).filter((state) => state === 'VOID').length;
      };
      // Changes in turn an identity, a policy, all policies but one in one import, and a bundle of all identities.
      await importAll(store, 'acme', [identity('i-0', { access: holds('ENTITLEMENT', 'e-1') })], LATER);
      expect(await voidCount()).toBe(60);
      await importAll(store, 'acme', [deletion('sodPolicy', 'p-0')], LATER);
      expect(await voidCount()).toBe(66);
      await importAll(
        store,
        'acme',
        policies.slice(2).map((id) => deletion('sodPolicy', id)),
        LATER,
      );
      expect(await voidCount()).toBe(414);
      await importAll(store, 'acme', [accessProfile('ap', ['e-1']), policyOf('p-2')], LATER);
      expect(await voidCount()).toBe(414);
      await importAll(
        store,
        'acme',
        holders.map((id) => identity(id, { access: [] })),
        LATER,
      );
      expect(await voidCount()).toBe(420);
    });

    test('become void with a change of the terms of their policy, however many, and are as before with any other', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const holders = Array.from({ length: 260 }, (_, at) => `i-${at}`);
      const access = holds('ENTITLEMENT', 'e-1', 'e-2');
      await importAll(store, 'acme', [
        ...BASE,
        sodPolicy('p', { left: ['e-1'], right: ['e-2'] }),
        sodPolicy('q', { left: ['e-1'], right: ['e-2'] }),
        ...holders.map((id) => identity(id, { access })),
      ]);
      await Promise.all(holders.map((id) => makeApproved(store, id, asked('p', id))));
      await makeApproved(store, 'other', asked('q', 'i-0'));
      const change = (fields: object) =>
        store.policies.change({ ...ADMIN, time: LATER }, 'p', {
          decide: (policy) => ok({ ...completeShown(policy), ...fields }),
        });
      const countOf = async (state: string) =>
        Object.values(await statesOf(store)).filter((each) => each === state).length;
      const told = async () => {
        const found: SodException[] = [];
        for (let after = 0; ; ) {
          const query = { types: ['sod.exception.voided'], limit: 100, after } as const;
          const { events } = await store.events.read('acme', query);
          found.push(...events.map(({ data }): SodException => JSON.parse(data)));
          const last = events.at(-1);
          if (last === undefined) return found;
          after = last.sequence;
        }
      };
      await change({ description: 'Described' });
      await voidExceptions(store, 'acme', LATER);
      expect([await countOf('APPROVED'), await told()]).toEqual([261, []]);
      await change({ level: 'LOW' });
      expect([await countOf('VOID'), await countOf('APPROVED')]).toEqual([260, 1]);
      const coveringOf = async (id: string) => (await createSodReader(store.sod).read('acme', id)).exceptions;
      expect(await coveringOf('i-1')).toBeNull();
      // The change back before a round makes them cover again; after a round it does not.
      await change({ level: 'HIGH' });
      expect([await countOf('APPROVED'), await told()]).toEqual([261, []]);
      await change({ level: 'LOW' });
      await voidExceptions(store, 'acme', LATER);
      await change({ level: 'HIGH' });
      expect([await countOf('VOID'), await countOf('APPROVED')]).toEqual([260, 1]);
      expect(await coveringOf('i-1')).toBeNull();
      await voidExceptions(store, 'acme', LATER);
      expect((await told()).map(({ id, state, voided }) => [id, state, voided]).toSorted()).toEqual(
        holders.map((id) => [id, 'VOID', LATER]).toSorted(),
      );
      await change({ level: 'LOW' });
      // Another level is another policy, which has to be approved again.
      await makeApproved(store, 'again', asked('p', 'i-1'));
      await ask(store, 'requested', asked('p', 'i-2'));
      await change({ state: 'NOT_ENFORCED' });
      expect(await statesOf(store)).toMatchObject({ again: 'VOID', requested: 'REQUESTED', other: 'APPROVED' });
      await store.policies.delete({ ...ADMIN, time: LATER }, 'p', () => ok(null));
      expect(await statesOf(store)).toMatchObject({ requested: 'VOID', other: 'APPROVED' });
    });

    test('that a caller was refused for being void stay void after a change back, and are told', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const policyOf = (level: 'HIGH' | 'LOW') => sodPolicy('p', { left: ['e-1'], right: ['e-2'] }, { level });
      const holding = (...ids: readonly string[]) => identity('i-2', { access: holds('ENTITLEMENT', ...ids) });
      await importAll(store, 'acme', [
        ...BASE,
        policyOf('HIGH'),
        ...['i-1', 'i-3'].map((id) => identity(id, { access: holds('ENTITLEMENT', 'e-1', 'e-2') })),
        holding('e-1', 'e-2'),
      ]);
      for (const [id, identityId] of [
        ['x-1', 'i-1'],
        ['x-2', 'i-2'],
        ['x-3', 'i-3'],
      ] as const)
        await makeApproved(store, id, asked('p', identityId));
      const revoke = (id: string) =>
        store.exceptions.change({ ...ADMIN, time: LATER }, id, {
          decide: (view) => revokeException(view.exception, view, { identityId: 'i-admin', now: LATER, comment: null }),
        });
      await importAll(store, 'acme', [policyOf('LOW')], LATER);
      expect(await revoke('x-1')).toMatchObject({ ok: false, failure: { type: 'Conflict' } });
      await importAll(store, 'acme', [policyOf('HIGH'), holding('e-1')], LATER);
      expect(await revoke('x-2')).toMatchObject({ ok: false, failure: { type: 'Conflict' } });
      await importAll(store, 'acme', [holding('e-1', 'e-2')], LATER);
      expect(await statesOf(store)).toEqual({ 'x-1': 'VOID', 'x-2': 'VOID', 'x-3': 'APPROVED' });
      expect(await idsByState(store)).toEqual({ APPROVED: ['x-3'], VOID: ['x-1', 'x-2'] });
      const reader = createSodReader(store.sod);
      for (const [id, exceptions] of [
        ['i-1', null],
        ['i-2', null],
        ['i-3', [{ id: 'x-3' }]],
      ] as const)
        expect([id, (await reader.read('acme', id)).exceptions]).toMatchObject([id, exceptions]);
      // Once: neither another refusal nor a round tells it again.
      expect(await revoke('x-1')).toMatchObject({ ok: false, failure: { type: 'Conflict' } });
      await voidExceptions(store, 'acme', LATER);
      const { events } = await store.events.read('acme', { types: ['sod.exception.voided'], limit: 100, after: 0 });
      const told = events.map(({ data }): SodException => JSON.parse(data));
      expect(told.map(({ id, state, voided }) => [id, state, voided])).toEqual([
        ['x-1', 'VOID', LATER],
        ['x-2', 'VOID', LATER],
      ]);
    });

    test('are void for good once their policy is deleted, although it is created anew', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const policies = ['p-1', 'p-2', 'p-3'].map((id) => sodPolicy(id, { left: ['e-1'], right: ['e-2'] }));
      const access = holds('ENTITLEMENT', 'e-1', 'e-2');
      await importAll(store, 'acme', [...BASE, ...policies, identity('i-1', { access })]);
      for (const id of ['p-1', 'p-2']) await makeApproved(store, `of-${id}`, asked(id, 'i-1'));
      await ask(store, 'of-p-3', asked('p-3', 'i-1'));
      const reader = createSodReader(store.sod);
      expect((await reader.read('acme', 'i-1')).exceptions).toMatchObject([{ id: 'of-p-1' }, { id: 'of-p-2' }]);
      const earlier = await store.sod.readVersion('acme', 'i-1');
      const gone = ['p-1', 'p-3'].map((id) => deletion('sodPolicy', id));
      await importAll(store, 'acme', gone, LATER);
      await importAll(store, 'acme', policies, LATER);
      const states = { 'of-p-1': 'VOID', 'of-p-2': 'APPROVED', 'of-p-3': 'VOID' };
      expect(await statesOf(store)).toEqual(states);
      expect(await idsByState(store)).toEqual(groupIds(states));
      // Also in a prediction that has read the identity before.
      for (const source of [store.sod, { ...store.sod, readVersion: () => earlier }])
        expect((await createSodReader(source).read('acme', 'i-1')).exceptions).toMatchObject([{ id: 'of-p-2' }]);
      expect(await ask(store, 'again', asked('p-1', 'i-1'))).toMatchObject({ ok: true });
      await voidExceptions(store, 'acme', LATER);
      expect(await statesOf(store)).toEqual({ ...states, again: 'REQUESTED' });
    });

    test('appear in predictions once approved, under a new revision of the identity', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const other = await database.openAnother();
      const readers = [createSodReader(store.sod), createSodReader(other.sod)];
      const seen: unknown[] = [];
      const expectExceptions = async (exceptions: readonly object[] | null) => {
        const { exceptions: _, ...version } = await store.sod.readVersion('acme', 'i-1');
        seen.push(version.revision);
        await caughtUp(other, 'acme', ['i-1']);
        for (const reader of readers)
          expect(await reader.read('acme', 'i-1')).toMatchObject({ ...version, exceptions });
      };
      const move = (id: string, fields: Partial<SodExceptionRecord>) =>
        store.exceptions.change(ADMIN, id, { decide: ({ exception }) => ok({ ...exception, ...fields }) });
      const access = holds('ENTITLEMENT', 'e-1', 'e-2');
      const policies = ['p-1', 'p-2'].map((id) => sodPolicy(id, { left: ['e-1'], right: ['e-2'] }));
      await importAll(store, 'other', [...BASE, ...policies, identity('i-1', { access })]);
      await importAll(store, 'acme', [...BASE, ...policies, identity('i-1', { access })]);
      await expectExceptions(null);
      for (const [id, policyId] of [
        ['x-2', 'p-2'],
        ['x-1', 'p-1'],
      ] as const)
        await ask(store, id, asked(policyId, 'i-1'));
      await expectExceptions(null);
      const [first, second] = ['x-1', 'x-2'].map((id, at) => ({
        policyId: `p-${at + 1}`,
        id,
        start: NOW,
        end: END,
        approved: NOW,
        items: ['e-1', 'e-2'],
      }));
      await approve(store, 'x-2');
      await expectExceptions([second ?? {}]);
      await approve(store, 'x-1');
      await expectExceptions([first ?? {}, second ?? {}]);
      await move('x-2', { revoked: NOW });
      await expectExceptions([first ?? {}]);
      await importAll(store, 'acme', [sodPolicy('p-1', { left: ['e-1'], right: ['e-3'] })]);
      await expectExceptions(null);
      expect((await store.sod.readVersion('other', 'i-1')).exceptions).toBeNull();
      // Requesting an exception changes nothing, and a change of the policy changes the version of the rulebook.
      expect(seen.map((revision) => seen.indexOf(revision))).toEqual([0, 0, 2, 3, 4, 4]);
    });

    test('are compared with the policy that a prediction evaluates, although an earlier version was read', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const policyOf = (level: 'HIGH' | 'LOW') => sodPolicy('p', { left: ['e-1'], right: ['e-2'] }, { level });
      const access = holds('ENTITLEMENT', 'e-1', 'e-2');
      await importAll(store, 'acme', [...BASE, policyOf('HIGH'), identity('i-1', { access })]);
      await makeApproved(store, 'x', asked('p', 'i-1'));
      const earlier = await store.sod.readVersion('acme', 'i-1');
      await importAll(store, 'acme', [policyOf('LOW')]);
      const reader = createSodReader({ ...store.sod, readVersion: () => earlier });
      const reading = await reader.read('acme', 'i-1');
      expect(reading).toMatchObject({ policySetVersion: earlier.policySetVersion + 1, exceptions: null });
    });

    test('approved while the policy is changed are bound to the policy as it is in the end', async () => {
      await using database = await openDatabase(engine);
      const other = await database.openAnother();
      const { store } = database;
      const ids = Array.from({ length: 12 }, (_, at) => `p-${at}`);
      const policyOf = (id: string, fields: object) => sodPolicy(id, { left: ['e-1'], right: ['e-2'] }, fields);
      const access = holds('ENTITLEMENT', 'e-1', 'e-2');
      await importAll(store, 'acme', [...BASE, ...ids.map((id) => policyOf(id, {})), identity('i-1', { access })]);
      for (const id of ids) await ask(store, id, asked(id, 'i-1'));
      await Promise.all(
        ids.flatMap((id) => [
          approve(store, id),
          importAll(other, 'acme', [policyOf(id, { level: 'LOW', name: `${id} rewritten` })], LATER),
        ]),
      );
      const states = await statesOf(store);
      expect(Object.values(states).every((state) => state === 'APPROVED' || state === 'VOID')).toBe(true);
      // Those in force were approved after the change: another change that does not count leaves them as they are.
      const described = { level: 'LOW', description: 'Described' };
      await importAll(
        store,
        'acme',
        ids.map((id) => policyOf(id, { ...described, name: `${id} rewritten` })),
        LATER,
      );
      expect(await statesOf(store)).toEqual(states);
    });

    test('of a pair are in force one at a time, even when the clock goes back', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const access = holds('ENTITLEMENT', 'e-1', 'e-2');
      const policies = ['p-1', 'p-2'].map((id) => sodPolicy(id, { left: ['e-1'], right: ['e-2'] }));
      await importAll(store, 'acme', [...BASE, ...policies, identity('i-1', { access })]);
      await makeApproved(store, 'x-1', asked('p-1', 'i-1'));
      await makeApproved(store, 'x-2', asked('p-2', 'i-1'));
      // The clock jumps beyond the end of both, and the first is requested anew.
      const far = '2026-06-02T00:00:00.000Z';
      const farEnd = '2026-07-01T00:00:00.000Z';
      const again = { ...asked('p-1', 'i-1'), end: farEnd };
      const act = { ...ADMIN, time: far };
      const actor = { identityId: 'i-asker', now: far };
      const made = await store.exceptions.create(act, again, (view) =>
        requestException(again, view, { id: 'x-3', ...actor }),
      );
      expect(made.ok).toBe(true);
      const approved = await store.exceptions.change(act, 'x-3', {
        decide: (view) => approveException(view.exception, view, { identityId: 'i-admin', now: far, comment: null }),
      });
      expect(approved.ok).toBe(true);
      // At the earlier time both were approved before; the state is the same in lists by state.
      expect(await statesOf(store)).toEqual({ 'x-1': 'EXPIRED', 'x-2': 'APPROVED', 'x-3': 'APPROVED' });
      for (const [state, ids] of [
        ['APPROVED', ['x-2', 'x-3']],
        ['EXPIRED', ['x-1']],
        ['VOID', []],
      ] as const) {
        const query = { conditions: [{ field: 'state', operator: 'in', values: [state] }], now: LATER } as const;
        const found = await store.exceptions.list('acme', query, { limit: 9, offset: 0 });
        expect(found.map(({ exception }) => exception.id)).toEqual(ids);
      }
      expect((await store.sod.readVersion('acme', 'i-1')).exceptions).toMatchObject([{ id: 'x-2' }, { id: 'x-3' }]);
    });

    test('are listed by the state in which they are shown, whatever is stored', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const access = holds('ENTITLEMENT', 'e-1', 'e-2');
      const before = '2026-03-01T12:00:00.999Z';
      const after = '2026-03-01T12:00:01.001Z';
      const stored = [before, LATER, after].flatMap((ends) =>
        [null, before, LATER, after].flatMap((voided) =>
          [null, NOW].flatMap((approved) => [null, NOW].map((revoked) => ({ ends, voided, approved, revoked }))),
        ),
      );
      await importAll(store, 'acme', [
        ...BASE,
        sodPolicy('p-1', { left: ['e-1'], right: ['e-2'] }),
        ...stored.map((_, at) => identity(`i-${at}`, { access })),
      ]);
      for (const [at, columns] of stored.entries()) {
        await makeApproved(store, `x-${at}`, asked('p-1', `i-${at}`));
        const values = Object.entries(columns).map(([column, value]) =>
          value === null ? `${column} = null` : `${column} = '${value}'`,
        );
        await database.execute(`update sod_exception set ${values.join()} where id = 'x-${at}'`);
      }
      const listed = await idsByState(store);
      expect(listed).toEqual(groupIds(await statesOf(store)));
      expect(Object.keys(listed).toSorted()).toEqual(SOD_EXCEPTION_STATES.toSorted());
    });

    test.each(seeds(8))('become void according to the plain rule, in random history %i', async (seed) => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const below = createRandom(seed);
      const world = new Map<string, AccessModelRecord>();
      const apply = async (records: readonly AccessModelRecord[]) => {
        await importAll(store, 'acme', records, LATER);
        for (const record of records)
          if ('delete' in record) world.delete(`${record.kind} ${record.id}`);
          else world.set(`${record.kind} ${record.id}`, record);
      };
      await apply([...BASE, accessProfile('ap', ['e-1']), role('r', { accessProfiles: ['ap'] })]);
      await apply(
        PAIRS.flatMap(([policyId, identityId]) => [drawPolicy(policyId, below), drawIdentity(identityId, below)]),
      );
      const expected = new Map<
        string,
        { readonly pair: readonly [string, string]; readonly approved: Conflict | null; state: string }
      >();
      for (let step = 0; step < 40; step++) {
        const pair = PAIRS[below(PAIRS.length)] ?? PAIRS[0];
        const [policyId, identityId] = pair;
        if (below(2) === 0) await apply(drawChange(below));
        else if ((await ask(store, `x-${step}`, asked(policyId, identityId))).ok) {
          const state = (await approve(store, `x-${step}`)).ok ? 'APPROVED' : 'REQUESTED';
          const conflict = conflictIn(world, pair);
          expect([seed, step, state]).toEqual([seed, step, conflict === null ? 'REQUESTED' : 'APPROVED']);
          expected.set(`x-${step}`, { pair, approved: conflict, state });
        }
        for (const one of expected.values()) {
          const isGone = one.pair.some((id, at) => !world.has(`${at === 0 ? 'sodPolicy' : 'identity'} ${id}`));
          const now = conflictIn(world, one.pair);
          const ended = one.state === 'APPROVED' && !isAsApproved(now, one.approved);
          if (isGone || ended) one.state = 'VOID';
        }
        const states = Object.fromEntries([...expected].map(([id, { state }]) => [id, state]));
        expect([seed, step, await statesOf(store)]).toEqual([seed, step, states]);
        expect([seed, step, await idsByState(store)]).toEqual([seed, step, groupIds(states)]);
        await voidExceptions(store, 'acme', LATER);
        expect([seed, step, await statesOf(store)]).toEqual([seed, step, states]);
      }
    });
  });
}

const PAIRS = [
  ['p-1', 'i-1'],
  ['p-1', 'i-2'],
  ['p-2', 'i-1'],
  ['p-2', 'i-2'],
] as const;

type Random = (end: number) => number;

function createRandom(seed: number): Random {
  let state = seed * 2_654_435_761;
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
}

const drawIdentity = (id: string, below: Random) =>
  identity(id, {
    access: [
      ...(below(2) === 0 ? holds('ENTITLEMENT', 'e-1') : []),
      ...(below(2) === 0 ? holds('ENTITLEMENT', 'e-2') : []),
      ...(below(2) === 0 ? holds('ROLE', 'r') : []),
      ...(below(3) === 0 ? holds('ENTITLEMENT', 'e-3') : []),
    ],
  });

const drawPolicy = (id: string, below: Random) =>
  sodPolicy(
    id,
    { left: below(4) === 0 ? ['e-1'] : ['e-1', 'e-3'], right: ['e-2'] },
    {
      state: below(6) === 0 ? 'NOT_ENFORCED' : 'ENFORCED',
      level: below(6) === 0 ? 'LOW' : 'HIGH',
      name: below(6) === 0 ? 'Other' : id,
    },
  );

function drawChange(below: Random): readonly AccessModelRecord[] {
  const number = 1 + below(2);
  const changes: readonly (() => readonly AccessModelRecord[])[] = [
    () => [drawIdentity(`i-${number}`, below)],
    () => [drawIdentity('i-1', below), drawIdentity('i-2', below), drawPolicy(`p-${number}`, below)],
    () => [drawPolicy(`p-${number}`, below)],
    () => [below(3) === 0 ? deletion('identity', `i-${number}`) : drawIdentity(`i-${number}`, below)],
    () => [below(3) === 0 ? deletion('sodPolicy', `p-${number}`) : drawPolicy(`p-${number}`, below)],
    () => [accessProfile('ap', [`e-${1 + below(3)}`])],
    () => [role('r', { accessProfiles: below(2) === 0 ? ['ap'] : [], entitlements: below(3) === 0 ? ['e-2'] : [] })],
  ];
  return changes[below(changes.length)]?.() ?? [];
}

/** The conflict of a pair: the policy as an approver sees it, and the items that are held. */
interface Conflict {
  readonly terms: string;
  readonly items: readonly string[];
}

const isAsApproved = (now: Conflict | null, approved: Conflict | null) =>
  now !== null && now.terms === approved?.terms && now.items.every((id) => approved.items.includes(id));

/** The conflict of held access on both sides, in the imported model; null for none. */
function conflictIn(
  world: ReadonlyMap<string, AccessModelRecord>,
  [policyId, identityId]: readonly [string, string],
): Conflict | null {
  const policy = world.get(`sodPolicy ${policyId}`);
  const holder = world.get(`identity ${identityId}`);
  if (policy?.kind !== 'sodPolicy' || !('state' in policy) || policy.state !== 'ENFORCED') return null;
  if (holder?.kind !== 'identity' || !('access' in holder)) return null;
  const held = new Set((holder.access ?? []).flatMap(({ type, id }) => expand(world, type, id)));
  const { name, level, conflictingAccessCriteria: criteria } = policy;
  if ('criteria' in criteria) return null;
  const [left = [], right = []] = [criteria.leftCriteria, criteria.rightCriteria].map(({ criteriaList }) =>
    criteriaList.map(({ id }) => id).filter((id) => held.has(id)),
  );
  if (left.length === 0 || right.length === 0) return null;
  return { terms: JSON.stringify([name, level, criteria]), items: [...left, ...right] };
}

function expand(world: ReadonlyMap<string, AccessModelRecord>, type: string, id: string): readonly string[] {
  if (type === 'ENTITLEMENT') return [id];
  const bundle = world.get(`${type === 'ROLE' ? 'role' : 'accessProfile'} ${id}`);
  if (bundle === undefined || !('entitlements' in bundle)) return [];
  const profiles = 'accessProfiles' in bundle ? bundle.accessProfiles : [];
  return [...bundle.entitlements, ...profiles.flatMap((profile) => expand(world, 'ACCESS_PROFILE', profile))];
}
