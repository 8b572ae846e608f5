import { failure, newEvent, ok, type SignInGuard } from '@access-admin/domain';
import type { MailClaim, NewSession, Passkey, SignInFailure, Store } from '../src/index.ts';
import { actIn, identity, importAll, NOW } from './model-records.ts';

const PAGE = { limit: 10, offset: 0 };
const NOW_MS = Date.parse(NOW);
const LATER_MS = NOW_MS + 60_000;

export const newSession = (id: string, fields: Partial<NewSession> = {}): NewSession => ({
  id,
  hash: `hash of ${id}`,
  identityId: 'i-1',
  factors: ['PASSWORD'],
  isFramed: false,
  address: '192.0.2.1',
  createdMs: NOW_MS,
  expiresMs: NOW_MS + 3_600_000,
  idleExpiresMs: NOW_MS + 900_000,
  ...fields,
});

export const passkey = (id: string): Passkey => ({
  id,
  name: 'laptop',
  publicKey: 'cose',
  counter: 0,
  transports: ['internal'],
  created: NOW,
  lastUsed: null,
});

export const failureOf = (fields: Partial<SignInFailure> = {}): SignInFailure => ({
  identityId: 'i-1',
  address: '192.0.2.1',
  nowMs: NOW_MS,
  windowMs: 300_000,
  durationMs: 900_000,
  userAttempts: 5,
  addressAttempts: 100,
  ...fields,
});

export const ALL_SESSIONS = { nowMs: NOW_MS, createdAfterMs: 0, activeAfterMs: 0 };

const pending = { identityId: 'i-1', state: '{}', expiresMs: LATER_MS };
const locked = () => newEvent('sign-in.locked', 'i-1', { time: NOW, data: {} });

/** Reads what guards are decided on, and refuses nothing. */
const NEVER: SignInGuard = { holds: () => true, refusal: failure('Conflict', '', 'refused') };

/** A mail whose lease has ended already. */
async function claimMail({ mails }: Store): Promise<MailClaim> {
  const [claimed] = await mails.claim({ nowMs: NOW_MS, leaseMs: 0, limit: 1, tenant: 'acme' });
  if (claimed === undefined) throw new Error('acme has no mail to be sent.');
  return claimed;
}

/** A call of each method of the store about sign-in and mails. */
export const SIGN_IN_CALLS: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  'signInLinks.create': async (store) => {
    await importAll(store, 'acme', [identity('i-1', { capabilities: ['ORG_ADMIN'] })]);
    const maker = { clientId: 'c', identityId: 'i-1' };
    for (let number = 0; number < 11; number++)
      await store.signInLinks.create(
        { ...actIn('acme'), actor: maker },
        { identityId: 'i-1', link: { hash: `link-${number}`, expiresMs: LATER_MS, sealedUrl: 'v1.k.s' } },
        ok,
      );
  },
  'mails.claim': ({ mails }) => mails.claim({ nowMs: NOW_MS, leaseMs: 0, limit: 0 }),
  'mails.renew': async (store) => store.mails.renew([await claimMail(store)], NOW_MS),
  'mails.release': async (store) => store.mails.release(await claimMail(store), { availableAtMs: 0, isAttempt: false }),
  'mails.postpone': async (store) => store.mails.postpone(await claimMail(store), LATER_MS),
  'mails.end': async (store) => store.mails.end(await claimMail(store)),
  'mails.addOfPeriod': ({ mails }) =>
    mails.addOfPeriod('acme', {
      now: NOW,
      until: new Date(LATER_MS).toISOString(),
      week: 'week-1',
      weekEndMs: LATER_MS,
    }),
  'mails.findApprovers': ({ mails }) => mails.findApprovers('acme'),
  'mails.countByOwner': ({ mails }) => mails.countByOwner('acme'),
  'mails.spread': async (store) =>
    store.mails.spread(await claimMail(store), NOW, [{ kind: 'factor-added', recipientId: 'i-1', data: {} }]),
  'mails.findRecipient': ({ mails }) => mails.findRecipient('acme', 'i-1'),
  'mails.removeExpired': ({ mails }) => mails.removeExpired(LATER_MS),
  'signInLinks.find': ({ signInLinks }) => signInLinks.find('acme', 'link-2', NOW_MS),
  'signInLinks.consume': ({ signInLinks }) => signInLinks.consume('acme', 'link-2', NOW_MS),
  'credentials.setPassword': ({ credentials }) =>
    credentials.setPassword(actIn('acme'), 'i-1', { hash: 'phc', link: 'link-3', usedLink: null, keepSession: null }),
  'credentials.rehashPassword': ({ credentials }) =>
    credentials.rehashPassword('acme', 'i-1', { from: 'phc', to: 'phc-2' }),
  'credentials.setTotp': ({ credentials }) =>
    credentials.setTotp(actIn('acme'), 'i-1', { secret: 'v1.k.s', lastStep: 1, link: null, usedLink: null }),
  'credentials.useTotpStep': ({ credentials }) => credentials.useTotpStep('acme', 'i-1', 2),
  'credentials.reseal': ({ credentials }) => credentials.reseal('l', () => 'v1.l.s'),
  'credentials.addPasskey': ({ credentials }) =>
    credentials.addPasskey(actIn('acme'), 'i-1', { passkey: passkey('pk-1'), link: null, usedLink: null }),
  'credentials.usePasskey': ({ credentials }) => credentials.usePasskey('acme', 'pk-1', { counter: 1, time: NOW }),
  'credentials.setRecoveryCodes': ({ credentials }) =>
    credentials.setRecoveryCodes(actIn('acme'), 'i-1', { hashes: ['r-1'], link: null, usedLink: null }),
  'credentials.useRecoveryCode': ({ credentials }) => credentials.useRecoveryCode('acme', 'i-1', 'r-1'),
  'credentials.findByUsername': ({ credentials }) => credentials.findByUsername('acme', 'I-1-UID'),
  'credentials.findIdentity': ({ credentials }) => credentials.findIdentity('acme', 'i-1'),
  'credentials.findByPasskey': ({ credentials }) => credentials.findByPasskey('acme', 'pk-1'),
  'credentials.removeOne': async ({ credentials }) => {
    const removal = { decide: ok, guard: NEVER, endsSessions: true };
    for (const type of ['PASSWORD', 'TOTP', 'RECOVERY_CODES'] as const)
      await credentials.removeOne(actIn('acme'), 'i-1', { ...removal, credential: { type } });
    const credential = { type: 'PASSKEY', id: 'pk-1' } as const;
    await credentials.removeOne(actIn('acme'), 'i-1', { ...removal, credential });
  },
  'pendingSignIns.create': ({ pendingSignIns }) => pendingSignIns.create('acme', 'p-1', { ...pending, nowMs: NOW_MS }),
  'pendingSignIns.find': ({ pendingSignIns }) => pendingSignIns.find('acme', 'p-1', NOW_MS),
  'pendingSignIns.update': ({ pendingSignIns }) =>
    pendingSignIns.update('acme', 'p-1', { before: '{}', after: pending, nowMs: NOW_MS }),
  'pendingSignIns.take': ({ pendingSignIns }) => pendingSignIns.take('acme', 'p-1', NOW_MS),
  'signInFailures.record': async ({ signInFailures }) => {
    const failed = failureOf({ userAttempts: 1, addressAttempts: 1, durationMs: 1 });
    await signInFailures.record(actIn('acme'), failed, locked);
    await signInFailures.record(actIn('acme'), { ...failed, nowMs: LATER_MS }, locked);
  },
  'signInFailures.recordBlock': ({ signInFailures }) => signInFailures.recordBlock(actIn('acme'), 'i-1', locked()),
  'signInFailures.readLocks': ({ signInFailures }) =>
    signInFailures.readLocks('acme', { identityId: 'i-1', address: '192.0.2.1', nowMs: NOW_MS }),
  'signInFailures.readUser': ({ signInFailures }) =>
    signInFailures.readUser('acme', { identityId: 'i-1', nowMs: NOW_MS, windowMs: 1 }),
  'signInFailures.unlock': ({ signInFailures }) => signInFailures.unlock(actIn('acme'), 'i-1', ok),
  'sessions.create': async ({ sessions }) => {
    for (let number = 0; number <= 101; number++) await sessions.create(actIn('acme'), newSession(`s-${number}`));
  },
  'sessions.find': async ({ sessions }) => sessions.find('acme', 'hash of s-1'),
  'sessions.findLatest': ({ sessions }) => sessions.findLatest('acme', 'hash of s-1'),
  'sessions.touch': ({ sessions }) =>
    sessions.touch('acme', 'hash of s-1', { activeMs: LATER_MS, idleExpiresMs: LATER_MS + 900_000 }),
  'sessions.prove': ({ sessions }) => sessions.prove('acme', 'hash of s-1', { provenMs: LATER_MS, factors: ['TOTP'] }),
  'sessions.list': ({ sessions }) => sessions.list('acme', { ...ALL_SESSIONS, identityId: 'i-1' }, PAGE),
  'sessions.count': ({ sessions }) => sessions.count('acme', ALL_SESSIONS),
  'sessions.findOwner': ({ sessions }) => sessions.findOwner('acme', 's-1'),
  'sessions.end': ({ sessions }) => sessions.end(actIn('acme'), 's-1'),
  'signInPopulation.readView': ({ signInPopulation }) => signInPopulation.readView('acme'),
  'signInPopulation.readPart': ({ signInPopulation }) => signInPopulation.readPart('acme', ''),
  'signInExpiry.removeExpired': async (store) => {
    const ended = { identityId: 'i-1', createdMs: 0, idleExpiresMs: 0 };
    await store.sessions.create(actIn('acme'), newSession('idle', ended));
    await store.sessions.create(actIn('acme'), newSession('old', { ...ended, expiresMs: 0 }));
    await store.pendingSignIns.create('acme', 'p-old', { ...pending, expiresMs: 0, nowMs: -1 });
    await store.signInLinks.create(actIn('acme'), { identityId: 'i-1', link: { hash: 'link-old', expiresMs: 0 } }, ok);
    await store.signInFailures.record(actIn('acme'), failureOf({ nowMs: -600_000 }));
    return store.signInExpiry.removeExpired(0);
  },
  'credentials.removeAll': async (store) => {
    await store.credentials.removeAll(actIn('acme'), 'i-1', { decide: ok, guard: NEVER });
    // Reaches the statement that ends the sessions of blocked identities.
    await store.authProfiles.change(actIn('acme'), 'ip', { decide: (profile) => ok({ ...profile, type: 'BLOCK' }) });
    return store.authProfiles.change(actIn('acme'), 'ip', { decide: (profile) => ok({ ...profile, type: 'NON_PTA' }) });
  },
};
