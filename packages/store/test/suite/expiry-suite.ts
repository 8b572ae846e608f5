import { ok } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import type { Store } from '../../src/index.ts';
import { ALL_SESSIONS, failureOf, newSession } from '../call-every-sign-in-method.ts';
import { actIn, identity, identityProfile, importAll, NOW } from '../model-records.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';

const NOW_MS = Date.parse(NOW);
const MINUTE_MS = 60_000;

/** Begins one of everything that ends by itself, at an instant, in a tenant with the identity `ada`. */
async function beginAll(store: Store, tenant: string, name: string, endsMs: number): Promise<void> {
  const link = { hash: `link ${name}`, expiresMs: endsMs };
  await store.signInLinks.create(actIn(tenant), { identityId: 'ada', link }, ok);
  const pending = { identityId: 'ada', state: '{}', expiresMs: endsMs, nowMs: 0 };
  await store.pendingSignIns.create(tenant, `pending ${name}`, pending);
  const later = endsMs + 10 * MINUTE_MS;
  for (const [id, ends] of [
    [`old ${name}`, { expiresMs: endsMs, idleExpiresMs: later }],
    [`idle ${name}`, { expiresMs: later, idleExpiresMs: endsMs }],
  ] as const)
    await store.sessions.create(actIn(tenant), newSession(id, { identityId: 'ada', ...ends }));
  const failed = { nowMs: endsMs - MINUTE_MS, windowMs: MINUTE_MS, address: name };
  await store.signInFailures.record(actIn(tenant), failureOf({ identityId: null, ...failed }));
}

/** Which of what `beginAll` has begun is stored, whether or not it has ended. */
async function storedOf(store: Store, tenant: string, name: string): Promise<readonly string[]> {
  const sessions = await store.sessions.list(tenant, { ...ALL_SESSIONS, nowMs: 0 }, { limit: 250, offset: 0 });
  const found = {
    link: await store.signInLinks.find(tenant, `link ${name}`, 0),
    pending: await store.pendingSignIns.find(tenant, `pending ${name}`, 0),
    old: sessions.find(({ id }) => id === `old ${name}`) ?? null,
    idle: sessions.find(({ id }) => id === `idle ${name}`) ?? null,
  };
  return Object.entries(found).flatMap(([what, one]) => (one === null ? [] : [what]));
}

export function describeExpiry(engine: StoreEngine): void {
  describe('what ends by itself', () => {
    test('is removed of every tenant, and nothing that has not ended', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const tenants = ['acme', 'other', 'third'];
      const endsMs = NOW_MS + 10 * MINUTE_MS;
      for (const tenant of tenants) {
        await importAll(store, tenant, [identityProfile('ip'), identity('ada')]);
        await beginAll(store, tenant, 'ended', endsMs);
        await beginAll(store, tenant, 'lives', endsMs + 1);
      }
      expect(await storedOf(store, 'acme', 'ended')).toEqual(['link', 'pending', 'old', 'idle']);
      expect(await store.signInExpiry.removeExpired(endsMs)).toBe(false);
      for (const tenant of tenants) {
        expect([tenant, await storedOf(store, tenant, 'ended')]).toEqual([tenant, []]);
        expect([tenant, await storedOf(store, tenant, 'lives')]).toEqual([tenant, ['link', 'pending', 'old', 'idle']]);
        // The second failure locks where the first one still counts.
        for (const [address, isAddressLocked] of [
          ['ended', false],
          ['lives', true],
        ] as const) {
          const failed = { identityId: null, address, nowMs: endsMs - 1, windowMs: MINUTE_MS, addressAttempts: 2 };
          expect(await store.signInFailures.record(actIn(tenant), failureOf(failed))).toMatchObject({
            isAddressLocked,
          });
        }
      }
    });

    test('is removed also where the tenant has no other row, some in each call', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const pending = { identityId: null, state: '{}', expiresMs: NOW_MS, nowMs: 0 };
      const invented = Array.from({ length: 250 }, (_, number) => `invented-${number}`);
      await Promise.all(invented.map((tenant) => store.pendingSignIns.create(tenant, 'p', pending)));
      await Promise.all(
        invented.map((tenant) => store.signInFailures.record(actIn(tenant), failureOf({ identityId: null }))),
      );
      const left = async () => {
        const found = await Promise.all(invented.map((tenant) => store.pendingSignIns.find(tenant, 'p', 0)));
        return found.filter((each) => each !== null).length;
      };
      expect(await store.signInExpiry.removeExpired(NOW_MS)).toBe(true);
      expect(await left()).toBeGreaterThan(0);
      while (await store.signInExpiry.removeExpired(NOW_MS + 5 * MINUTE_MS));
      expect(await left()).toBe(0);
      const locks = await Promise.all(
        invented.map((tenant) => store.signInFailures.record(actIn(tenant), failureOf({ addressAttempts: 2 }))),
      );
      expect(locks.filter(({ isAddressLocked }) => isAddressLocked)).toEqual([]);
    });

    test('stays where it was prolonged', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await importAll(store, 'acme', [identityProfile('ip'), identity('ada')]);
      await store.sessions.create(actIn('acme'), newSession('s', { identityId: 'ada', idleExpiresMs: NOW_MS }));
      const times = { activeMs: NOW_MS + 1, idleExpiresMs: NOW_MS + MINUTE_MS };
      await Promise.all([
        store.sessions.touch('acme', 'hash of s', times),
        store.signInExpiry.removeExpired(NOW_MS - 1),
        store.signInExpiry.removeExpired(NOW_MS - 1),
      ]);
      await store.signInExpiry.removeExpired(NOW_MS);
      expect(await store.sessions.findLatest('acme', 'hash of s')).toMatchObject(times);
    });
  });

  test('a tenant exists once something has brought it into being', async () => {
    await using database = await openDatabase(engine);
    const { store } = database;
    const another = await database.openAnother();
    const ask = () => Promise.all(['acme', 'other', 'acme'].map((tenant) => another.tenants.exists(tenant)));
    expect(await ask()).toEqual([false, false, false]);
    await importAll(store, 'acme', [identityProfile('ip')]);
    expect(await ask()).toEqual([true, false, true]);
    // What is stored for a host alone does not.
    await store.pendingSignIns.create('other', 'p', { identityId: null, state: '{}', expiresMs: NOW_MS, nowMs: 0 });
    expect(await ask()).toEqual([true, false, true]);
  });
}
