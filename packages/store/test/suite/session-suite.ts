import { fail, failure, ok } from '@access-admin/domain';
import { describe, expect, test, vi } from 'vitest';
import type { NewSession, Store } from '../../src/index.ts';
import { ALL_SESSIONS, newSession } from '../call-every-sign-in-method.ts';
import { actIn, deletion, identity, identityProfile, importAll, NOW } from '../model-records.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';

const NOW_MS = Date.parse(NOW);
const PAGE = { limit: 10, offset: 0 };

async function openPeople(engine: StoreEngine) {
  const database = await openDatabase(engine);
  for (const tenant of ['acme', 'other'])
    await importAll(database.store, tenant, [
      identityProfile('ip'),
      identityProfile('ip-2'),
      identity('ada', { displayName: 'Ada', capabilities: ['ORG_ADMIN'] }),
      identity('bob'),
    ]);
  return database;
}

const signIn = ({ sessions }: Store, id: string, identityId: string, fields: Partial<NewSession> = {}) =>
  sessions.create(actIn('acme'), newSession(id, { identityId, ...fields }));

const find = async ({ sessions }: Store, id: string, tenant = 'acme') => sessions.find(tenant, `hash of ${id}`);

export function describeSessions(engine: StoreEngine): void {
  describe('sessions', () => {
    test('are found by the hash of their token, with the present capabilities, in their tenant', async () => {
      await using database = await openPeople(engine);
      const { store } = database;
      expect(await find(store, 's-1')).toBeNull();
      expect(await signIn(store, 's-1', 'ada', { factors: ['PASSWORD', 'TOTP'], isFramed: true })).toBe(true);
      const times = { createdMs: NOW_MS, provenMs: NOW_MS, activeMs: NOW_MS };
      expect(await find(store, 's-1')).toEqual({
        id: 's-1',
        identityId: 'ada',
        displayName: 'Ada',
        capabilities: ['ORG_ADMIN'],
        factors: ['PASSWORD', 'TOTP'],
        isFramed: true,
        address: '192.0.2.1',
        ...times,
        linkGeneration: null,
        usedLink: null,
        expiresMs: NOW_MS + 3_600_000,
        idleExpiresMs: NOW_MS + 900_000,
        config: { maxIdleTime: 15, rememberMe: false, maxSessionTime: 480 },
      });
      expect(await find(store, 's-1', 'other')).toBeNull();
      await importAll(store, 'acme', [identity('ada', { capabilities: ['HELPDESK'] })]);
      expect(await find(store, 's-1')).toMatchObject({ capabilities: ['HELPDESK'] });
      expect(await signIn(store, 's-2', 'gone')).toBe(false);
    });

    test('stay in memory until one ends, in every process', async () => {
      await using database = await openPeople(engine);
      const { store } = database;
      const another = await database.openAnother();
      await signIn(store, 's-1', 'ada');
      expect(await find(another, 's-1')).toMatchObject({ id: 's-1' });
      // Another sign-in leaves what is cached.
      await vi.waitUntil(async () => {
        const before = await find(another, 's-1');
        await signIn(store, `s-${Math.random()}`, 'bob');
        return before !== null && (await find(another, 's-1')) !== null;
      });
      expect(await store.sessions.end(actIn('acme'), 's-1')).toEqual(ok(null));
      expect(await find(store, 's-1')).toBeNull();
      await vi.waitUntil(async () => (await find(another, 's-1')) === null, { interval: 5, timeout: 60_000 });
    });

    test('have the latest touch and proof', async () => {
      await using database = await openPeople(engine);
      const { sessions } = database.store;
      await signIn(database.store, 's-1', 'ada');
      const touch = (ms: number) =>
        sessions.touch('acme', 'hash of s-1', { activeMs: NOW_MS + ms, idleExpiresMs: NOW_MS + ms + 900_000 });
      await touch(60_000);
      await touch(30_000);
      expect(await sessions.findLatest('acme', 'hash of s-1')).toMatchObject({
        activeMs: NOW_MS + 60_000,
        idleExpiresMs: NOW_MS + 960_000,
      });
      await sessions.prove('acme', 'hash of s-1', { provenMs: NOW_MS + 5, factors: ['PASSWORD', 'TOTP'] });
      expect(await sessions.find('acme', 'hash of s-1')).toMatchObject({
        provenMs: NOW_MS + 5,
        factors: ['PASSWORD', 'TOTP'],
        activeMs: NOW_MS + 60_000,
      });
    });

    test('are listed while they can be used', async () => {
      await using database = await openPeople(engine);
      const { store } = database;
      await signIn(store, 's-2', 'ada');
      await signIn(store, 's-1', 'bob', { createdMs: NOW_MS + 10 });
      const list = async (query: object) => {
        const given = { ...ALL_SESSIONS, ...query };
        const listed = await store.sessions.list('acme', given, PAGE);
        expect(await store.sessions.count('acme', given)).toBe(listed.length);
        return listed.map(({ id }) => id);
      };
      expect(await list({})).toEqual(['s-1', 's-2']);
      expect(await list({ identityId: 'ada' })).toEqual(['s-2']);
      expect(await list({ createdAfterMs: NOW_MS })).toEqual(['s-1']);
      expect(await list({ activeAfterMs: NOW_MS })).toEqual(['s-1']);
      expect(await list({ nowMs: NOW_MS + 900_000 })).toEqual([]);
      expect(await store.sessions.count('other', ALL_SESSIONS)).toBe(0);
    });

    test('are ended by a decision on them', async () => {
      await using database = await openPeople(engine);
      const { store } = database;
      await signIn(store, 's-1', 'ada');
      expect(await store.sessions.findOwner('acme', 's-1')).toBe('ada');
      expect(await store.sessions.findOwner('other', 's-1')).toBeNull();
      const refused = fail(failure('Forbidden', '', 'no'));
      const end = (id: string) =>
        store.sessions.end(actIn('acme'), id, ({ identityId }) => (identityId === 'ada' ? refused : ok(null)));
      expect(await end('s-1')).toEqual(refused);
      expect(await find(store, 's-1')).not.toBeNull();
      expect(await store.sessions.end(actIn('other'), 's-1')).toMatchObject({ failure: { type: 'NotFound' } });
    });

    test('end when their auth profile blocks, and do not come back', async () => {
      await using database = await openPeople(engine);
      const { store } = database;
      const setType = (type: 'BLOCK' | 'MFA') =>
        store.authProfiles.change(actIn('acme'), 'ip', { decide: (profile) => ok({ ...profile, type }) });
      await signIn(store, 's-1', 'ada');
      await setType('MFA');
      expect(await find(store, 's-1')).not.toBeNull();
      await setType('BLOCK');
      await setType('MFA');
      expect(await find(store, 's-1')).toBeNull();
      await signIn(store, 's-2', 'ada');
      await importAll(store, 'acme', [identityProfile('ip-2', { authProfile: { type: 'BLOCK' } })]);
      expect(await find(store, 's-2')).not.toBeNull();
      await importAll(store, 'acme', [identity('ada', { identityProfile: 'ip-2' })]);
      await importAll(store, 'acme', [identity('ada')]);
      expect(await find(store, 's-2')).toBeNull();
    });

    test('end when the password changes, but for the one that changes it', async () => {
      await using database = await openPeople(engine);
      const { store } = database;
      for (const id of ['s-1', 's-2']) await signIn(store, id, 'ada');
      await signIn(store, 's-3', 'bob');
      const password = { hash: 'phc', link: null, usedLink: null, keepSession: 's-1' };
      await store.credentials.setPassword(actIn('acme'), 'ada', password);
      const found = [];
      for (const id of ['s-1', 's-2', 's-3']) found.push((await find(store, id))?.id);
      expect(found).toEqual(['s-1', undefined, 's-3']);
    });

    test('of an identity are a hundred at most', async () => {
      await using database = await openPeople(engine);
      const { store } = database;
      for (let number = 0; number < 102; number++)
        await signIn(store, `s-${number}`, 'ada', { createdMs: NOW_MS + number });
      expect(await store.sessions.count('acme', ALL_SESSIONS)).toBe(100);
      expect([await find(store, 's-1'), (await find(store, 's-2'))?.id]).toEqual([null, 's-2']);
    });

    test('are not created for an identity that an import deletes at the same time', async () => {
      await using database = await openPeople(engine);
      const { store } = database;
      for (let round = 0; round < 10; round++) {
        await importAll(store, 'acme', [identity('eve')]);
        await signIn(store, `first-${round}`, 'eve');
        await Promise.all([
          importAll(store, 'acme', [deletion('identity', 'eve')]),
          signIn(store, `s-${round}`, 'eve'),
          signIn(store, `t-${round}`, 'eve'),
        ]);
        expect(await store.sessions.count('acme', { ...ALL_SESSIONS, identityId: 'eve' })).toBe(0);
      }
    });
  });
}
