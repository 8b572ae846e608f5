import {
  type AccessModelRecord,
  accountRef,
  type ExportRecord,
  ok,
  SOURCE_DEFAULTS,
  type SourceFields,
  type TimedAccessRef,
} from '@access-admin/domain';
import { runs } from '@access-admin/test-depth';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Store } from '../../src/index.ts';
import {
  actIn,
  deletion,
  entitlement,
  exportAll,
  fromExport,
  holds,
  identity,
  identityProfile,
  importAll,
  role,
} from '../model-records.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';

type AccountLine = Extract<AccessModelRecord, { readonly kind: 'account'; readonly access: unknown }>;

const PAGE = { limit: 250, offset: 0 };

export const source = (id: string, fields: Partial<SourceFields> = {}): AccessModelRecord => ({
  kind: 'source',
  id,
  name: id,
  ...SOURCE_DEFAULTS,
  ...fields,
});

export const account = (sourceId: string, id: string, fields: Partial<AccountLine> = {}): AccessModelRecord => ({
  kind: 'account',
  id: accountRef(sourceId, id),
  source: sourceId,
  account: id,
  name: id,
  displayName: null,
  email: null,
  disabled: false,
  access: [],
  ...fields,
});

const CATALOGUE = [entitlement('e-1'), entitlement('e-2'), entitlement('e-3'), role('r', { entitlements: ['e-3'] })];
const MODEL = [...CATALOGUE, identityProfile('ip')];

/** Who holds an entitlement, by the lists of holders. */
async function holdersOf(store: Store, id: string, tenant = 'acme'): Promise<readonly string[]> {
  const page = await store.lookUps.listHolders(tenant, { type: 'ENTITLEMENT', id }, { ...PAGE, after: null });
  return [...new Set(page?.records.map(({ identity: holder }) => holder.id))].sort();
}

/** The accounts with their links, by source and id. */
async function linksOf(store: Store, tenant = 'acme'): Promise<Readonly<Record<string, string>>> {
  const accounts = await store.sources.listAccounts(tenant, [], PAGE);
  return Object.fromEntries(
    accounts
      .map(
        (each) =>
          [`${each.source} ${each.id}`, `${each.correlation} ${each.identityId ?? each.candidates.join()}`] as const,
      )
      .sort(),
  );
}

async function accountKey(store: Store, id: string): Promise<string> {
  const found = (await store.sources.listAccounts('acme', [], PAGE)).find((each) => each.id === id);
  if (found === undefined) throw new Error(`there is no account ${id}`);
  return found.key;
}

const accessOf = async (store: Store, id: string) =>
  (await store.lookUps.find('acme', 'identity', id))?.assignments.map((each) => each.id) ?? null;

export function describeSources(engine: StoreEngine): void {
  describe('accounts', () => {
    test('grant their access to the identities that rules find', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await importAll(store, 'acme', [
        ...MODEL,
        source('erp'),
        identity('i-1', { uid: 'Ada', access: holds('ENTITLEMENT', 'e-1') }),
        identity('i-2', { uid: 'bea', email: 'B@example.com ' }),
        account('erp', 'a', { name: 'ADA', access: holds('ENTITLEMENT', 'e-1', 'e-2') }),
        account('erp', 'b', { name: 'else', email: 'b@EXAMPLE.com', access: holds('ROLE', 'r') }),
        account('erp', 'c', { name: 'nobody', access: holds('ENTITLEMENT', 'e-1') }),
      ]);
      expect(await linksOf(store)).toEqual({ 'erp a': 'RULE i-1', 'erp b': 'RULE i-2', 'erp c': 'NONE ' });
      expect(await Promise.all(['e-1', 'e-2', 'e-3'].map((id) => holdersOf(store, id)))).toEqual([
        ['i-1'],
        ['i-1'],
        ['i-2'],
      ]);
      // The record of the identity keeps its own access alone.
      expect((await exportAll(store, 'acme')).find(({ id }) => id === 'i-1')).toMatchObject({
        access: holds('ENTITLEMENT', 'e-1'),
      });
    });

    test('follow the identities that change, appear and go', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const given = account('erp', 'a', { name: 'ada', access: holds('ENTITLEMENT', 'e-2') });
      await importAll(store, 'acme', [...MODEL, source('erp'), given]);
      const steps: readonly (readonly [readonly AccessModelRecord[], string, readonly string[]])[] = [
        [[identity('i-1', { uid: 'ada' })], 'RULE i-1', ['i-1']],
        [[identity('i-1', { uid: 'eda' }), identity('i-2', { uid: 'ada' })], 'RULE i-2', ['i-2']],
        [[identity('i-3', { uid: 'x', email: 'a@example.com' })], 'RULE i-2', ['i-2']],
        [[deletion('identity', 'i-2')], 'NONE ', []],
        [[identity('i-4', { uid: 'ADA', access: holds('ENTITLEMENT', 'e-1') })], 'RULE i-4', ['i-4']],
        [[identity('i-4', { uid: 'ADA', access: [] })], 'RULE i-4', ['i-4']],
      ];
      for (const [records, link, holders] of steps) {
        await importAll(store, 'acme', records);
        expect([await linksOf(store), await holdersOf(store, 'e-2')]).toEqual([{ 'erp a': link }, holders]);
      }
    });

    test('with several matches grant nothing, and show them', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const email = 'team@example.com';
      await importAll(store, 'acme', [
        ...MODEL,
        source('erp'),
        identity('i-2', { email }),
        identity('i-1', { email: ' Team@example.com' }),
        account('erp', 'a', { name: 'x', email, access: holds('ENTITLEMENT', 'e-2') }),
      ]);
      expect([await linksOf(store), await holdersOf(store, 'e-2')]).toEqual([{ 'erp a': 'AMBIGUOUS i-1,i-2' }, []]);
      await importAll(store, 'acme', [identity('i-1', { email: null })]);
      expect([await linksOf(store), await holdersOf(store, 'e-2')]).toEqual([{ 'erp a': 'RULE i-2' }, ['i-2']]);
    });

    test('are linked by hand, which later records keep', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const given = account('erp', 'a', { name: 'i-1-uid', access: holds('ENTITLEMENT', 'e-2') });
      await importAll(store, 'acme', [...MODEL, source('erp'), identity('i-1'), identity('i-2'), given]);
      const key = await accountKey(store, 'a');
      const link = (identityId: string | null) => store.sources.linkAccount(actIn('acme'), key, { identityId });
      expect(await link('i-2')).toMatchObject({ ok: true, value: { correlation: 'MANUAL', identityId: 'i-2' } });
      await importAll(store, 'acme', [account('erp', 'a', { name: 'i-1-uid', access: holds('ENTITLEMENT', 'e-3') })]);
      expect([await holdersOf(store, 'e-2'), await holdersOf(store, 'e-3')]).toEqual([[], ['i-2']]);
      await link(null);
      expect([await linksOf(store), await holdersOf(store, 'e-3')]).toEqual([{ 'erp a': 'MANUAL ' }, []]);
      expect(await link('i-9')).toMatchObject({ ok: false, failure: { type: 'ReferenceNotFound' } });
      await link('i-2');
      await importAll(store, 'acme', [deletion('identity', 'i-2')]);
      expect(await linksOf(store)).toEqual({ 'erp a': 'RULE i-1' });
    });

    test('that are disabled grant nothing, unless their source has it otherwise', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const given = account('erp', 'a', { name: 'i-1-uid', disabled: true, access: holds('ENTITLEMENT', 'e-2') });
      await importAll(store, 'acme', [...MODEL, source('erp'), identity('i-1'), given]);
      expect(await holdersOf(store, 'e-2')).toEqual([]);
      const change = (fields: Partial<SourceFields>) =>
        store.sources.change(actIn('acme'), 'erp', { decide: (before) => ok({ ...before, ...fields }) });
      await change({ ignoreDisabled: false });
      expect(await holdersOf(store, 'e-2')).toEqual(['i-1']);
      await change({ ignoreDisabled: true, correlation: [] });
      expect([await holdersOf(store, 'e-2'), await linksOf(store)]).toEqual([[], { 'erp a': 'NONE ' }]);
      await change({ correlation: [{ account: 'id', identity: 'externalId' }], ignoreDisabled: false });
      await importAll(store, 'acme', [identity('i-1', { externalId: 'A' })]);
      expect([await holdersOf(store, 'e-2'), await linksOf(store)]).toEqual([['i-1'], { 'erp a': 'RULE i-1' }]);
    });

    test('of an authoritative source make their identities, and keep them', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const ada = { name: 'ada', displayName: 'Ada L.', email: 'ada@example.com', attributes: { team: 'x' } };
      await importAll(store, 'acme', [
        ...MODEL,
        source('hr', { authoritative: true }),
        account('hr', 'p-1', { ...ada, access: holds('ENTITLEMENT', 'e-1') }),
        account('hr', 'P 2', { name: 'bea' }),
        account('hr', 'p-3', { name: 'ADA' }),
      ]);
      const people = await store.lookUps.list(
        { tenant: 'acme', kind: 'identity', query: { conditions: [], sorters: [] } },
        { ...PAGE, after: null },
      );
      expect(people.records.toSorted((one, other) => (one.uid < other.uid ? -1 : 1))).toMatchObject([
        { id: 'p-1', uid: 'ada', displayName: 'Ada L.', email: 'ada@example.com', attributes: { team: 'x' } },
        { uid: 'bea', displayName: 'bea', identityProfile: { id: 'employees' } },
      ]);
      expect(await linksOf(store)).toMatchObject({ 'hr p-1': 'RULE p-1', 'hr p-3': 'RULE p-1' });
      // Another name leaves it its identity.
      await importAll(store, 'acme', [account('hr', 'p-1', { ...ada, name: 'eda', email: null, displayName: 'Eda' })]);
      expect(await store.lookUps.find('acme', 'identity', 'p-1')).toMatchObject({
        uid: 'ada',
        email: null,
        displayName: 'Eda',
      });
      expect(await linksOf(store)).toMatchObject({ 'hr p-1': 'RULE p-1', 'hr p-3': 'RULE p-1' });
      // What leaves the source leaves its identity.
      await importAll(store, 'acme', [deletion('account', accountRef('hr', 'p-1'))]);
      expect(await accessOf(store, 'p-1')).toEqual([]);
    });

    test('follow a source and identities that one import changes', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const becomes = (fields: Partial<SourceFields>) => source('hr', { ...fields, authoritative: true });
      await importAll(store, 'acme', [
        ...MODEL,
        source('hr'),
        source('erp'),
        identity('i-1', { uid: 'ada' }),
        identity('i-2', { uid: 'bea' }),
        account('hr', 'a', { name: 'ada', email: 'ada@example.com' }),
        account('hr', 'b', { name: 'bea', email: 'bea@example.com' }),
        account('hr', 'c', { name: 'eva' }),
        account('erp', 'a', { name: 'x', email: 'ada@example.com', access: holds('ENTITLEMENT', 'e-1') }),
        account('erp', 'b', { name: 'y', email: 'bea@example.com' }),
      ]);
      await importAll(store, 'acme', [
        becomes({}),
        identity('i-1', { uid: 'ada', email: 'other@example.com' }),
        deletion('identity', 'i-2'),
        identity('i-3', { uid: 'eva' }),
      ]);
      await expectAtRest(store, 'acme');
    });

    test('of an authoritative source decide on the identities that they join later', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const byEmail = [{ account: 'email', identity: 'email' }];
      await importAll(store, 'acme', [
        ...MODEL,
        source('hr', { authoritative: true }),
        source('ad', { authoritative: true, correlation: byEmail }),
        identity('taken', { uid: 'ada' }),
        // No rule finds its identity, and it can make none.
        account('ad', 'taken', { name: 'ADA', email: 'ada@example.com', displayName: 'Ada of AD' }),
        account('hr', 'b', { name: 'bea', manual: { identityId: null }, email: 'ada@example.com', displayName: 'Bea' }),
      ]);
      expect(await linksOf(store)).toEqual({ 'ad taken': 'NONE ', 'hr b': 'MANUAL ' });
      const shown = async (id: string) => {
        const found = await store.lookUps.find('acme', 'identity', id);
        return found && [found.displayName, found.email, found.attributes];
      };
      await importAll(store, 'acme', [
        identity('i-1', { uid: 'eva', email: 'ADA@example.com', attributes: { x: '1' } }),
      ]);
      expect(await linksOf(store)).toMatchObject({ 'ad taken': 'RULE i-1' });
      expect(await shown('i-1')).toEqual(['Ada of AD', 'ada@example.com', {}]);
      await expectAtRest(store, 'acme');

      // An account that changes its identity by hand takes others with it, which decide too.
      await importAll(store, 'acme', [identity('i-1', { uid: 'eva', email: null }), identity('i-2', { uid: 'bea' })]);
      expect(await linksOf(store)).toMatchObject({ 'ad taken': 'NONE ' });
      await store.sources.linkAccount(actIn('acme'), await accountKey(store, 'b'), { identityId: 'i-2' });
      expect(await linksOf(store)).toEqual({ 'ad taken': 'RULE i-2', 'hr b': 'MANUAL i-2' });
      expect(await shown('i-2')).toEqual(['Ada of AD', 'ada@example.com', {}]);
      await expectAtRest(store, 'acme');
    });

    test('of authoritative sources that follow one another come to rest', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const by = (one: string, other: string) => ({
        authoritative: true,
        correlation: [{ account: `attributes.${one}`, identity: `attributes.${other}` }],
      });
      await importAll(store, 'acme', [
        ...MODEL,
        source('s-1', by('a', 'x')),
        source('s-2', by('b', 'y')),
        // The name of each is taken. Each takes away what the other one finds, and gives it what it looks for.
        account('s-1', 'one', { name: 'i-0-uid', attributes: { a: '1', y: '1' } }),
        account('s-2', 'two', { name: 'i-0-uid', attributes: { b: '1', x: '1' } }),
        identity('i-0'),
      ]);
      await importAll(store, 'acme', [identity('i-1', { attributes: { x: '1' } })]);
      expect(await linksOf(store)).toEqual({ 's-1 one': 'RULE i-1', 's-2 two': 'NONE ' });
      await expectAtRest(store, 'acme');
    });

    test('leave the identities that the import which changes them deletes', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const access = holds('ENTITLEMENT', 'e-1');
      const byHand = account('erp', 'a', { name: 'x', manual: { identityId: 'i-1' }, access });
      const byItself = account('erp', 'b', { name: 'y', madeIdentityId: 'i-1', access });
      await importAll(store, 'acme', [...MODEL, source('erp'), identity('i-1'), byHand, byItself]);
      expect(await linksOf(store)).toEqual({ 'erp a': 'MANUAL i-1', 'erp b': 'RULE i-1' });
      await importAll(store, 'acme', [
        deletion('identity', 'i-1'),
        account('erp', 'a', { name: 'x2', access }),
        account('erp', 'b', { name: 'y2', access }),
      ]);
      expect(await linksOf(store)).toEqual({ 'erp a': 'NONE ', 'erp b': 'NONE ' });
      // Whoever gets the id later gets none of their access.
      await importAll(store, 'acme', [identity('i-1')]);
      expect(await holdersOf(store, 'e-1')).toEqual([]);
    });

    test('that could not make their identity have none', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const byEmail = [{ account: 'email', identity: 'email' }];
      await importAll(store, 'acme', [
        ...MODEL,
        source('hr', { authoritative: true, correlation: byEmail }),
        identity('i-1', { uid: 'ada' }),
        account('hr', 'x', { name: 'ADA' }),
        account('hr', 'i-1', { name: 'bea' }),
        account('hr', 'y', { name: 'ﬁ' }),
      ]);
      expect(await linksOf(store)).toEqual({ 'hr i-1': 'NONE ', 'hr x': 'NONE ', 'hr y': 'NONE ' });
    });

    test('hold what they refer to in use', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await importAll(store, 'acme', [
        ...MODEL,
        source('erp'),
        account('erp', 'a', { access: holds('ENTITLEMENT', 'e-2') }),
      ]);
      await expect(importAll(store, 'acme', [deletion('entitlement', 'e-2')])).rejects.toThrow('account erp a');
      await importAll(store, 'acme', [deletion('entitlement', 'e-2'), deletion('source', 'erp')]);
      expect(await linksOf(store)).toEqual({});
    });

    test('are told in the audit log, with the identities that they concern', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const given = account('erp', 'a', { name: 'i-1-uid', access: holds('ENTITLEMENT', 'e-2') });
      await importAll(store, 'acme', [...MODEL, source('erp'), identity('i-1'), given]);
      const key = await accountKey(store, 'a');
      const eventsOf = async (id: string) => {
        const sequences = await store.audit.listSequences(
          'acme',
          [{ field: 'resourceId', operator: 'eq', values: [id] }],
          PAGE,
        );
        const events = [];
        for await (const { resource, changes } of store.audit.read('acme', sequences))
          events.push([resource.type, changes.find(({ field }) => field === id)?.added ?? null]);
        return events;
      };
      expect(await eventsOf(key)).toEqual([['ACCOUNT', holds('ENTITLEMENT', 'e-2')]]);
      expect((await eventsOf('i-1')).at(-1)).toEqual(['IDENTITY', holds('ENTITLEMENT', 'e-2')]);
      const before = await store.audit.count('acme', []);
      await importAll(store, 'acme', [given]);
      expect(await store.audit.count('acme', [])).toBe(before);
    });
  });

  describe('a source', () => {
    test('is deleted with its accounts, and what they grant', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const accounts = Array.from({ length: 600 }, (_, at) =>
        account('erp', `a-${at}`, { name: `i-${at % 3}-uid`, access: holds('ENTITLEMENT', 'e-2') }),
      );
      await importAll(store, 'acme', [
        ...MODEL,
        source('erp'),
        source('other'),
        identity('i-1'),
        account('other', 'o', { name: 'i-1-uid', access: holds('ENTITLEMENT', 'e-3') }),
        ...accounts,
      ]);
      expect(await holdersOf(store, 'e-2')).toEqual(['i-1']);
      expect(await store.sources.delete(actIn('acme'), 'erp', () => ok(null))).toEqual(ok(null));
      expect([await holdersOf(store, 'e-2'), await holdersOf(store, 'e-3')]).toEqual([[], ['i-1']]);
      expect([await store.sources.countAccounts('acme', []), await store.sources.count('acme', [])]).toEqual([1, 1]);
    });
  });

  test('a world with accounts, exported into an empty tenant, has equal exports, links and holders', async () => {
    await using database = await openDatabase(engine);
    const { store } = database;
    await importAll(store, 'acme', [
      ...MODEL,
      source('hr', { authoritative: true, correlation: [{ account: 'id', identity: 'externalId' }] }),
      source('erp', { ignoreDisabled: false }),
      identity('i-1', { externalId: 'x' }),
      identity('i-2', { email: 'b@example.com' }),
      account('hr', 'p', { name: 'pia', access: holds('ENTITLEMENT', 'e-1') }),
      account('erp', 'a', { name: 'pia', disabled: true, access: holds('ROLE', 'r') }),
      account('erp', 'b', { name: 'no', manual: { identityId: 'i-1' }, access: holds('ENTITLEMENT', 'e-2') }),
      account('erp', 'c', { name: 'i-1-uid', manual: { identityId: null }, access: holds('ENTITLEMENT', 'e-2') }),
      account('erp', 'd', { name: 'none', access: holds('ENTITLEMENT', 'e-2') }),
    ]);
    const exported = await exportAll(store, 'acme');
    const lines: readonly ExportRecord[] = JSON.parse(JSON.stringify(exported));
    await importAll(store, 'copy', lines.map(fromExport).map(completed));
    expect(JSON.stringify(await exportAll(store, 'copy'))).toBe(JSON.stringify(exported));
    for (const id of ['e-1', 'e-2', 'e-3'])
      expect(await holdersOf(store, id, 'copy')).toEqual(await holdersOf(store, id));
    expect(await linksOf(store, 'copy')).toEqual(await linksOf(store));
    expect(Object.values(await linksOf(store))).toEqual(['RULE p', 'MANUAL i-1', 'MANUAL ', 'NONE ', 'RULE p']);
  });

  test('after any changes accounts belong to whom a comparison with every identity finds, and these hold what they grant', async () => {
    await using database = await openDatabase(engine);
    const { store } = database;
    let round = 0;
    await fc.assert(
      fc.asyncProperty(arbitrarySource('s-1'), arbitrarySource('s-2'), arbitrarySteps, async (first, second, steps) => {
        const tenant = `t-${++round}`;
        await importAll(store, tenant, [...MODEL, first, second]);
        for (const step of steps) await takeStep(store, tenant, step);
        await expectAtRest(store, tenant);
      }),
      runs(120),
    );
  });
}

/** The defaults that an import of an exported line fills in. */
const completed = (record: AccessModelRecord): AccessModelRecord =>
  record.kind === 'identity'
    ? { ...identity(record.id), ...record }
    : record.kind === 'source'
      ? ({ description: null, identityProfileId: null, ...record } as AccessModelRecord)
      : record.kind === 'entitlement'
        ? { ...entitlement(record.id), ...record }
        : record;

const ids = fc.constantFrom('1', '2', '3', '4');
const texts = fc.option(fc.constantFrom('a', 'B', ' b', 'c'));
const access: fc.Arbitrary<readonly TimedAccessRef[]> = fc
  .subarray(['e-1', 'e-2', 'r'])
  .map((some) => some.map((id) => ({ type: id === 'r' ? ('ROLE' as const) : ('ENTITLEMENT' as const), id })));
const sourceIds = fc.constantFrom('s-1', 's-2');
const rules = fc.array(
  fc.record({
    account: fc.constantFrom('id', 'name', 'email', 'attributes.x'),
    identity: fc.constantFrom('id', 'uid', 'email', 'externalId', 'attributes.x'),
  }),
  { maxLength: 2 },
);

type Step = (store: Store, tenant: string) => Promise<unknown>;
const takeStep = (store: Store, tenant: string, step: Step) => step(store, tenant);

/** Imports records, unless what they refer to is missing or a uid is taken. */
const tryImport =
  (...records: readonly AccessModelRecord[]): Step =>
  async (store, tenant) => {
    await importAll(store, tenant, records).catch((error: Error) => {
      if (!error.message.startsWith('The import was refused')) throw error;
    });
  };

const externals = {
  email: texts,
  externalId: texts,
  attributes: texts.map((x): Record<string, string> => (x === null ? {} : { x })),
};
const arbitrarySource = (id: string): fc.Arbitrary<AccessModelRecord> =>
  fc
    .record({ correlation: rules, ignoreDisabled: fc.boolean(), authoritative: fc.boolean() })
    .map((fields) => source(id, fields));

const arbitraryRecord: fc.Arbitrary<AccessModelRecord> = fc.oneof(
  fc
    .record({ id: ids, uid: fc.constantFrom('a', 'b', 'c', 'd'), access, ...externals })
    .map(({ id, ...fields }) => identity(id, fields)),
  ids.map((id) => deletion('identity', id)),
  sourceIds.chain(arbitrarySource),
  sourceIds.map((id) => deletion('source', id)),
  fc
    .record({
      sourceId: sourceIds,
      id: ids,
      name: fc.constantFrom('a', 'B', 'e'),
      disabled: fc.boolean(),
      access,
      email: texts,
      attributes: externals.attributes,
    })
    .map(({ sourceId, id, ...fields }) => account(sourceId, id, fields)),
  fc.tuple(sourceIds, ids).map(([sourceId, id]) => deletion('account', accountRef(sourceId, id))),
);
const arbitraryStep: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: arbitraryRecord.map((record) => tryImport(record)), weight: 4 },
  {
    arbitrary: fc
      .uniqueArray(arbitraryRecord, { selector: ({ id }) => id, minLength: 2, maxLength: 4 })
      .map((records) => tryImport(...records)),
    weight: 3,
  },
  fc.tuple(fc.nat(), fc.option(ids)).map(
    ([at, identityId]): Step =>
      async (store, tenant) => {
        const accounts = await store.sources.listAccounts(tenant, [], PAGE);
        const one = accounts[at % Math.max(1, accounts.length)];
        if (one !== undefined) await store.sources.linkAccount(actIn(tenant), one.key, { identityId });
      },
  ),
);

// Enough for several accounts and identities that change again and again.
const arbitrarySteps = fc.array(arbitraryStep, { minLength: 12, maxLength: 30 });

const compared = (text: unknown): string => (typeof text === 'string' ? text.trim().toLowerCase() : '');
const fieldOf = (record: object, field: string): string => {
  const [name = '', attribute] = field.split('.');
  const value: unknown = Reflect.get(record, name);
  return compared(attribute === undefined ? value : Reflect.get(Object(value), attribute));
};

/** Compares each account with every identity, and what identities hold with the union of all that grants it. */
async function expectAtRest(store: Store, tenant: string): Promise<void> {
  const records = await exportAll(store, tenant);
  const identities = records.filter((record) => record.kind === 'identity') as readonly Extract<
    AccessModelRecord,
    { kind: 'identity'; uid: string }
  >[];
  const sources = new Map(
    records.flatMap((record) =>
      record.kind === 'source' ? [[record.id, record as unknown as SourceFields] as const] : [],
    ),
  );
  const uids = identities.map(({ uid }) => uid.toLowerCase());
  expect(uids).toEqual([...new Set(uids)]);
  const held = new Map(identities.map(({ id, access: own = [] }) => [id, new Set(own.map((ref) => ref.id))]));
  for (const one of await store.sources.listAccounts(tenant, [], PAGE)) {
    const of = sources.get(one.source);
    if (of === undefined) throw new Error('an account has no source');
    const found = of.correlation.map(({ account: from, identity: to }) => {
      const wanted = fieldOf(one, from);
      return identities.filter((each) => wanted !== '' && fieldOf(each, to) === wanted).map(({ id }) => id);
    });
    const single = found.find(({ length }) => length === 1)?.[0];
    const several = found.find(({ length }) => length > 1) ?? [];
    if (one.correlation !== 'MANUAL') {
      const rest = several.length > 0 ? null : one.madeIdentityId;
      expect(one.identityId).toBe(single ?? rest);
      expect(one.candidates).toEqual(single === undefined ? several.toSorted() : []);
    }
    if (one.identityId !== null) expect(held.has(one.identityId)).toBe(true);
    if (!(one.disabled && of.ignoreDisabled)) for (const { id } of one.access) held.get(one.identityId ?? '')?.add(id);
  }
  for (const id of ['e-1', 'e-2', 'r']) {
    const type = id === 'r' ? 'ROLE' : 'ENTITLEMENT';
    const page = await store.lookUps.listHolders(tenant, { type, id }, { ...PAGE, after: null });
    const holders = new Set(page?.records.map((row) => row.identity.id));
    expect([...holders].sort()).toEqual([...held].flatMap(([owner, access]) => (access.has(id) ? owner : [])).sort());
  }
}
