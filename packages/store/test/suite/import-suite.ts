import { type AccessModelRecord, fail, failure, type ImportBase, planImport } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import type { Store } from '../../src/index.ts';
import {
  APPLICATION,
  accessProfile,
  actIn,
  asLines,
  deletion,
  entitlement,
  exportAll,
  holds,
  identity,
  identityProfile,
  importAll,
  NOW,
  people,
  role,
  sodPolicy,
} from '../model-records.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';

const REFUSED = failure('Conflict', '', 'is refused');

/** The data that a decision about these records is based on. */
async function baseOf(store: Store, records: readonly AccessModelRecord[]): Promise<ImportBase> {
  const seen: ImportBase[] = [];
  await store.accessModel.import({ auditContext: actIn('acme'), records: asLines(records) }, (base) => {
    seen.push(base);
    return fail(REFUSED);
  });
  const [base] = seen;
  if (base === undefined || seen.length > 1) throw new Error(`The decision was asked ${seen.length} times.`);
  return base;
}

const SMALL_MODEL = [
  entitlement('e-1'),
  entitlement('e-2'),
  accessProfile('ap-1', ['e-1']),
  role('r-1', { accessProfiles: ['ap-1'], entitlements: ['e-2'] }),
  identityProfile('ip'),
  identityProfile('ip-2'),
  identity('i-1', { access: holds('ROLE', 'r-1'), capabilities: ['ORG_ADMIN'] }),
  identity('i-2', { access: holds('ACCESS_PROFILE', 'ap-1'), identityProfile: 'ip-2' }),
  sodPolicy('p-1', { left: ['e-1'], right: ['e-2', 'e-gone'] }),
];

export function describeImport(engine: StoreEngine): void {
  describe('an import', () => {
    describeImportEffects(engine);
    describeImportBase(engine);
  });
}

function describeImportEffects(engine: StoreEngine): void {
  test('keeps uids unique within the tenant, without differences of case, also when two processes import', async () => {
    await using database = await openDatabase(engine);
    const stores = [database.store, await database.openAnother()];
    const [store = database.store] = stores;
    await importAll(store, 'acme', [identityProfile('ip')]);
    await importAll(store, 'other', [identityProfile('ip'), identity('i-0', { uid: 'Straße' })]);
    const spellings = ['straße', 'STRASSE', 'Strasse', 'STRAẞE'];
    const imports = spellings.map((uid, at) =>
      importAll(stores[at % 2] ?? store, 'acme', [identity(`i-${at}`, { uid })]).then(
        () => at,
        () => null,
      ),
    );
    const [winner, ...others] = (await Promise.all(imports)).filter((at) => at !== null);
    expect(others).toEqual([]);
    const holder = `i-${winner}`;
    const spelling = { uid: 'strasse' };
    await expect(importAll(store, 'acme', [identity('i-9', spelling)])).rejects.toThrow('has this uid already');
    // The holder may spell it otherwise, exchange it, and leave it to another identity.
    await importAll(store, 'acme', [identity(holder, spelling), identity('i-9', { uid: 'nine' })]);
    await importAll(store, 'acme', [identity(holder, { uid: 'NINE' }), identity('i-9', spelling)]);
    await importAll(store, 'acme', [deletion('identity', 'i-9'), identity('i-10', spelling)]);
    const uids = (await exportAll(store, 'acme')).flatMap((record) => ('uid' in record ? [record.uid] : []));
    expect(uids.toSorted()).toEqual(['NINE', 'strasse']);
  });

  test('raises the policy-set version when the rulebook changes, and only then', async () => {
    await using database = await openDatabase(engine);
    const { store } = database;
    const versionAfter = async (...records: AccessModelRecord[]) =>
      (await importAll(store, 'acme', records)).policySetVersion;
    expect(await versionAfter()).toBe(0);
    expect(await versionAfter(...SMALL_MODEL)).toBe(1);
    expect(await versionAfter(...SMALL_MODEL)).toBe(1);
    expect(await versionAfter(identity('i-3'), identityProfile('ip-3'))).toBe(1);
    expect(await versionAfter(entitlement('e-1', 'renamed'))).toBe(2);
    expect(await versionAfter(deletion('sodPolicy', 'p-1'))).toBe(3);
    expect((await store.sod.readVersion('acme', 'i-1')).policySetVersion).toBe(3);
    expect((await store.sod.readVersion('other', 'i-1')).policySetVersion).toBe(0);
  });

  test('raises the revision of the identities it changes, never to an earlier value', async () => {
    await using database = await openDatabase(engine);
    const { store } = database;
    const revisions = async () => [
      (await store.sod.readVersion('acme', 'i-1')).revision,
      (await store.sod.readVersion('acme', 'i-2')).revision,
    ];
    const seen: (number | null)[] = [];
    await importAll(store, 'acme', [identityProfile('ip'), identity('i-1'), identity('i-2')]);
    const [, untouched] = await revisions();
    for (let round = 0; round < 5; round++) {
      seen.push((await revisions())[0] ?? null);
      await importAll(store, 'acme', [identity('i-1', { phone: `${round}` })]);
      seen.push((await revisions())[0] ?? null);
      await importAll(store, 'acme', [deletion('identity', 'i-1')]);
      expect((await revisions())[0]).toBeNull();
      await importAll(store, 'acme', [identity('i-1')]);
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect((await revisions())[1]).toBe(untouched);
  });

  test('neither a failure nor a bug in the decision changes anything', async () => {
    await using database = await openDatabase(engine);
    const { store } = database;
    await importAll(store, 'acme', SMALL_MODEL);
    const before = await exportAll(store, 'acme');
    const request = { auditContext: actIn('acme'), records: asLines([entitlement('e-3')]) };
    expect(await store.accessModel.import(request, () => fail(REFUSED))).toEqual(fail(REFUSED));
    const bug = new Error('a bug');
    const broken = store.accessModel.import(request, () => {
      throw bug;
    });
    await expect(broken).rejects.toBe(bug);
    expect(await exportAll(store, 'acme')).toEqual(before);
    expect((await store.sod.loadRulebook('acme')).policySetVersion).toBe(1);
  });

  test('moves identities to another profile and deletes the old one at once', async () => {
    await using database = await openDatabase(engine);
    const { store } = database;
    await importAll(store, 'acme', SMALL_MODEL);
    await importAll(store, 'acme', [
      deletion('identityProfile', 'ip-2'),
      identity('i-2', { identityProfile: 'ip-new' }),
      identityProfile('ip-new'),
      deletion('identity', 'i-1'),
      deletion('identityProfile', 'ip'),
    ]);
    expect(await store.authUsers.find('acme', 'i-2')).toMatchObject({ profile: 'ip-new' });
    expect(await store.authProfiles.count('acme')).toBe(1);
  });

  test('changes its own tenant only', async () => {
    await using database = await openDatabase(engine);
    const { store } = database;
    await importAll(store, 'acme', SMALL_MODEL);
    await importAll(store, 'other', SMALL_MODEL);
    const before = await exportAll(store, 'other');
    await importAll(store, 'acme', [
      ...SMALL_MODEL.toReversed().map(({ kind, id }) => deletion(kind, id)),
      entitlement('e-1', 'another name'),
    ]);
    expect(await exportAll(store, 'acme')).toMatchObject([{ id: 'e-1', name: 'another name' }]);
    expect(await exportAll(store, 'other')).toEqual(before);
  });

  test('sets the UI metadata, which an empty import does not change', async () => {
    await using database = await openDatabase(engine);
    const { store } = database;
    const metadata = { iFrameWhitelist: 'a.example', usernameLabel: null, usernameEmptyText: 'name' };
    await importAll(store, 'acme', [{ kind: 'uiMetadata', id: 'tenant', ...metadata }]);
    await importAll(store, 'acme', []);
    expect(await store.uiMetadata.read('acme')).toEqual(metadata);
  });

  test('of ten thousand lines takes effect at once, while others read the committed data', async () => {
    await using database = await openDatabase(engine);
    const { store } = database;
    await importAll(store, 'acme', people({ 'i-0': ['HELPDESK'] }));
    const records = Array.from({ length: 10_000 }, (_, number) => identity(`i-${number}`, { phone: `${number}` }));
    let isRunning = true;
    const importing = importAll(store, 'acme', records).finally(() => {
      isRunning = false;
    });
    const counts: number[] = [];
    while (isRunning) {
      await new Promise((resolve) => setImmediate(resolve));
      const [first, last] = await Promise.all([
        store.sod.readVersion('acme', 'i-0'),
        store.sod.readVersion('acme', 'i-9999'),
      ]);
      counts.push(Number(first.revision === 2) + Number(last.revision === 2));
    }
    await importing;
    // Reads went on all the time and saw none of the import, and then the whole of it.
    const before = counts.filter((count) => count === 0).length;
    expect(before).toBeGreaterThan(10);
    expect(counts).toEqual([...Array(before).fill(0), ...Array(counts.length - before).fill(2)]);
    expect(await store.sod.readVersion('acme', 'i-9999')).toMatchObject({
      policySetVersion: 0,
      changeId: null,
      revision: 2,
      exceptions: null,
    });
    expect(await store.clients.findCapabilities('acme', 'i-0')).toEqual(['HELPDESK']);
  });
}

function describeImportBase(engine: StoreEngine): void {
  test('is decided on the stored records that it touches and on which referenced ones exist', async () => {
    await using database = await openDatabase(engine);
    const { store } = database;
    await importAll(store, 'acme', SMALL_MODEL);
    await importAll(store, 'other', [entitlement('e-other'), entitlement('e-3')]);
    const records = [
      entitlement('e-1', 'renamed'),
      entitlement('e-3'),
      role('r-2', { entitlements: ['e-2', 'e-other'] }),
      deletion('identity', 'i-1'),
      deletion('identity', 'i-404'),
      sodPolicy('p-1', { left: ['e-1'], right: ['e-2'] }),
    ];
    const base = await baseOf(store, records);
    const { kind: _, ...ada } = identity('i-1', { access: holds('ROLE', 'r-1'), capabilities: ['ORG_ADMIN'] });
    expect(base.stored.entitlement).toEqual(new Map([['e-1', { id: 'e-1', name: 'e-1', source: null }]]));
    expect(base.stored.role.size).toBe(0);
    expect(base.stored.identity).toEqual(new Map([['i-1', { ...ada, active: true }]]));
    expect([...base.stored.sodPolicy.keys()]).toEqual(['p-1']);
    const none = new Set();
    expect(base.existing).toEqual({
      entitlement: new Set(['e-2']),
      accessProfile: none,
      role: none,
      identityProfile: none,
      source: none,
      identity: none,
      account: none,
      sodPolicy: none,
      control: none,
    });
    expect(base.uiMetadata).toEqual({ iFrameWhitelist: null, usernameLabel: null, usernameEmptyText: null });
  });

  test('finds the references of stored records that it does not touch', async () => {
    await using database = await openDatabase(engine);
    const { store } = database;
    await importAll(store, 'acme', SMALL_MODEL);
    const inUse = async (...records: AccessModelRecord[]) =>
      (await baseOf(store, records)).inUse.map(({ from, to }) => `${from.id} → ${to.id}`).sort();
    expect(await inUse(entitlement('e-1'))).toEqual([]);
    expect(await inUse(deletion('entitlement', 'e-1'))).toEqual(['ap-1 → e-1']);
    expect(await inUse(deletion('entitlement', 'e-1'), accessProfile('ap-1', []))).toEqual([]);
    expect(await inUse(deletion('entitlement', 'e-2'))).toEqual(['r-1 → e-2']);
    expect(await inUse(deletion('accessProfile', 'ap-1'))).toEqual(['i-2 → ap-1', 'r-1 → ap-1']);
    expect(await inUse(deletion('accessProfile', 'ap-1'), deletion('identity', 'i-2'))).toEqual(['r-1 → ap-1']);
    expect(await inUse(deletion('role', 'r-1'))).toEqual(['i-1 → r-1']);
    expect(await inUse(deletion('identityProfile', 'ip-2'))).toEqual(['i-2 → ip-2']);
    expect(await inUse(deletion('sodPolicy', 'p-1'), deletion('identity', 'i-1'))).toEqual([]);
    expect(await inUse(deletion('role', 'r-404'))).toEqual([]);
  });

  test('is decided with the number of administrators that it does not touch', async () => {
    await using database = await openDatabase(engine);
    const { store } = database;
    await importAll(store, 'acme', people({ 'i-1': ['ORG_ADMIN'], 'i-2': ['ORG_ADMIN'], 'i-3': [] }));
    await importAll(store, 'other', people({ 'i-9': ['ORG_ADMIN'] }));
    const others = async (...ids: string[]) =>
      (
        await baseOf(
          store,
          ids.map((id) => deletion('identity', id)),
        )
      ).otherOrgAdmins;
    expect([await others(), await others('i-1'), await others('i-1', 'i-2'), await others('i-3')]).toEqual([
      true,
      true,
      false,
      true,
    ]);
  });

  test('one of two imports that together remove every administrator is refused', async () => {
    await using database = await openDatabase(engine);
    const { store } = database;
    await importAll(store, 'acme', people({ 'i-1': ['ORG_ADMIN'], 'i-2': ['ORG_ADMIN'], 'i-3': ['ORG_ADMIN'] }));
    await importAll(store, 'acme', [deletion('identity', 'i-3')]);
    const remove = (id: string) => {
      const records = asLines([deletion('identity', id)]);
      const caller = { ...APPLICATION, identityId: 'i-0', capabilities: ['ORG_ADMIN'] as const };
      return store.accessModel.import({ auditContext: actIn('acme'), records }, (base) =>
        planImport({ records, base, caller, now: NOW }),
      );
    };
    const outcomes = await Promise.all([remove('i-1'), remove('i-2')]);
    expect(outcomes.map(({ ok }) => ok).sort()).toEqual([false, true]);
  });
}
