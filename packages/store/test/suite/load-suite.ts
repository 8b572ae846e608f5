import type {
  AccountFields,
  Load,
  LoadMode,
  LoadPart,
  LoadRecord,
  SourceFields,
  TimedAccessRef,
} from '@access-admin/domain';
import { runs } from '@access-admin/test-depth';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Reads } from '../../src/engine/database.ts';
import type { LoadClaim, Store } from '../../src/index.ts';
import { countViolations } from '../../src/loads/count-violations.ts';
import { openEngineDatabase } from '../engine-database.ts';
import {
  actIn,
  entitlement,
  exportAll,
  holds,
  identity,
  identityProfile,
  importAll,
  NOW,
  role,
  sodPolicy,
} from '../model-records.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';
import { account as importedAccount, source } from './source-suite.ts';

const PAGE = { limit: 250, offset: 0 };
const HOUR_MS = 3_600_000;
const NOW_MS = Date.parse(NOW);
const TURN = { now: NOW, pause: () => {} };

const account = (id: string, fields: Partial<AccountFields> = {}): LoadRecord => ({
  kind: 'account',
  id,
  name: id,
  displayName: null,
  email: null,
  disabled: false,
  access: [],
  ...fields,
});

const accounts = (from: number, to: number, access: readonly TimedAccessRef[] = []): readonly LoadRecord[] =>
  Array.from({ length: to - from }, (_, at) => account(`a-${String(from + at).padStart(6, '0')}`, { access }));

const part = (records: readonly LoadRecord[], fields: Partial<LoadPart> = {}): LoadPart => ({
  records: records.map((record, at) => ({ line: at + 1, record })),
  faults: [],
  faultCount: 0,
  ...fields,
});

let count = 0;

async function open(store: Store, mode: LoadMode = 'FULL', dryRun = false, sourceId = 'erp') {
  count += 1;
  const load = { source: sourceId, loadId: `l-${count}` };
  const created = await store.loads.create(actIn('acme'), { ...load, mode, dryRun });
  if (!created.ok) throw new Error(created.failure.causes[0]?.text);
  return load;
}

async function put(store: Store, load: { source: string; loadId: string }, parts: readonly LoadPart[]) {
  for (const [at, each] of parts.entries())
    expect(await store.loads.putPart(actIn('acme'), { ...load, ...each, part: at + 1 })).toEqual({
      ok: true,
      value: null,
    });
}

const commit = (store: Store, load: { source: string; loadId: string }, confirmed: number | null = null) =>
  store.loads.commit(actIn('acme'), { ...load, confirmed });

async function claim(store: Store, nowMs = NOW_MS): Promise<LoadClaim> {
  const [claimed] = await store.loads.claim({ nowMs, leaseMs: 1_000, limit: 1 });
  if (claimed === undefined) throw new Error('there is nothing to claim');
  return claimed;
}

/** Applies what is committed as a worker does. */
async function work(store: Store, nowMs = NOW_MS): Promise<void> {
  const claimed = await claim(store, nowMs);
  while ((await store.loads.advance(claimed, TURN)) === 'more');
}

async function loadAll(
  store: Store,
  parts: readonly (readonly LoadRecord[])[],
  { mode = 'FULL', dryRun = false, sourceId = 'erp' }: { mode?: LoadMode; dryRun?: boolean; sourceId?: string } = {},
): Promise<Load> {
  const load = await open(store, mode, dryRun, sourceId);
  await put(
    store,
    load,
    parts.map((records) => part(records)),
  );
  expect(await commit(store, load)).toMatchObject({ ok: true, value: { state: 'RUNNING', committed: NOW } });
  await work(store);
  const ended = await store.loads.find('acme', load);
  if (ended === null) throw new Error('the load is gone');
  return ended;
}

const idsOf = async (store: Store) => (await store.sources.listAccounts('acme', [], PAGE)).map(({ id }) => id).sort();

async function holdersOf(store: Store, id: string): Promise<readonly string[]> {
  const page = await store.lookUps.listHolders('acme', { type: 'ENTITLEMENT', id }, { ...PAGE, after: null });
  return (page?.records ?? []).map(({ identity: holder }) => holder.id).sort();
}

/** All records, and who holds what. */
const stateOf = async (store: Store) => ({
  records: await exportAll(store, 'acme'),
  holders: await Promise.all(['e-1', 'e-2'].map((id) => holdersOf(store, id))),
});

async function openWorld(engine: StoreEngine, fields: Partial<SourceFields> = {}) {
  const database = await openDatabase(engine);
  await importAll(database.store, 'acme', [
    entitlement('e-1'),
    entitlement('e-2'),
    role('r-1', { entitlements: ['e-1'] }),
    identityProfile('ip'),
    source('erp', fields),
    source('hr', { authoritative: true }),
    identity('i-1', { uid: 'ada' }),
    identity('i-2', { uid: 'bea' }),
  ]);
  return database;
}

export function describeLoads(engine: StoreEngine): void {
  describe('a load', () => {
    test('applies its catalogue and accounts, and deletes the accounts that it lacks', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      await importAll(store, 'acme', [
        importedAccount('erp', 'gone', { access: holds('ENTITLEMENT', 'e-1') }),
        importedAccount('erp', 'ada', { access: holds('ENTITLEMENT', 'e-1') }),
        importedAccount('hr', 'other'),
      ]);
      const ended = await loadAll(store, [
        [account('bea', { access: holds('ROLE', 'r-new') }), account('none', { disabled: true })],
        [
          { ...role('r-new', { accessProfiles: ['ap-new'] }), kind: 'role' },
          { kind: 'accessProfile', id: 'ap-new', name: 'ap', entitlements: ['e-new', 'e-2'] },
          entitlement('e-new'),
          account('ada', { access: holds('ENTITLEMENT', 'e-2') }),
        ],
      ]);
      expect(ended).toMatchObject({
        state: 'SUCCESS',
        reason: null,
        message: null,
        completed: NOW,
        summary: {
          accounts: { created: 2, updated: 1, deleted: 1, unchanged: 0 },
          correlated: { byRule: 2, byHand: 0, ambiguous: 0, none: 1 },
          identities: { created: 0, updated: 0 },
          access: { added: 2, removed: 2 },
          disabled: 1,
          catalogue: { created: 3, updated: 0 },
          faults: [],
          faultCount: 0,
        },
      });
      expect(await idsOf(store)).toEqual(['ada', 'bea', 'none', 'other']);
      expect(await Promise.all(['e-1', 'e-2', 'e-new'].map((id) => holdersOf(store, id)))).toEqual([
        [],
        ['i-1', 'i-2'],
        ['i-2'],
      ]);
    });

    test('with changes alone deletes nothing, and keeps links that were made by hand', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      await importAll(store, 'acme', [
        importedAccount('erp', 'stays'),
        importedAccount('erp', 'x', { manual: { identityId: 'i-2' } }),
      ]);
      const { summary } = await loadAll(store, [[account('x', { displayName: 'X' })]], { mode: 'DELTA' });
      expect(summary).toMatchObject({
        accounts: { created: 0, updated: 1, deleted: 0, unchanged: 0 },
        correlated: { byRule: 0, byHand: 1 },
      });
      expect(await idsOf(store)).toEqual(['stays', 'x']);
    });

    test('makes the identities of an authoritative source, and tells what it cannot make', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      // The rule finds nobody by this e-mail address, and the uid is taken.
      const hr = { ...source('hr', { authoritative: true, correlation: [{ account: 'email', identity: 'email' }] }) };
      await importAll(store, 'acme', [hr]);
      const ended = await loadAll(store, [[account('new'), account('taken', { name: 'ADA' })]], { sourceId: 'hr' });
      expect(ended).toMatchObject({
        state: 'SUCCESS',
        summary: {
          identities: { created: 1, updated: 0 },
          correlated: { none: 1 },
          faults: [{ part: 1, line: 2, text: expect.stringContaining('i-1') }],
          faultCount: 1,
        },
      });
    });

    test('that has faults is refused before anything changes', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      const load = await open(store);
      await put(store, load, [
        part([entitlement('e-new'), account('a', { access: holds('ENTITLEMENT', 'e-new') }), account('b')]),
        part([account('c', { access: holds('ENTITLEMENT', 'e-none', 'e-none-2') }), account('b')], {
          faults: [{ line: 7, text: 'is no JSON' }],
          faultCount: 150,
        }),
      ]);
      await commit(store, load);
      await work(store);
      expect(await store.loads.find('acme', load)).toMatchObject({
        state: 'REFUSED',
        reason: 'FAULTS',
        summary: {
          accounts: { created: 0 },
          catalogue: { created: 0 },
          faults: [
            { part: 2, line: 7, text: 'is no JSON' },
            { part: 2, line: 1, text: expect.stringContaining('e-none') },
            { part: 2, line: 2, text: expect.stringContaining('id') },
          ],
          faultCount: 152,
        },
      });
      expect(await idsOf(store)).toEqual([]);
      expect(await store.lookUps.find('acme', 'entitlement', 'e-new')).toBeNull();
      // It cannot be confirmed.
      expect(await commit(store, load, 0)).toMatchObject({ ok: false, failure: { type: 'Conflict' } });
    });

    test('takes the last part with a number', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      const load = await open(store);
      await put(store, load, [part([account('bad')], { faults: [{ line: 1, text: 'x' }], faultCount: 1 })]);
      await put(store, load, [part([account('good')])]);
      await commit(store, load);
      await work(store);
      expect([(await store.loads.find('acme', load))?.state, await idsOf(store)]).toEqual(['SUCCESS', ['good']]);
    });

    test('that deletes too many accounts is refused until that number is confirmed', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      await loadAll(store, [accounts(0, 40)]);
      const load = await open(store);
      await put(store, load, [part(accounts(11, 40))]);
      for (const confirmed of [null, 10, 12]) {
        expect((await commit(store, load, confirmed)).ok).toBe(true);
        await work(store);
        expect(await store.loads.find('acme', load)).toMatchObject({
          state: 'REFUSED',
          reason: 'DELETES_ABOVE_THRESHOLD',
          deletes: 11,
        });
        expect(await idsOf(store)).toHaveLength(40);
      }
      expect(await commit(store, load, 11)).toMatchObject({ ok: true, value: { state: 'RUNNING', reason: null } });
      await work(store);
      expect(await store.loads.find('acme', load)).toMatchObject({
        state: 'SUCCESS',
        deletes: null,
        summary: { accounts: { deleted: 11, unchanged: 29 } },
      });
      expect(await idsOf(store)).toHaveLength(29);
    });

    test('that takes all access from too many accounts is refused, also with changes alone', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      await loadAll(store, [accounts(0, 40, holds('ENTITLEMENT', 'e-1'))]);
      const load = await loadAll(store, [accounts(0, 12)], { mode: 'DELTA' });
      expect(load).toMatchObject({ state: 'REFUSED', reason: 'DELETES_ABOVE_THRESHOLD', deletes: 12 });
      expect(await loadAll(store, [accounts(0, 10)], { mode: 'DELTA' })).toMatchObject({
        state: 'SUCCESS',
        summary: { access: { removed: 10 } },
      });
    });

    test('that is refused can be confirmed for 24 hours, and until another one is opened', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      await loadAll(store, [accounts(0, 40)]);
      const late = await loadAll(store, [[]]);
      while (await store.loads.removeExpired(NOW_MS + 24 * HOUR_MS));
      expect(await commit(store, late, 40)).toMatchObject({ ok: false, failure: { type: 'Conflict' } });
      const earlier = await loadAll(store, [[]]);
      const expires = new Date(NOW_MS + 24 * HOUR_MS).toISOString();
      const expiryOf = async (load: Awaited<ReturnType<typeof open>>) =>
        (await store.loads.find('acme', load))?.expires;
      expect([await expiryOf(late), await expiryOf(earlier)]).toEqual([null, expires]);
      expect(await expiryOf(await open(store))).toBe(expires);
      expect(await expiryOf(earlier)).toBe(null);
      expect(await commit(store, earlier, 40)).toMatchObject({ ok: false, failure: { type: 'Conflict' } });
    });

    test('is one of a source at a time', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      const create = (loadId: string, sourceId = 'erp') =>
        store.loads.create(actIn('acme'), { source: sourceId, loadId, mode: 'FULL', dryRun: false });
      expect(await create('one')).toMatchObject({
        ok: true,
        value: { loadId: 'one', state: 'OPEN', created: NOW, summary: null },
      });
      expect(await create('two')).toMatchObject({ ok: false, failure: { type: 'Conflict' } });
      expect((await create('three', 'hr')).ok).toBe(true);
      expect(await create('four', 'none')).toMatchObject({ ok: false, failure: { type: 'NotFound' } });
      const one = { source: 'erp', loadId: 'one' };
      await commit(store, one);
      expect(await create('two')).toMatchObject({ ok: false, failure: { type: 'Conflict' } });
      await work(store);
      expect((await create('two')).ok).toBe(true);
      expect((await store.loads.list('acme', 'erp', PAGE)).map(({ loadId }) => loadId)).toEqual(['two', 'one']);
      expect(await store.loads.count('acme', 'erp')).toBe(2);
      expect(await store.loads.list('acme', 'none', PAGE)).toEqual([]);
    });

    test('names roles and access profiles that grant nothing any more', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await importAll(store, 'acme', [source('erp')]);
      const named = (id: string, entitlements: readonly string[]): readonly LoadRecord[] => [
        { kind: 'role', id: `r-${id}`, name: id, accessProfiles: [], entitlements },
        { kind: 'accessProfile', id: `p-${id}`, name: id, entitlements },
      ];
      const granted: LoadRecord = { kind: 'entitlement', id: 'e-1', name: 'e-1', source: null };
      const first = await loadAll(store, [
        [granted, ...named('1', ['e-1']), ...named('2', ['e-1']), ...named('3', [])],
      ]);
      expect(first.summary?.faults).toEqual([]);
      const second = await loadAll(store, [[...named('1', []), ...named('2', ['e-1']), ...named('3', [])]]);
      expect([second.state, second.summary?.faults]).toEqual([
        'SUCCESS',
        [
          { part: 1, line: 2, text: 'the access profile p-1 grants nothing any more' },
          { part: 1, line: 1, text: 'the role r-1 grants nothing any more' },
        ],
      ]);
    });

    test('names the accounts by which those of other sources lose their identities', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const correlation = [{ account: 'name', identity: 'uid' }] as const;
      const hr = source('hr', { authoritative: true, identityProfileId: 'ip', correlation });
      await importAll(store, 'acme', [identityProfile('ip'), hr, source('erp')]);
      const email = 'ada@example.org';
      await loadAll(store, [[account('p-1', { email })]], { sourceId: 'hr' });
      await loadAll(store, [[account('E1', { email })]]);
      const summary = await loadAll(
        store,
        [[account('p-1', { email }), account('p-2', { email: 'ADA@example.org' })]],
        {
          sourceId: 'hr',
        },
      );
      expect([summary.state, summary.summary?.faults]).toEqual([
        'SUCCESS',
        [
          {
            part: 1,
            line: expect.any(Number),
            text: 'the account E1 of erp has no identity now, because several match it: p-1, p-2',
          },
        ],
      ]);
    });

    test('that is open can be cancelled, and ends after 24 hours; one that has ended takes nothing', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      const cancelled = await open(store);
      await put(store, cancelled, [part([account('a')])]);
      expect(await store.loads.cancel(actIn('acme'), cancelled)).toEqual({ ok: true, value: null });
      expect(await store.loads.find('acme', cancelled)).toBeNull();
      expect(await store.loads.cancel(actIn('acme'), cancelled)).toMatchObject({ failure: { type: 'NotFound' } });

      const late = await open(store);
      const tomorrow = new Date(NOW_MS + 24 * HOUR_MS).toISOString();
      const lateCommit = await store.loads.commit(actIn('acme', tomorrow), { ...late, confirmed: null });
      expect(lateCommit).toMatchObject({ failure: { type: 'Conflict' } });
      while (await store.loads.removeExpired(NOW_MS + 24 * HOUR_MS));
      expect(await store.loads.find('acme', late)).toMatchObject({ state: 'ERROR', completed: tomorrow });
      for (const refused of [
        await store.loads.putPart(actIn('acme'), { ...late, ...part([]), part: 1 }),
        await commit(store, late),
        await store.loads.cancel(actIn('acme'), late),
      ])
        expect(refused).toMatchObject({ ok: false, failure: { type: 'Conflict' } });
    });

    test('leaves no parts when it has ended, and of those that have ended the latest 100 are kept', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      const first = await loadAll(store, [[account('a')]]);
      while (await store.loads.removeExpired(NOW_MS));
      const again = await open(store, 'DELTA');
      await commit(store, again);
      await work(store);
      expect(await store.loads.find('acme', again)).toMatchObject({
        state: 'SUCCESS',
        summary: { accounts: { created: 0, unchanged: 0 } },
      });
      for (let at = 0; at < 100; at++) {
        while (await store.loads.removeExpired(NOW_MS));
        await loadAll(store, [], { mode: 'DELTA' });
      }
      expect(await store.loads.find('acme', first)).toBeNull();
      expect(await store.loads.count('acme', 'erp')).toBe(100);
    });

    test('goes on where the worker before has stopped, each piece once', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      await importAll(store, 'acme', [importedAccount('erp', 'gone-1'), importedAccount('erp', 'gone-2')]);
      const load = await open(store);
      await put(store, load, [part(accounts(0, 1_200)), part([entitlement('e-new'), ...accounts(1_200, 1_300)])]);
      await commit(store, load);
      // Each worker takes one step and dies.
      let nowMs = NOW_MS;
      let steps = 0;
      for (let last = 'more'; last === 'more'; steps++) {
        const claimed = await claim(store, nowMs);
        expect(claimed.attempts).toBeLessThanOrEqual(2);
        last = await store.loads.advance(claimed, TURN);
        nowMs += 2_000;
      }
      expect(steps).toBe(8);
      expect(await store.loads.find('acme', load)).toMatchObject({
        state: 'SUCCESS',
        summary: { accounts: { created: 1_300, deleted: 2, updated: 0, unchanged: 0 }, catalogue: { created: 1 } },
      });
    });

    test('is applied by the latest claim alone', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      const load = await open(store);
      await put(store, load, [part([account('a')])]);
      await commit(store, load);
      const first = await claim(store);
      expect(await store.loads.renew([first], NOW_MS + 2_000)).toEqual([first]);
      const second = await claim(store, NOW_MS + 5_000);
      expect(await store.loads.advance(first, TURN)).toBe('lost');
      expect(await store.loads.renew([first], NOW_MS + 9_000)).toEqual([]);
      expect(await store.loads.advance(second, TURN)).toBe('more');
      await store.loads.release(second, { availableAtMs: 0, isAttempt: false });
      await store.loads.fail(await claim(store, NOW_MS + 5_000), { now: NOW, message: 'It failed.' });
      expect(await store.loads.find('acme', load)).toMatchObject({ state: 'ERROR', message: 'It failed.' });
    });

    test('ends in error where its source or its catalogue has gone meanwhile', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      const load = await open(store);
      await put(store, load, [part([account('a', { access: holds('ENTITLEMENT', 'e-2') })])]);
      await commit(store, load);
      const claimed = await claim(store);
      expect(await store.loads.advance(claimed, TURN)).toBe('more');
      await importAll(store, 'acme', [{ kind: 'entitlement', id: 'e-2', delete: true }]);
      expect(await store.loads.advance(claimed, TURN)).toBe('done');
      expect(await store.loads.find('acme', load)).toMatchObject({
        state: 'ERROR',
        message: expect.stringContaining('e-2'),
      });
      const next = await open(store);
      await commit(store, next);
      const lost = await claim(store);
      await importAll(store, 'acme', [{ kind: 'source', id: 'erp', delete: true }]);
      expect(await store.loads.advance(lost, TURN)).toBe('lost');
      expect(await store.loads.find('acme', next)).toBeNull();
    });

    test('tells of itself once, and is recorded as an import', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      await loadAll(store, [[entitlement('e-new'), account('ada')]]);
      const told = await store.events.read('acme', { types: ['access-model.loaded'], limit: 10 });
      expect(told.events.map(({ data }) => JSON.parse(data))).toMatchObject([
        { source: 'erp', mode: 'FULL', state: 'SUCCESS', summary: { accounts: { created: 1 } } },
      ]);
      expect(await store.sources.find('acme', 'erp')).toMatchObject({ lastLoad: expect.stringMatching(/^l-/) });
      const sequences = await store.audit.listSequences('acme', [], PAGE);
      const recorded = [];
      for await (const event of store.audit.read('acme', sequences)) recorded.push(event);
      expect(recorded.slice(-3)).toMatchObject([
        { resource: { type: 'ENTITLEMENT', id: 'e-new' } },
        { resource: { type: 'ACCOUNT' }, changes: [{ after: { id: 'ada' } }] },
        { resource: { type: 'ACCESS_MODEL' }, changes: [{ field: 'load', after: { state: 'SUCCESS' } }] },
      ]);
    });

    test('as a dry run tells the same, and changes nothing', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      await loadAll(store, [[account('ada', { access: holds('ENTITLEMENT', 'e-1') }), account('old')]]);
      const before = await stateOf(store);
      const records = [
        entitlement('e-new'),
        account('ada', { access: holds('ENTITLEMENT', 'e-new') }),
        account('bea', { access: holds('ROLE', 'r-1') }),
      ];
      const dry = await loadAll(store, [records], { dryRun: true });
      expect(await stateOf(store)).toEqual(before);
      expect(await store.lookUps.find('acme', 'entitlement', 'e-new')).toBeNull();
      const { summary } = await loadAll(store, [records]);
      expect(dry).toMatchObject({ dryRun: true, state: 'SUCCESS', summary });
      expect([dry.summary?.violations, summary?.violations]).toEqual([{ opened: 0, ended: 0 }, undefined]);
    });

    test('as a dry run counts the violations that it would open and end, from now on', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      await importAll(store, 'acme', [
        sodPolicy('p', { left: ['e-1'], right: ['e-2'] }),
        sodPolicy('p-new', { left: ['e-1'], right: ['e-new'] }),
        sodPolicy('p-off', { left: ['e-1'], right: ['e-2'] }, { state: 'NOT_ENFORCED' }),
        identity('i-1', { uid: 'ada', access: holds('ENTITLEMENT', 'e-1') }),
        identity('i-2', { uid: 'bea', access: holds('ENTITLEMENT', 'e-2') }),
        identity('i-3', { uid: 'cia', access: holds('ROLE', 'r-1') }),
        importedAccount('erp', 'cia', { access: holds('ENTITLEMENT', 'e-2') }),
      ]);
      const ofLoad = async (records: readonly LoadRecord[], mode: LoadMode = 'FULL') =>
        (await loadAll(store, [records], { mode, dryRun: true })).summary?.violations;
      const e2 = { type: 'ENTITLEMENT', id: 'e-2' } as const;
      const ada = account('ada', { access: [e2] });
      expect(await ofLoad([ada])).toEqual({ opened: 1, ended: 1 });
      expect(await ofLoad([ada, account('bea', { access: holds('ROLE', 'r-1') })], 'DELTA')).toEqual({
        opened: 2,
        ended: 0,
      });
      const past = account('ada', { access: [{ ...e2, end: '2026-01-01T00:00:00.000Z' }] });
      const later = account('ada', { access: [{ ...e2, start: '2027-01-01T00:00:00.000Z' }] });
      expect(await ofLoad([past], 'DELTA')).toEqual({ opened: 0, ended: 0 });
      expect(await ofLoad([later], 'DELTA')).toEqual({ opened: 1, ended: 0 });
      // A role of the catalogue gives its holders more, and an entitlement can be one that a policy waits for.
      const wider = { ...role('r-1', { entitlements: ['e-1', 'e-new'] }), kind: 'role' } as const;
      expect(await ofLoad([entitlement('e-new'), wider], 'DELTA')).toEqual({ opened: 1, ended: 0 });
    });
  });

  test('a dry run reads nobody for an entitlement that is new', async () => {
    await using was = await openWorld(engine);
    await using is = await openWorld(engine);
    for (const { store } of [was, is])
      await importAll(store, 'acme', [
        sodPolicy('p', { left: ['e-1'], right: ['e-2'] }),
        identity('i-3', { uid: 'cia', access: holds('ROLE', 'r-1') }),
      ]);
    await importAll(is.store, 'acme', [entitlement('e-new'), role('r-new', { entitlements: ['e-new'] })]);
    const before = await openEngineDatabase(was.url);
    const after = await openEngineDatabase(is.url);
    let people = 0;
    const counting: Reads = {
      read: async (query) => {
        const found = await after.read(query);
        if (Array.isArray(found)) people += found.filter((row) => 'revision' in Object(row)).length;
        return found;
      },
    };
    const states = { tenant: 'acme', before, after: counting, nowMs: NOW_MS };
    const violations = await countViolations(states, () => {});
    await before.close();
    await after.close();
    expect([violations, people]).toEqual([{ opened: 0, ended: 0 }, 0]);
  });

  test('property: a dry run counts the violations that the load opens and ends', async () => {
    await using database = await openWorld(engine, { deleteThresholdPercent: 100 });
    const { store } = database;
    await importAll(store, 'acme', [
      sodPolicy('p-1', { left: ['e-1'], right: ['e-2'] }),
      sodPolicy('p-2', { left: ['e-2'], right: ['e-3'] }),
      entitlement('e-3'),
      ...['ada', 'bea', 'cia', 'dea'].map((uid) => identity(`i-${uid}`, { uid: `${uid}-2` })),
    ]);
    const held = (ids: fc.Arbitrary<string[]>) =>
      fc
        .tuple(ids, fc.boolean())
        .map(([some, byRole]) => [...holds('ENTITLEMENT', ...some), ...(byRole ? holds('ROLE', 'r-1') : [])]);
    const arbitraryLoad = fc.record({
      accounts: fc.uniqueArray(
        fc.record({
          id: fc.constantFrom('1', '2', '3', '4', '5', '6'),
          name: fc.constantFrom('ada', 'bea', 'ada-2', 'bea-2', 'cia-2', 'dea-2'),
          disabled: fc.boolean(),
          access: held(fc.subarray(['e-1', 'e-2', 'e-3'])),
        }),
        { selector: ({ id }) => id },
      ),
      ofRole: fc.option(fc.subarray(['e-1', 'e-2', 'e-3'])),
      mode: fc.constantFrom<LoadMode>('FULL', 'DELTA'),
    });
    const violations = async () => {
      const [one = [], two = [], three = []] = await Promise.all(
        ['e-1', 'e-2', 'e-3'].map((id) => holdersOf(store, id)),
      );
      const both = (left: readonly string[], right: readonly string[]) =>
        new Set(left.filter((id) => right.includes(id)));
      return [both(one, two), both(two, three)];
    };
    // Few random loads may open nothing.
    const access = [...holds('ENTITLEMENT', 'e-1', 'e-2')];
    const ada = { id: '1', name: 'ada-2', disabled: false, access } as const;
    let all = 0;
    await fc.assert(
      fc.asyncProperty(arbitraryLoad, async ({ accounts: given, ofRole, mode }) => {
        const before = await violations();
        const records = [
          ...(ofRole === null ? [] : [{ ...role('r-1', { entitlements: ofRole }), kind: 'role' } as const]),
          ...given.map(({ id, ...fields }) => account(id, fields)),
        ];
        const dry = await loadAll(store, [records], { mode, dryRun: true });
        expect((await loadAll(store, [records], { mode })).state).toBe('SUCCESS');
        const after = await violations();
        const sum = (some: readonly Set<string>[], others: readonly Set<string>[]) =>
          some.reduce((total, each, at) => total + [...each].filter((id) => others[at]?.has(id) !== true).length, 0);
        const expected = { opened: sum(after, before), ended: sum(before, after) };
        all += expected.opened + expected.ended;
        expect(dry.summary?.violations).toEqual(expected);
      }),
      { ...runs(30), examples: [[{ accounts: [ada], ofRole: null, mode: 'FULL' }]] },
    );
    expect(all).toBeGreaterThan(0);
  });

  test('property: a load in parts is the same as its accounts at once', async () => {
    await using database = await openWorld(engine, { deleteThresholdPercent: 100 });
    await using other = await openWorld(engine, { deleteThresholdPercent: 100 });
    const { store } = database;
    const access = fc.subarray(['e-1', 'e-2']).map((ids) => holds('ENTITLEMENT', ...ids));
    const arbitraryAccount = fc.record({
      id: fc.integer({ min: 0, max: 20 }).map((at) => `a-${at}`),
      name: fc.constantFrom('ada', 'bea', 'x', 'y'),
      disabled: fc.boolean(),
      access,
    });
    const arbitraryLoad = fc.record({
      accounts: fc.uniqueArray(arbitraryAccount, { selector: ({ id }) => id, maxLength: 20 }),
      size: fc.integer({ min: 1, max: 7 }),
      mode: fc.constantFrom<LoadMode>('FULL', 'DELTA'),
    });
    let earlier = new Map<string, LoadRecord>();
    await fc.assert(
      fc.asyncProperty(arbitraryLoad, async ({ accounts: given, size, mode }) => {
        const records = given.map(({ id, ...fields }) => account(id, fields));
        const parts = Array.from({ length: Math.ceil(records.length / size) }, (_, at) =>
          records.slice(at * size, (at + 1) * size),
        );
        const ended = await loadAll(store, parts, { mode });
        expect(ended.state).toBe('SUCCESS');
        const now = new Map(records.map((record) => [record.id, record]));
        earlier = mode === 'FULL' ? now : new Map([...earlier, ...now]);
        const inParts = await stateOf(store);
        expect(await idsOf(store)).toEqual([...earlier.keys()].sort());
        const atOnce = await loadAll(other.store, [records], { mode });
        expect([ended.summary, inParts]).toEqual([atOnce.summary, await stateOf(other.store)]);
        const again = await loadAll(store, [[...earlier.values()]]);
        expect(again.summary?.accounts).toEqual({ created: 0, updated: 0, deleted: 0, unchanged: earlier.size });
      }),
      runs(30),
    );
  });
}
