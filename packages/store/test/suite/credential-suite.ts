import { type Capability, type Failure, fail, failure, newEvent, ok, type Result } from '@access-admin/domain';
import { describe, expect, inject, test } from 'vitest';
import type { CredentialRef, Store } from '../../src/index.ts';
import { failureOf, newSession, passkey } from '../call-every-sign-in-method.ts';
import { actIn, deletion, exportAll, identity, identityProfile, importAll, NOW } from '../model-records.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';

const NOW_MS = Date.parse(NOW);
const MINUTE_MS = 60_000;

async function openPeople(engine: StoreEngine) {
  const database = await openDatabase(engine);
  for (const tenant of ['acme', 'other'])
    await importAll(database.store, tenant, [
      identityProfile('ip', { authProfile: { type: 'MFA' } }),
      identity('ada', { uid: 'Ada', capabilities: ['ORG_ADMIN'] }),
      identity('bob', { uid: 'bob' }),
    ]);
  return database;
}

const setPassword = ({ credentials }: Store, identityId: string, link: string | null = null) =>
  credentials.setPassword(actIn('acme'), identityId, {
    hash: `phc of ${identityId}`,
    link,
    usedLink: null,
    keepSession: null,
  });

const createLink = ({ signInLinks }: Store, hash: string, identityId = 'ada', expiresMs = NOW_MS + MINUTE_MS) =>
  signInLinks.create(actIn('acme'), { identityId, link: { hash, expiresMs } }, ok);

const removeOne = ({ credentials }: Store, identityId: string, credential: CredentialRef) =>
  credentials.removeOne(actIn('acme'), identityId, { credential, decide: ok, endsSessions: false });

/** Gives an identity one of everything. */
async function enrolAll(store: Store, identityId: string): Promise<void> {
  const { credentials } = store;
  await setPassword(store, identityId);
  await credentials.setTotp(actIn('acme'), identityId, {
    secret: 'v1.k.sealed',
    lastStep: 7,
    link: null,
    usedLink: null,
  });
  await credentials.addPasskey(actIn('acme'), identityId, {
    passkey: passkey(`pk of ${identityId}`),
    link: null,
    usedLink: null,
  });
  await credentials.setRecoveryCodes(actIn('acme'), identityId, { hashes: ['r-1', 'r-2'], link: null, usedLink: null });
  await createLink(store, `link of ${identityId}`, identityId);
  const state = { identityId, state: '{}', expiresMs: NOW_MS + MINUTE_MS, nowMs: NOW_MS };
  await store.pendingSignIns.create('acme', `pending of ${identityId}`, state);
  await store.signInFailures.record(actIn('acme'), failureOf({ identityId, userAttempts: 1 }));
  await store.sessions.create(actIn('acme'), newSession(`session of ${identityId}`, { identityId }));
}

const whatIsLeft = async (store: Store, identityId: string) => ({
  identity: await store.credentials.findIdentity('acme', identityId),
  link: await store.signInLinks.find('acme', `link of ${identityId}`, NOW_MS),
  pending: await store.pendingSignIns.find('acme', `pending of ${identityId}`, NOW_MS),
  session: await store.sessions.find('acme', `hash of session of ${identityId}`),
});

/** Begins a sign-in and a session as a link of this generation does. */
async function beginByLink({ pendingSignIns, sessions }: Store, identityId: string, linkGeneration: number) {
  const pending = { identityId, linkGeneration, state: '{}', expiresMs: NOW_MS + MINUTE_MS, nowMs: NOW_MS };
  await pendingSignIns.create('acme', `pending by link of ${identityId}`, pending);
  await sessions.create(actIn('acme'), newSession(`session by link of ${identityId}`, { identityId, linkGeneration }));
}

const whatBegan = async ({ signInLinks, pendingSignIns, sessions }: Store, identityId: string) => ({
  link: await signInLinks.find('acme', `link of ${identityId}`, NOW_MS),
  pendingByLink: await pendingSignIns.find('acme', `pending by link of ${identityId}`, NOW_MS),
  sessionByLink: await sessions.find('acme', `hash of session by link of ${identityId}`),
});

const NOTHING_BEGAN = { link: null, pendingByLink: null, sessionByLink: null };

export function describeCredentials(engine: StoreEngine): void {
  describe('credentials', () => {
    test('an identity is found by its username, whatever its case, in its tenant', async () => {
      await using database = await openPeople(engine);
      const { store } = database;
      await enrolAll(store, 'ada');
      const ada = await store.credentials.findByUsername('acme', 'ADA');
      expect(ada).toEqual({
        id: 'ada',
        uid: 'Ada',
        displayName: 'ada',
        active: true,
        capabilities: ['ORG_ADMIN'],
        authProfile: expect.objectContaining({ id: 'ip', name: 'ip', type: 'MFA', offNetwork: false }),
        password: { hash: 'phc of ada', changed: NOW, usedLink: null },
        totp: { secret: 'v1.k.sealed', lastStep: 7, created: NOW, usedLink: null },
        passkeys: [{ ...passkey('pk of ada'), usedLink: null }],
        recoveryCodes: { left: 2, created: NOW, usedLink: null },
        lockedUntil: new Date(NOW_MS + 15 * MINUTE_MS).toISOString(),
      });
      expect(await store.credentials.findByPasskey('acme', 'pk of ada')).toEqual(ada);
      expect(await store.credentials.findByPasskey('other', 'pk of ada')).toBeNull();
      const other = { password: null, totp: null, passkeys: [], recoveryCodes: null, lockedUntil: null };
      expect(await store.credentials.findByUsername('other', 'ada')).toMatchObject({ id: 'ada', ...other });
      expect(await store.credentials.findByUsername('acme', 'nobody')).toBeNull();
      expect(await store.credentials.findIdentity('acme', 'nobody')).toBeNull();
    });

    test('a username with compatibility forms finds nobody', async () => {
      await using database = await openPeople(engine);
      await database.execute(`update identity set uid_folded = 'ａｄａ' where tenant = 'acme' and id = 'bob'`);
      for (const username of ['ａｄａ', 'Ａｄａ', 'ad\u00aa'])
        expect(await database.store.credentials.findByUsername('acme', username)).toBeNull();
    });

    test('a username that two identities bear finds neither', async () => {
      await using database = await openPeople(engine);
      await database.execute(`update identity set uid_folded = 'ada' where tenant = 'acme'`);
      expect(await database.store.credentials.findByUsername('acme', 'ada')).toBeNull();
    });

    test('an identity whose identity profile is lost is found without an auth profile', async () => {
      await using database = await openPeople(engine);
      const unchecked = {
        sqlite: 'pragma foreign_keys = off',
        postgres: inject('isOnCitus')
          ? `select run_command_on_shards('identity_profile', 'alter table %s disable trigger all')`
          : 'set session_replication_role = replica',
      };
      await database.execute(`${unchecked[engine.name]}; delete from identity_profile where tenant = 'acme'`);
      const { credentials } = database.store;
      for (const found of [
        await credentials.findByUsername('acme', 'ada'),
        await credentials.findIdentity('acme', 'ada'),
      ])
        expect(found).toMatchObject({ id: 'ada', authProfile: null });
      expect(await credentials.findIdentity('other', 'ada')).toMatchObject({ authProfile: { id: 'ip' } });
    });

    test('all of it survives an upsert, is not exported, and dies with the identity', async () => {
      await using database = await openPeople(engine);
      const { store } = database;
      await enrolAll(store, 'ada');
      await enrolAll(store, 'bob');
      const before = await whatIsLeft(store, 'ada');
      await importAll(store, 'acme', [identity('ada', { uid: 'Ada', capabilities: ['ORG_ADMIN'], access: [] })]);
      expect(await whatIsLeft(store, 'ada')).toEqual(before);
      const exported = JSON.stringify(await exportAll(store, 'acme'));
      for (const secret of ['phc of', 'sealed', 'pk of', 'hash of', 'link of']) expect(exported).not.toContain(secret);
      await importAll(store, 'acme', [deletion('identity', 'ada')]);
      const gone = { identity: null, link: null, pending: null, session: null };
      expect(await whatIsLeft(store, 'ada')).toEqual(gone);
      expect(await whatIsLeft(store, 'bob')).toMatchObject({ session: { id: 'session of bob' } });
      // Another identity with this id has none of it.
      await importAll(store, 'acme', [identity('ada', { uid: 'Ada' })]);
      const nothing = { password: null, totp: null, passkeys: [], recoveryCodes: null, lockedUntil: null };
      expect(await whatIsLeft(store, 'ada')).toEqual({ ...gone, identity: expect.objectContaining(nothing) });
    });

    test('a link is used once, with the factor that it enrols', async () => {
      await using database = await openPeople(engine);
      const { store } = database;
      await createLink(store, 'l-1');
      expect(await store.signInLinks.find('acme', 'l-1', NOW_MS)).toEqual({
        identityId: 'ada',
        generation: 0,
        usedLink: null,
      });
      expect(await store.signInLinks.find('other', 'l-1', NOW_MS)).toBeNull();
      expect(await setPassword(store, 'bob', 'l-1')).toBe('LINK_GONE');
      const both = await Promise.all([setPassword(store, 'ada', 'l-1'), setPassword(store, 'ada', 'l-1')]);
      expect(both.toSorted()).toEqual(['LINK_GONE', 'STORED']);
      expect(await store.signInLinks.find('acme', 'l-1', NOW_MS)).toBeNull();
      expect(await setPassword(store, 'gone', null)).toBe('IDENTITY_GONE');
    });

    test('a capability that an identity gains ends its links, and what began with one', async () => {
      await using database = await openPeople(engine);
      const { store } = database;
      for (const identityId of ['ada', 'bob']) {
        await enrolAll(store, identityId);
        await beginByLink(store, identityId, 0);
      }
      const before = await whatBegan(store, 'ada');
      expect(before).toMatchObject({ pendingByLink: {}, sessionByLink: {} });
      const give = (...capabilities: readonly Capability[]) =>
        store.authUsers.change(actIn('acme'), 'bob', { decide: ({ user }) => ok({ ...user, capabilities }) });
      await give('HELPDESK');
      const { session, pending } = await whatIsLeft(store, 'bob');
      expect([session?.id, pending?.identityId]).toEqual(['session of bob', 'bob']);
      expect(await whatBegan(store, 'bob')).toEqual(NOTHING_BEGAN);
      expect(await whatBegan(store, 'ada')).toEqual(before);
      // A capability less ends nothing.
      await createLink(store, 'link of bob', 'bob');
      await give();
      expect(await store.signInLinks.find('acme', 'link of bob', NOW_MS)).toEqual({
        identityId: 'bob',
        generation: 1,
        usedLink: null,
      });
      await importAll(store, 'acme', [identity('bob', { uid: 'bob', capabilities: ['POLICY_ADMIN'] })]);
      expect(await store.signInLinks.find('acme', 'link of bob', NOW_MS)).toBeNull();
    });

    test('what begins with a link that has ended meanwhile is refused, or never valid', async () => {
      await using database = await openPeople(engine);
      const { store } = database;
      await createLink(store, 'l', 'bob');
      await importAll(store, 'acme', [identity('bob', { uid: 'bob', capabilities: ['HELPDESK'] })]);
      await beginByLink(store, 'bob', 0);
      expect(await whatBegan(store, 'bob')).toEqual(NOTHING_BEGAN);
      await beginByLink(store, 'bob', 1);
      expect(await whatBegan(store, 'bob')).toMatchObject({ pendingByLink: {}, sessionByLink: {} });
      // As a transaction of sign-ins leaves them that has not seen the change.
      await database.execute(
        `update session set link_generation = 0; update pending_sign_in set link_generation = 0;
        insert into sign_in_link (tenant, hash, identity_id, generation, created, expires_ms)
        values ('acme', 'link of bob', 'bob', 0, '${NOW}', ${NOW_MS + MINUTE_MS})`,
      );
      expect(await whatBegan(await database.openAnother(), 'bob')).toEqual(NOTHING_BEGAN);
      expect(await setPassword(store, 'bob', 'link of bob')).toBe('LINK_GONE');
      const { pendingSignIns } = store;
      const after = { identityId: 'bob', state: '{}', expiresMs: NOW_MS + MINUTE_MS };
      expect(
        await pendingSignIns.update('acme', 'pending by link of bob', { before: '{}', after, nowMs: NOW_MS }),
      ).toBe(false);
      expect(await pendingSignIns.take('acme', 'pending by link of bob', NOW_MS)).toBeNull();
    });

    /** Bob with one of everything, all set by a link of the agent Hal, and his session. */
    async function plantAll(store: Store) {
      await importAll(store, 'acme', [identity('hal', { capabilities: ['HELPDESK'] })]);
      const byHal = { ...actIn('acme'), actor: { clientId: 'c', identityId: 'hal' } };
      const link = { hash: 'used', expiresMs: NOW_MS + MINUTE_MS };
      await store.signInLinks.create(byHal, { identityId: 'bob', link }, ok);
      expect(await setPassword(store, 'bob', 'used')).toBe('STORED');
      const by = { link: null, usedLink: 'used' };
      const { credentials } = store;
      await credentials.setTotp(actIn('acme'), 'bob', { secret: 's', lastStep: 7, ...by });
      await credentials.addPasskey(actIn('acme'), 'bob', { passkey: passkey('pk'), ...by });
      await credentials.setRecoveryCodes(actIn('acme'), 'bob', { hashes: ['r-1', 'r-2'], ...by });
      await store.sessions.create(actIn('acme'), newSession('s', { identityId: 'bob', usedLink: 'used' }));
    }
    const planted = async (store: Store) => {
      const found = await store.credentials.findIdentity('acme', 'bob');
      const { password, totp, passkeys, recoveryCodes } = found ?? {};
      const links = [password, totp, ...(passkeys ?? []), recoveryCodes].map((each) => each?.usedLink ?? null);
      return { links, session: (await store.sessions.find('acme', 'hash of s')) !== null };
    };
    const ALL_PLANTED = { links: ['used', 'used', 'used', 'used'], session: true };
    const NOTHING_PLANTED = { links: [null, null, null], session: false };

    test('factors that a link has set end when their identity gains what the maker of the link lacks', async () => {
      await using database = await openPeople(engine);
      const { store } = database;
      await plantAll(store);
      expect(await planted(store)).toEqual(ALL_PLANTED);
      const become = (...capabilities: readonly Capability[]) =>
        importAll(store, 'acme', [identity('bob', { uid: 'bob', capabilities })]);
      await become('HELPDESK');
      expect(await planted(store)).toEqual(ALL_PLANTED);
      await become('HELPDESK', 'CERT_ADMIN');
      expect(await planted(store)).toEqual(NOTHING_PLANTED);
      await become();
      expect(await planted(await database.openAnother())).toEqual(NOTHING_PLANTED);
      const by = { link: null, usedLink: 'used' };
      expect(await store.credentials.setTotp(actIn('acme'), 'bob', { secret: 's', lastStep: 7, ...by })).toBe(
        'LINK_GONE',
      );
      const session = newSession('another', { identityId: 'bob', usedLink: 'used' });
      expect(await store.sessions.create(actIn('acme'), session)).toBe(false);
    });

    test('factors of a link that another transaction has used during a promotion are never valid', async () => {
      await using database = await openPeople(engine);
      const { store } = database;
      await plantAll(store);
      // As a transaction of sign-ins leaves them that has not seen the change.
      await database.execute(`insert into link_generation (tenant, identity_id, generation) values ('acme', 'bob', 1)`);
      const other = await database.openAnother();
      expect(await planted(other)).toEqual(NOTHING_PLANTED);
      expect(await other.credentials.findByPasskey('acme', 'pk')).toMatchObject({ passkeys: [] });
      expect(await other.credentials.useRecoveryCode('acme', 'bob', 'r-1')).toBe(false);
    });

    test('a used link that nothing goes back to is removed with the use of the next one', async () => {
      await using database = await openPeople(engine);
      const { store } = database;
      await plantAll(store);
      const begins = (usedLink: string, id: string) =>
        store.sessions.create(actIn('acme'), newSession(id, { identityId: 'bob', usedLink }));
      const useAnother = async (hash: string) => {
        const byAda = { ...actIn('acme'), actor: { clientId: 'c', identityId: 'ada' } };
        const link = { hash, expiresMs: NOW_MS + MINUTE_MS };
        await store.signInLinks.create(byAda, { identityId: 'bob', link }, ok);
        expect(await store.signInLinks.consume('acme', hash, NOW_MS)).toBe(true);
      };
      await useAnother('second');
      expect([await begins('used', 's-2'), await begins('second', 's-3')]).toEqual([true, true]);
      await store.credentials.removeAll(actIn('acme'), 'bob', { decide: ok });
      expect([await begins('used', 's-4'), await begins('second', 's-5')]).toEqual([false, false]);
      await useAnother('third');
      await useAnother('fourth');
      expect([await begins('third', 's-6'), await begins('fourth', 's-7')]).toEqual([false, true]);
    });

    test('another uid ends links, pending sign-ins and sessions', async () => {
      await using database = await openPeople(engine);
      const { store } = database;
      for (const identityId of ['ada', 'bob']) {
        await enrolAll(store, identityId);
        await beginByLink(store, identityId, 0);
      }
      const others = { left: await whatIsLeft(store, 'ada'), began: await whatBegan(store, 'ada') };
      await importAll(store, 'acme', [identity('bob', { uid: 'robert' }), identity('new', { uid: 'new' })]);
      const ended = { link: null, pending: null, session: null };
      expect(await whatIsLeft(store, 'bob')).toMatchObject({
        ...ended,
        identity: { password: { hash: 'phc of bob' } },
      });
      expect(await whatBegan(store, 'bob')).toEqual(NOTHING_BEGAN);
      expect({ left: await whatIsLeft(store, 'ada'), began: await whatBegan(store, 'ada') }).toEqual(others);
    });

    test('a link is compared with what its maker had and has', async () => {
      await using database = await openPeople(engine);
      const { store } = database;
      const helpdesk = { ...actIn('acme'), actor: { clientId: 'c', identityId: 'hal' } };
      const hal = (...capabilities: readonly Capability[]) =>
        importAll(store, 'acme', [identity('hal', { capabilities })]);
      const isOpen = async (identityId: string) =>
        (await store.signInLinks.find('acme', `of hal for ${identityId}`, NOW_MS)) !== null;
      await hal('HELPDESK');
      for (const identityId of ['ada', 'bob']) {
        const link = { hash: `of hal for ${identityId}`, expiresMs: NOW_MS + MINUTE_MS };
        expect(await store.signInLinks.create(helpdesk, { identityId, link }, ok)).toEqual(ok(null));
      }
      expect([await isOpen('ada'), await isOpen('bob')]).toEqual([false, true]);
      expect(await setPassword(store, 'ada', 'of hal for ada')).toBe('LINK_GONE');
      expect(await store.signInLinks.consume('acme', 'of hal for ada', NOW_MS)).toBe(false);
      await hal('HELPDESK', 'ORG_ADMIN');
      expect([await isOpen('ada'), await isOpen('bob')]).toEqual([false, true]);
      await hal();
      expect(await isOpen('bob')).toBe(false);
      await hal('HELPDESK');
      expect(await isOpen('bob')).toBe(true);
      await importAll(store, 'acme', [deletion('identity', 'hal')]);
      expect(await isOpen('bob')).toBe(false);
    });

    test('a link ends with its time, and the oldest of more than ten ends', async () => {
      await using database = await openPeople(engine);
      const { store } = database;
      await createLink(store, 'short', 'ada', NOW_MS);
      expect(await store.signInLinks.find('acme', 'short', NOW_MS)).toBeNull();
      expect(await store.signInLinks.consume('acme', 'short', NOW_MS)).toBe(false);
      for (let number = 0; number < 11; number++) await createLink(store, `l-${number}`);
      const found = [];
      for (let number = 0; number < 11; number++)
        found.push((await store.signInLinks.find('acme', `l-${number}`, NOW_MS)) !== null);
      expect(found.filter(Boolean)).toHaveLength(10);
      expect(await store.signInLinks.consume('acme', 'l-10', NOW_MS)).toBe(true);
      expect(await store.signInLinks.consume('acme', 'l-10', NOW_MS)).toBe(false);
    });

    test('a link is created when the decision on its identity allows it', async () => {
      await using database = await openPeople(engine);
      const { signInLinks } = database.store;
      const link = { hash: 'l', expiresMs: NOW_MS + 1 };
      const refused = fail(failure('Forbidden', '', 'no'));
      const decide = ({ capabilities }: { readonly capabilities: readonly string[] }) =>
        capabilities.includes('ORG_ADMIN') ? refused : ok(null);
      expect(await signInLinks.create(actIn('acme'), { identityId: 'ada', link }, decide)).toEqual(refused);
      expect(await signInLinks.find('acme', 'l', NOW_MS)).toBeNull();
      expect(await signInLinks.create(actIn('acme'), { identityId: 'bob', link }, decide)).toEqual(ok(null));
      const missing = await signInLinks.create(actIn('acme'), { identityId: 'gone', link }, ok);
      expect(missing).toMatchObject({ ok: false, failure: { type: 'NotFound' } });
    });

    test('each step of TOTP is used once, and earlier ones are used up with it', async () => {
      await using database = await openPeople(engine);
      const { credentials } = database.store;
      expect(await credentials.useTotpStep('acme', 'ada', 9)).toBe(false);
      await credentials.setTotp(actIn('acme'), 'ada', { secret: 's', lastStep: 7, link: null, usedLink: null });
      const steps = [7, 9, 9, 8, 10];
      const used = [];
      for (const step of steps) used.push(await credentials.useTotpStep('acme', 'ada', step));
      expect(used).toEqual([false, true, false, false, true]);
      const both = await Promise.all([11, 11].map((step) => credentials.useTotpStep('acme', 'ada', step)));
      expect(both.toSorted()).toEqual([false, true]);
      expect(await removeOne(database.store, 'ada', { type: 'TOTP' })).toEqual(ok(null));
      expect(await credentials.findIdentity('acme', 'ada')).toMatchObject({ totp: null });
    });

    test('each recovery code is used once, and new ones replace all', async () => {
      await using database = await openPeople(engine);
      const { credentials } = database.store;
      await credentials.setRecoveryCodes(actIn('acme'), 'ada', { hashes: ['r-1', 'r-2'], link: null, usedLink: null });
      const both = await Promise.all(['r-1', 'r-1'].map((code) => credentials.useRecoveryCode('acme', 'ada', code)));
      expect(both.toSorted()).toEqual([false, true]);
      expect(await credentials.useRecoveryCode('acme', 'bob', 'r-2')).toBe(false);
      await credentials.setRecoveryCodes(actIn('acme'), 'ada', { hashes: ['r-3'], link: null, usedLink: null });
      expect(await credentials.useRecoveryCode('acme', 'ada', 'r-2')).toBe(false);
      expect(await credentials.findIdentity('acme', 'ada')).toMatchObject({ recoveryCodes: { left: 1 } });
    });

    test('a passkey is of one identity, and its counter ascends', async () => {
      await using database = await openPeople(engine);
      const { credentials } = database.store;
      const add = (identityId: string, id: string) =>
        credentials.addPasskey(actIn('acme'), identityId, { passkey: passkey(id), link: null, usedLink: null });
      expect([await add('ada', 'pk'), await add('bob', 'pk'), await add('gone', 'x')]).toEqual([
        'STORED',
        'CONFLICT',
        'IDENTITY_GONE',
      ]);
      const use = (counter: number) => credentials.usePasskey('acme', 'pk', { counter, time: NOW });
      expect([await use(0), await use(3), await use(3), await use(2), await use(0)]).toEqual([
        true,
        true,
        false,
        false,
        false,
      ]);
      const ids = async () => (await credentials.findIdentity('acme', 'ada'))?.passkeys.map(({ id }) => id);
      await removeOne(database.store, 'bob', { type: 'PASSKEY', id: 'pk' });
      expect(await ids()).toEqual(['pk']);
      await removeOne(database.store, 'ada', { type: 'PASSKEY', id: 'pk' });
      expect(await ids()).toEqual([]);
      for (let number = 0; number < 20; number++) await add('ada', `pk-${number}`);
      expect(await add('ada', 'one-more')).toBe('CONFLICT');
    });

    test('the removal of all credentials can be refused, and leaves the lock', async () => {
      await using database = await openPeople(engine);
      const { store } = database;
      await enrolAll(store, 'ada');
      const refused = fail(failure('Conflict', '', 'no'));
      const views: unknown[] = [];
      const remove = (identityId: string, decide: (view: unknown) => Result<unknown, Failure>) =>
        store.credentials.removeAll(actIn('acme'), identityId, { decide });
      expect(await remove('ada', () => refused)).toEqual(refused);
      expect(await store.credentials.findIdentity('acme', 'ada')).toMatchObject({ recoveryCodes: { left: 2 } });
      expect(await remove('ada', (view) => ok(views.push(view)))).toEqual(ok(null));
      expect(views).toEqual([{ identityId: 'ada', capabilities: ['ORG_ADMIN'] }]);
      const nothing = { password: null, totp: null, passkeys: [], recoveryCodes: null };
      expect(await whatIsLeft(store, 'ada')).toEqual({
        link: null,
        pending: null,
        session: null,
        identity: expect.objectContaining({ ...nothing, lockedUntil: expect.any(String) }),
      });
      expect(await remove('gone', ok)).toMatchObject({ failure: { type: 'NotFound' } });
    });

    test('a secret of another key is sealed again', async () => {
      await using database = await openPeople(engine);
      const { credentials } = database.store;
      const seal = (identityId: string, secret: string) =>
        credentials.setTotp(actIn('acme'), identityId, { secret, lastStep: 1, link: null, usedLink: null });
      await seal('ada', 'v1.old.ada');
      await seal('bob', 'v1.new.bob');
      const sealed: unknown[] = [];
      await credentials.reseal('new', (owner, before) => {
        sealed.push({ ...owner, before });
        return 'v1.new.ada';
      });
      expect(sealed).toEqual([{ tenant: 'acme', identityId: 'ada', before: 'v1.old.ada' }]);
      expect(await credentials.reseal('third', () => null)).toEqual({ sealed: 0, failed: 2 });
      expect(await credentials.findIdentity('acme', 'ada')).toMatchObject({ totp: { secret: 'v1.new.ada' } });
    });

    test('no secret is in the audit log', async () => {
      await using database = await openPeople(engine);
      const { store } = database;
      await enrolAll(store, 'ada');
      const sequences = await store.audit.listSequences('acme', [], { limit: 250, offset: 0 });
      const events = [];
      for await (const event of store.audit.read('acme', sequences)) events.push(event);
      const text = JSON.stringify(events);
      for (const secret of ['phc of', 'sealed', 'r-1', 'hash of', 'link of', 'cose'])
        expect(text).not.toContain(secret);
      for (const told of ['passwordChanged', 'totpEnrolled', 'passkey', 'recoveryCodesMade', 'signInLinkExpires'])
        expect(text).toContain(told);
    });
  });

  describe('failed sign-ins', () => {
    test('lock a user and an address after their attempts within the window', async () => {
      await using database = await openPeople(engine);
      const { signInFailures } = database.store;
      const record = async (fields: object) => {
        const { isUserLocked, isAddressLocked } = await signInFailures.record(actIn('acme'), {
          ...failureOf({ identityId: 'ada', userAttempts: 3, addressAttempts: 4, ...fields }),
        });
        return `${isUserLocked} ${isAddressLocked}`;
      };
      const at = (minutes: number) => ({ nowMs: NOW_MS + minutes * MINUTE_MS });
      // The window slides: two failures at its end and one at the beginning of the next lock.
      expect([await record(at(0)), await record(at(4)), await record(at(6))]).toEqual(Array(3).fill('false false'));
      expect(await record(at(7))).toBe('true false');
      const locks = async (minutes: number, of: object = {}) => {
        const { user, address } = await signInFailures.readLocks('acme', {
          identityId: 'ada',
          address: '192.0.2.1',
          ...at(minutes),
          ...of,
        });
        return [user, address].map(
          (lock) => lock && [lock.fromMs, lock.untilMs].map((ms) => (ms - NOW_MS) / MINUTE_MS),
        );
      };
      expect(await locks(21)).toEqual([[7, 22], null]);
      expect(await locks(21, { identityId: 'bob' })).toEqual([null, null]);
      expect(await locks(22)).toEqual([null, null]);
      // A failure while the user is locked counts for the address, and does not prolong the lock.
      expect(await record(at(8))).toBe('false true');
      expect(await locks(21)).toEqual([
        [7, 22],
        [8, 23],
      ]);
      expect(await locks(22)).toEqual([null, [8, 23]]);
      expect(await locks(22, { address: '192.0.2.2', identityId: null })).toEqual([null, null]);
      expect(await locks(23)).toEqual([null, null]);
    });

    test('from a locked address count for that address alone', async () => {
      await using database = await openPeople(engine);
      const { signInFailures } = database.store;
      const record = (fields: object) =>
        signInFailures.record(actIn('acme'), failureOf({ userAttempts: 2, addressAttempts: 3, ...fields }));
      for (const _ of ['first', 'second', 'locks']) await record({ identityId: null });
      const refused = await record({ identityId: 'ada' });
      expect(refused).toEqual({ isUserLocked: false, isAddressLocked: false, wasAddressLocked: true });
      await record({ identityId: 'ada' });
      const { audit, events } = database.store;
      const heads = async () => [await audit.head('acme'), await events.head('acme')];
      const before = await heads();
      await record({ identityId: 'ada' });
      expect(await heads()).toEqual(before);
      const of = { identityId: 'ada', nowMs: NOW_MS, windowMs: 5 * MINUTE_MS };
      expect(await signInFailures.readUser('acme', of)).toEqual({ attempts: 0, lockedUntilMs: null });
      // Elsewhere, and when the lock has ended, they count.
      expect(await record({ identityId: 'ada', address: '192.0.2.2' })).toMatchObject({ wasAddressLocked: false });
      expect(await signInFailures.readUser('acme', of)).toMatchObject({ attempts: 1 });
      const later = { identityId: 'bob', nowMs: NOW_MS + 15 * MINUTE_MS };
      expect(await record(later)).toMatchObject({ wasAddressLocked: false });
      expect(await signInFailures.readUser('acme', { ...of, ...later })).toMatchObject({ attempts: 1 });
    });

    test('tell each lock in the transaction that makes it, of a user and of an address', async () => {
      await using database = await openPeople(engine);
      const { signInFailures, events } = database.store;
      const { last } = await events.head('acme');
      const failed = failureOf({ identityId: 'ada', userAttempts: 1, addressAttempts: 2 });
      const eventOf = ({ identityId, lockedUntil }: { identityId: string | null; lockedUntil: string }) =>
        newEvent('sign-in.locked', identityId, { time: NOW, data: { id: identityId, lockedUntil } });
      for (const _ of ['locks the user', 'locks the address', 'locks nothing'])
        await signInFailures.record(actIn('acme'), failed, eventOf);
      const page = await events.read('acme', { after: last, types: ['sign-in.locked'], limit: 10 });
      const lockedUntil = new Date(NOW_MS + 15 * MINUTE_MS).toISOString();
      expect(page.events.map(({ type, resourceId, data }) => [type, resourceId, JSON.parse(data)])).toEqual([
        ['sign-in.locked', 'ada', { id: 'ada', lockedUntil }],
        ['sign-in.locked', null, { id: null, lockedUntil }],
      ]);
    });

    test('of unknown users count for the address alone', async () => {
      await using database = await openPeople(engine);
      const { signInFailures } = database.store;
      const record = (identityId: string | null) =>
        signInFailures.record(actIn('acme'), failureOf({ identityId, userAttempts: 1, addressAttempts: 2 }));
      expect(await record(null)).toMatchObject({ isUserLocked: false, isAddressLocked: false });
      expect(await record('gone')).toMatchObject({ isUserLocked: false, isAddressLocked: true });
    });

    test('a block is recorded and told', async () => {
      await using database = await openPeople(engine);
      const { signInFailures, audit, events } = database.store;
      const { sequence } = await audit.head('acme');
      const before = await events.head('acme');
      const told = newEvent('sign-in.blocked', 'ada', { time: NOW, data: { id: 'ada' } });
      await signInFailures.recordBlock(actIn('acme'), 'ada', told);
      for await (const recorded of audit.read('acme', [sequence + 1]))
        expect(recorded).toMatchObject({ outcome: 'DENIED', resource: { type: 'AUTH_USER', id: 'ada' }, changes: [] });
      expect((await events.head('acme')).last).toBe(before.last + 1);
    });

    test('a hundred at the same time are all counted', async () => {
      await using database = await openPeople(engine);
      const stores = [database.store, await database.openAnother()];
      const failed = failureOf({ identityId: 'ada', userAttempts: 100, addressAttempts: 101 });
      const all = await Promise.all(
        Array.from({ length: 100 }, (_, number) => stores[number % 2]?.signInFailures.record(actIn('acme'), failed)),
      );
      expect(all.filter((locks) => locks?.isUserLocked)).toHaveLength(1);
    });
  });

  describe('a pending sign-in', () => {
    test('is changed from the state that it has, and taken once', async () => {
      await using database = await openPeople(engine);
      const { pendingSignIns } = database.store;
      const expiresMs = NOW_MS + MINUTE_MS;
      const first = { identityId: null, state: '{"step":1}', expiresMs };
      const second = { identityId: 'ada', state: '{"step":2}', expiresMs };
      expect(await pendingSignIns.create('acme', 'p', { ...first, nowMs: NOW_MS })).toBe(true);
      expect(await pendingSignIns.create('acme', 'q', { ...second, identityId: 'gone', nowMs: NOW_MS })).toBe(false);
      expect(await pendingSignIns.find('other', 'p', NOW_MS)).toBeNull();
      expect(await pendingSignIns.find('acme', 'p', expiresMs)).toBeNull();
      const change = { before: first.state, after: second, nowMs: NOW_MS };
      const both = await Promise.all([1, 2].map(() => pendingSignIns.update('acme', 'p', change)));
      expect(both.toSorted()).toEqual([false, true]);
      const taken = await Promise.all([1, 2].map(() => pendingSignIns.take('acme', 'p', NOW_MS)));
      expect(taken.filter((each) => each !== null)).toEqual([{ ...second, linkGeneration: null, usedLink: null }]);
    });
  });
}
