import { fail, failure, ok } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import type { CredentialRef, Store } from '../../src/index.ts';
import { failureOf, newSession, passkey } from '../call-every-sign-in-method.ts';
import { actIn, identity, identityProfile, importAll, NOW } from '../model-records.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';

const NOW_MS = Date.parse(NOW);
const MINUTE_MS = 60_000;
const ACT = actIn('acme');
const CREDENTIALS: readonly CredentialRef[] = [
  ...(['PASSWORD', 'TOTP', 'RECOVERY_CODES'] as const).map((type) => ({ type })),
  { type: 'PASSKEY', id: 'pk' },
];
const REFUSED = fail(failure('Forbidden', '', 'no'));

async function openAda(engine: StoreEngine) {
  const database = await openDatabase(engine);
  const { store } = database;
  await importAll(store, 'acme', [identityProfile('ip'), identity('ada', { uid: 'ada' })]);
  await store.credentials.setPassword(ACT, 'ada', { hash: 'phc', link: null, usedLink: null, keepSession: null });
  await store.credentials.setTotp(ACT, 'ada', { secret: 'v1.k.sealed', lastStep: 1, link: null, usedLink: null });
  await store.credentials.setRecoveryCodes(ACT, 'ada', { hashes: ['r-1', 'r-2'], link: null, usedLink: null });
  await store.credentials.addPasskey(ACT, 'ada', { passkey: passkey('pk'), link: null, usedLink: null });
  return database;
}

const credentialsOf = async ({ credentials }: Store) => {
  const found = await credentials.findIdentity('acme', 'ada');
  return [found?.password?.hash, found?.totp?.secret, found?.recoveryCodes?.left ?? 0, found?.passkeys.length];
};

export function describeManagement(engine: StoreEngine): void {
  describe('what an administrator changes of a way in', () => {
    test('one credential is removed, and the sessions end where they shall', async () => {
      await using database = await openAda(engine);
      const { store } = database;
      const remove = (credential: CredentialRef, endsSessions: boolean) =>
        store.credentials.removeOne(ACT, 'ada', { credential, decide: () => ok(null), endsSessions });
      const signIn = async () => {
        await store.sessions.create(ACT, newSession('s', { identityId: 'ada' }));
        return async () => (await store.sessions.find('acme', 'hash of s')) !== null;
      };
      const isSignedIn = await signIn();
      const left = [];
      for (const credential of CREDENTIALS) {
        expect(await remove(credential, credential.type === 'PASSKEY')).toEqual(ok(null));
        left.push([...(await credentialsOf(store)), await isSignedIn()]);
      }
      expect(left).toEqual([
        [undefined, 'v1.k.sealed', 2, 1, true],
        [undefined, undefined, 2, 1, true],
        [undefined, undefined, 0, 1, true],
        [undefined, undefined, 0, 0, false],
      ]);
      // What is not there is not removed again, and ends no session.
      await signIn();
      const events = await store.audit.count('acme', []);
      for (const credential of CREDENTIALS) expect(await remove(credential, true)).toEqual(ok(null));
      expect([await store.audit.count('acme', []), await isSignedIn()]).toEqual([events, true]);
    });

    test('the removal of one credential is decided on all that there are, one at a time', async () => {
      await using database = await openAda(engine);
      const one = database.store;
      const other = await database.openAnother();
      const removal = { endsSessions: false };
      const refused = await one.credentials.removeOne(ACT, 'ada', {
        ...removal,
        credential: { type: 'PASSWORD' },
        decide: () => REFUSED,
      });
      expect([refused, await credentialsOf(one)]).toEqual([REFUSED, ['phc', 'v1.k.sealed', 2, 1]]);
      const totp = { type: 'TOTP' } as const;
      const key = { type: 'PASSKEY', id: 'pk' } as const;
      const outcomes = await Promise.all([
        one.credentials.removeOne(ACT, 'ada', {
          ...removal,
          credential: totp,
          decide: ({ passkeys }) => (passkeys.length > 0 ? ok(null) : REFUSED),
        }),
        other.credentials.removeOne(ACT, 'ada', {
          ...removal,
          credential: key,
          decide: (of) => (of.totp === null ? REFUSED : ok(null)),
        }),
      ]);
      expect(outcomes.map(({ ok: isRemoved }) => isRemoved).toSorted()).toEqual([false, true]);
      const gone = await one.credentials.removeOne(ACT, 'gone', {
        ...removal,
        credential: totp,
        decide: () => ok(null),
      });
      expect(gone).toMatchObject({ ok: false, failure: { type: 'NotFound' } });
    });

    test('failed attempts that count are read, and a lock is ended', async () => {
      await using database = await openAda(engine);
      const { signInFailures, authUsers } = database.store;
      const read = (nowMs: number, identityId = 'ada') =>
        signInFailures.readUser('acme', { identityId, nowMs, windowMs: 5 * MINUTE_MS });
      const attempt = (nowMs: number) =>
        signInFailures.record(ACT, failureOf({ identityId: 'ada', userAttempts: 3, nowMs }));
      expect(await read(NOW_MS)).toEqual({ attempts: 0, lockedUntilMs: null });
      await attempt(NOW_MS);
      await attempt(NOW_MS + MINUTE_MS);
      expect(await read(NOW_MS + MINUTE_MS)).toEqual({ attempts: 2, lockedUntilMs: null });
      expect(await read(NOW_MS + 5 * MINUTE_MS)).toEqual({ attempts: 1, lockedUntilMs: null });
      expect(await read(NOW_MS, 'bob')).toEqual({ attempts: 0, lockedUntilMs: null });
      await attempt(NOW_MS + 2 * MINUTE_MS);
      const lockedUntilMs = NOW_MS + 17 * MINUTE_MS;
      expect(await read(NOW_MS + 3 * MINUTE_MS)).toEqual({ attempts: 0, lockedUntilMs });
      expect(await signInFailures.unlock(ACT, 'ada', () => REFUSED)).toEqual(REFUSED);
      expect(await signInFailures.unlock(ACT, 'ada', () => ok(null))).toEqual(ok(null));
      expect(await read(NOW_MS + 3 * MINUTE_MS)).toEqual({ attempts: 0, lockedUntilMs: null });
      expect(await authUsers.find('acme', 'ada')).toMatchObject({ lastUnlockTimestamp: NOW });
      const missing = await signInFailures.unlock(ACT, 'gone', () => ok(null));
      expect(missing).toMatchObject({ ok: false, failure: { type: 'NotFound' } });
    });
  });
}
