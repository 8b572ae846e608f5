import { foldUid, normalizePassword, type SignInDecision } from '@access-admin/domain';
import type { SignInIdentity } from '@access-admin/store';
import { Hono } from 'hono';
import type { PageEnv } from '../env.ts';
import type { DirectoryAnswer } from './factors/directory.ts';
import { noCeremony, offersPasskeys, placeOf, provePasskey } from './factors/passkey.ts';
import { advance } from './flow.ts';
import { page } from './mount.ts';
import type { PageContext } from './pages/context.ts';
import { refusePage } from './pages/error-page.tsx';
import { redirectTo } from './pages/layout.tsx';
import { ownPath } from './pages/own-path.ts';
import { textOf } from './pages/speech.ts';
import { SIGN_IN_TEXTS } from './pages/texts.ts';
import { admit, afterFirstFactor, failedLogin, follow, showLogin, USERNAME_LENGTH_MAX } from './steps.ts';

/** Signs in with a password of this service or of a directory, or with a passkey alone. */
export const login = () =>
  new Hono<PageEnv>()
    .get('/login', ...page('show-login'), async (c) => {
      const to = ownPath(c.req.query('to'));
      if ((await c.env.services.sessions.find(c)) !== null) return redirectTo(c, to);
      return showLogin(c, to, { signedOut: c.req.query('signed-out') !== undefined });
    })
    .post('/login', ...page('log-in'), async (c) => {
      const { limitLogin, atAnswerStep } = c.env.services.signIn;
      const to = ownPath(c.get('form')('to'));
      const refused = limitLogin(c);
      if (refused !== null) return refusePage(c, refused, { text: textOf(c, SIGN_IN_TEXTS, 'attempts.many') });
      const proven = await atAnswerStep(() => verifyPassword(c));
      return proven === null ? failedLogin(c, to) : afterFirstFactor(c, { ...proven, to });
    })
    .post('/login/passkey/options', ...page('passkey-options'), async (c) => {
      const { passkeys, pending } = c.env.services.signIn;
      if (!offersPasskeys(c)) return noCeremony(c);
      const options = await passkeys.createAuthentication(placeOf(c), null);
      const begun = await pending.begin(c, null, { step: 'PASSKEY', challenge: options.challenge });
      return begun === null ? noCeremony(c) : c.json(options);
    })
    // Failures do not count for locks.
    .post('/login/passkey', ...page('log-in-with-passkey'), async (c) => {
      const to = ownPath(c.get('form')('to'));
      return (await loginByPasskey(c, to)) ?? failedLogin(c, to);
    });

interface ProvenPassword {
  readonly identity: SignInIdentity;
  readonly decision: SignInDecision;
}

/** Verifies a username and a password. Attempts of one user are settled one by one, so that each sees the failures before it. */
async function verifyPassword(c: PageContext): Promise<ProvenPassword | null> {
  const { store, clientAddress, signIn } = c.env.services;
  const { journal, passwords, inTurn } = signIn;
  // A sign-in from a locked address is always refused, so its password is not hashed.
  if (await journal.isAddressLocked(c)) {
    await journal.failed(c, null);
    return null;
  }
  const tenant = c.get('tenant');
  const username = c.get('form')('username');
  const isPlausible = username !== '' && username.length <= USERNAME_LENGTH_MAX;
  const identity = isPlausible ? await store.credentials.findByUsername(tenant, username) : null;
  const typed = { password: c.get('form')('password'), address: clientAddress(c) };
  const isRight = await passwords.verify(typed, identity?.password?.hash ?? null);
  // Attempts of an unknown user take turns too: otherwise many at once would be answered sooner than those of a known one.
  if (identity === null)
    return inTurn(`${tenant} ?${foldUid(username)}`, async () => {
      await journal.failed(c, null);
      return null;
    });
  // A directory is asked outside of the turn: one that is slow would hold up all attempts of the user.
  const verified = (await askDirectory(c, identity)) ?? (isRight ? 'RIGHT' : 'WRONG');
  return inTurn(`${tenant} ${identity.id}`, () => settle(c, identity, verified));
}

async function settle(
  c: PageContext,
  identity: SignInIdentity,
  verified: DirectoryAnswer,
): Promise<ProvenPassword | null> {
  const decision = await admit(c, identity);
  if (decision === null) return null;
  if (verified === 'WRONG') await c.env.services.signIn.journal.failed(c, identity);
  // A directory that does not answer makes no failure of its user.
  if (verified !== 'RIGHT') return null;
  if (decision.verifiedBy === 'PASSWORD') await renewHash(c, identity);
  return { identity, decision };
}

/**
 * Asks the directory of the identity's auth profile, with the username as it is stored; null where a password of ours counts.
 * No directory is asked where the decision blocks the user.
 */
async function askDirectory(c: PageContext, identity: SignInIdentity): Promise<DirectoryAnswer | null> {
  const { decide, signIn } = c.env.services;
  if (identity.authProfile?.type !== 'PTA') return null;
  if ((await decide(identity, c.get('source'))).decision === 'BLOCK') return 'WRONG';
  const { applicationId } = identity.authProfile;
  const typed = { username: identity.uid, password: c.get('form')('password') };
  return signIn.directories.verify({ tenant: c.get('tenant'), applicationId, ...typed });
}

/** A hash of older parameters is replaced while its password is known. */
async function renewHash(c: PageContext, { id, password }: SignInIdentity): Promise<void> {
  const { store, clientAddress, signIn } = c.env.services;
  if (password === null || !signIn.passwords.isOutdated(password.hash)) return;
  const typed = { password: normalizePassword(c.get('form')('password')) ?? '', address: clientAddress(c) };
  const to = await signIn.passwords.hash(typed);
  await store.credentials.rehashPassword(c.get('tenant'), id, { from: password.hash, to });
}

async function loginByPasskey(c: PageContext, to: string): Promise<Response | null> {
  const { decide, signIn } = c.env.services;
  const pending = await signIn.pending.find(c, 'PASSKEY');
  // A challenge is answered once.
  if (pending === null || !offersPasskeys(c) || !(await signIn.pending.take(c, pending))) return null;
  const proven = await provePasskey(c, pending.state.challenge);
  if (proven === null) return null;
  const { identity } = proven;
  const decision = await decide(identity, c.get('source'));
  if (decision.decision === 'BLOCK') await signIn.journal.blocked(c, identity, decision.reasons);
  return follow(c, advance(pending, { type: 'PASSKEY_PROVEN', ...proven, decision, to }));
}
