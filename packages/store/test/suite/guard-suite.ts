import { type AccessModelRecord, type AuthProfile, createSignInGuard, ok, planImport } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import type { CredentialRef, Store } from '../../src/index.ts';
import { passkey } from '../call-every-sign-in-method.ts';
import { APPLICATION, actIn, deletion, identity, identityProfile, importAll } from '../model-records.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';

const ACT = actIn('acme');
const guard = createSignInGuard({ address: '10.1.2.3', country: null, isApplicationKnown: () => false });
const REFUSED = { ok: false, failure: { type: 'Conflict' } };

const enrol = (store: Store, id: string) =>
  store.credentials.addPasskey(ACT, id, { passkey: passkey(`of ${id}`), link: null, usedLink: null });

/** Two administrators of two auth profiles, both with a passkey, and one without any. */
async function openAdmins(engine: StoreEngine) {
  const database = await openDatabase(engine);
  const admin = (id: string, profile: string) =>
    identity(id, { uid: id, identityProfile: profile, capabilities: ['ORG_ADMIN'] });
  await importAll(database.store, 'acme', [
    ...['ip-a', 'ip-b'].map((id) => identityProfile(id)),
    admin('ada', 'ip-a'),
    admin('bob', 'ip-b'),
    admin('cleo', 'ip-a'),
  ]);
  for (const id of ['ada', 'bob']) await enrol(database.store, id);
  return database;
}

const block = (store: Store, id: string) =>
  store.authProfiles.change(ACT, id, { guard, decide: (profile: AuthProfile) => ok({ ...profile, type: 'BLOCK' }) });
const demote = (store: Store, id: string) =>
  store.authUsers.change(ACT, id, { guard, decide: ({ user }) => ok({ ...user, capabilities: [] }) });
const removeFactors = (store: Store, id: string) => store.credentials.removeAll(ACT, id, { guard, decide: ok });
const removeOne = (store: Store, id: string, credential: CredentialRef) =>
  store.credentials.removeOne(ACT, id, { guard, credential, decide: ok, endsSessions: false });
const removePasskey = (store: Store, id: string) => removeOne(store, id, { type: 'PASSKEY', id: `of ${id}` });
const removeTotp = (store: Store, id: string) => removeOne(store, id, { type: 'TOTP' });

function importGuarded(store: Store, given: readonly AccessModelRecord[]) {
  const records = given.map((record, at) => ({ line: at + 1, record }));
  return store.accessModel.import({ auditContext: ACT, records, guard }, (base) =>
    planImport({ records, base, caller: APPLICATION, now: ACT.time }),
  );
}

const moveAway = (store: Store) =>
  store.signInSettings.change(ACT, 'network', {
    guard,
    decide: (network) => ok({ ...network, range: ['192.0.2.0/24'] }),
  });

type Change = (store: Store) => Promise<{ readonly ok: boolean }>;

export function describeGuards(engine: StoreEngine): void {
  describe('the last administrator that can sign in', () => {
    const WAYS: Readonly<Record<string, Change>> = {
      'its auth profile is blocked': (store) => block(store, 'ip-a'),
      'its capability is removed': (store) => demote(store, 'ada'),
      'its credentials are removed': (store) => removeFactors(store, 'ada'),
      'its only passkey is removed': (store) => removePasskey(store, 'ada'),
      'an import deletes it': (store) => importGuarded(store, [deletion('identity', 'ada')]),
      'an import blocks its identity profile': (store) =>
        importGuarded(store, [identityProfile('ip-a', { authProfile: { type: 'BLOCK' } })]),
      'an import leaves its address outside of the ranges': (store) =>
        importGuarded(store, [
          identityProfile('ip-a', { authProfile: { type: 'NON_PTA', offNetwork: true } }),
          { kind: 'networkConfig', id: 'tenant', range: ['192.0.2.0/24'] },
        ]),
      'an import moves it to a blocked one': (store) =>
        importGuarded(store, [
          identityProfile('ip-c', { authProfile: { type: 'BLOCK' } }),
          identity('ada', { uid: 'ada', identityProfile: 'ip-c' }),
        ]),
    };

    test.each(Object.entries(WAYS))('stays: not when %s', async (_, change) => {
      await using database = await openAdmins(engine);
      const { store } = database;
      expect(await block(store, 'ip-b')).toMatchObject({ ok: true });
      const before = [
        await store.authProfiles.find('acme', 'ip-a'),
        await store.credentials.findIdentity('acme', 'ada'),
      ];
      const events = await store.audit.count('acme', []);
      expect(await change(store)).toMatchObject(REFUSED);
      expect([
        await store.authProfiles.find('acme', 'ip-a'),
        await store.credentials.findIdentity('acme', 'ada'),
      ]).toEqual(before);
      expect(await store.audit.count('acme', [])).toBe(events);
      await store.authProfiles.change(ACT, 'ip-b', { decide: (profile) => ok({ ...profile, type: 'NON_PTA' }) });
      expect(await change(store)).toMatchObject({ ok: true });
    });

    test('stays: not when the network config excludes the address of the asker', async () => {
      await using database = await openAdmins(engine);
      const { store } = database;
      const off = { decide: (profile: AuthProfile) => ok({ ...profile, offNetwork: true }) };
      await store.authProfiles.change(ACT, 'ip-a', off);
      expect(await moveAway(store)).toMatchObject({ ok: true });
      await store.signInSettings.change(ACT, 'network', {
        decide: () => ok({ range: null, geolocation: null, whitelisted: false }),
      });
      await store.authProfiles.change(ACT, 'ip-b', off);
      expect(await moveAway(store)).toMatchObject(REFUSED);
    });

    test('and all others are read with their factors, some at a time, by id', async () => {
      await using database = await openAdmins(engine);
      const { store } = database;
      const ids = Array.from({ length: 1_000 }, (_, place) => `p-${String(place).padStart(4, '0')}`);
      await importAll(
        store,
        'acme',
        ids.map((id) => identity(id, { uid: id, identityProfile: 'ip-b' })),
      );
      await importAll(store, 'other', [identityProfile('ip-a'), identity('zoe', { identityProfile: 'ip-a' })]);
      const first = await store.signInPopulation.readPart('acme', '');
      const rest = await store.signInPopulation.readPart('acme', first.next ?? '');
      expect([first.identities.length, first.next, rest.next]).toEqual([1_000, 'p-0996', null]);
      const all = [...first.identities, ...rest.identities];
      expect(all.map(({ identityId }) => identityId)).toEqual(['ada', 'bob', 'cleo', ...ids]);
      expect(all.slice(0, 3)).toMatchObject([
        { identityId: 'ada', authProfile: { id: 'ip-a' }, hasPassword: false, hasTotp: false, hasPasskey: true },
        { identityId: 'bob', authProfile: { id: 'ip-b' }, hasPasskey: true },
        { identityId: 'cleo', authProfile: { id: 'ip-a' }, hasPasskey: false },
      ]);
      expect(guard.holds(await store.signInPopulation.readView('acme'))).toBe(true);
      expect(guard.holds(await store.signInPopulation.readView('other'))).toBe(false);
    });

    test('is not asked for where none could sign in before', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await importAll(store, 'acme', [
        identityProfile('ip-a'),
        identity('ada', { uid: 'ada', identityProfile: 'ip-a', capabilities: ['ORG_ADMIN'] }),
      ]);
      expect(await block(store, 'ip-a')).toMatchObject({ ok: true });
      expect(await moveAway(store)).toMatchObject({ ok: true });
      expect(await importGuarded(store, [deletion('identity', 'ada')])).toMatchObject({ ok: true });
    });

    test('stays when two connections remove one of its two second factors each at the same time', async () => {
      await using database = await openAdmins(engine);
      const one = database.store;
      const other = await database.openAnother();
      await block(one, 'ip-b');
      const mfa = (profile: AuthProfile) => ok({ ...profile, type: 'MFA' as const });
      await one.authProfiles.change(ACT, 'ip-a', { decide: mfa });
      await one.credentials.setPassword(ACT, 'ada', { hash: 'phc', link: null, usedLink: null, keepSession: null });
      for (let round = 0; round < 6; round++) {
        await enrol(one, 'ada');
        await one.credentials.setTotp(ACT, 'ada', { secret: 'v1.k.s', lastStep: 1, link: null, usedLink: null });
        const outcomes = await Promise.all([removePasskey(one, 'ada'), removeTotp(other, 'ada')]);
        expect([round, ...outcomes.map(({ ok: isRemoved }) => isRemoved).sort()]).toEqual([round, false, true]);
      }
    });

    test('stays when two connections take away one each at the same time', async () => {
      await using database = await openAdmins(engine);
      const one = database.store;
      const other = await database.openAnother();
      const pairs: readonly (readonly [Change, Change])[] = [
        [(store) => block(store, 'ip-a'), (store) => block(store, 'ip-b')],
        [(store) => removeFactors(store, 'ada'), (store) => block(store, 'ip-b')],
        [(store) => removeFactors(store, 'ada'), (store) => demote(store, 'bob')],
        [(store) => removePasskey(store, 'ada'), (store) => removePasskey(store, 'bob')],
        [(store) => importGuarded(store, [deletion('identity', 'ada')]), (store) => block(store, 'ip-b')],
      ];
      for (let round = 0; round < 3 * pairs.length; round++) {
        await importAll(one, 'acme', [
          ...['ip-a', 'ip-b'].map((id) => identityProfile(id, { authProfile: { type: 'NON_PTA' } })),
          identity('ada', { uid: 'ada', identityProfile: 'ip-a', capabilities: ['ORG_ADMIN'] }),
          identity('bob', { uid: 'bob', identityProfile: 'ip-b', capabilities: ['ORG_ADMIN'] }),
        ]);
        for (const id of ['ada', 'bob']) await enrol(one, id);
        const [first, second] = pairs[round % pairs.length] ?? [];
        const outcomes = await Promise.all([first?.(one), second?.(other)]);
        expect([round, ...outcomes.map((outcome) => outcome?.ok).sort()]).toEqual([round, false, true]);
      }
    });
  });
}
