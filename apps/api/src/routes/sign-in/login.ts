import { foldUid, normalizePassword, type SignInDecision } from '@access-admin/domain';
import type { CredentialStore, SignInIdentity } from '@access-admin/store';
import type { Passkeys } from '../../credentials/passkeys.ts';
import type { Passwords } from '../../credentials/passwords.ts';
import type { ClientAddress } from '../../http/client-address.ts';
import type { Directories } from '../../sign-in/directories.ts';
import type { DirectoryAnswer } from '../../sign-in/directory.ts';
import type { PageContext, PageHandler } from '../../sign-in/pages/context.ts';
import { refusePage } from '../../sign-in/pages/error-page.tsx';
import { redirectTo, renderPage } from '../../sign-in/pages/layout.tsx';
import { loginPage } from '../../sign-in/pages/login.tsx';
import { ownPath } from '../../sign-in/pages/own-path.ts';
import { textOf } from '../../sign-in/pages/speech.ts';
import { SIGN_IN_TEXTS } from '../../sign-in/pages/texts.ts';
import type { Providers } from '../../sign-in/providers.ts';
import type { AtAnswerStep } from '../../sign-in-steps/answer-steps.ts';
import type { BrowserSessions, CompleteSignIn } from '../../sign-in-steps/browser-sessions.ts';
import type { Decide } from '../../sign-in-steps/decide.ts';
import type { SignInJournal } from '../../sign-in-steps/journal.ts';
import type { LimitLogin } from '../../sign-in-steps/limit-login.ts';
import { offersPasskeys } from '../../sign-in-steps/passkey-ceremony.ts';
import type { PendingSignIns } from '../../sign-in-steps/pending.ts';
import { admit, proceedAfterFirstFactor } from './first-factor.ts';

export interface LoginDeps {
  readonly credentials: Pick<CredentialStore, 'findByUsername' | 'rehashPassword'>;
  readonly passwords: Passwords;
  readonly addressOf: ClientAddress;
  readonly limitLogin: LimitLogin;
  readonly passkeys: Pick<Passkeys, 'isAvailable'>;
  readonly directories: Directories;
  readonly providers: Pick<Providers, 'list'>;
  readonly decide: Decide;
  readonly journal: SignInJournal;
  readonly pending: PendingSignIns;
  readonly complete: CompleteSignIn;
  readonly atAnswerStep: AtAnswerStep;
  readonly browserSessions: Pick<BrowserSessions, 'find'>;
}

const USERNAME_LENGTH_MAX = 256;

/** GET /login */
export const showLogin =
  (deps: Pick<LoginDeps, 'browserSessions' | 'passkeys' | 'providers'>): PageHandler =>
  async (c) => {
    const to = ownPath(c.req.query('to'));
    if ((await deps.browserSessions.find(c)) !== null) return redirectTo(c, to);
    const view = { ...viewOf(c, to, deps), signedOut: c.req.query('signed-out') !== undefined };
    return renderPage(c, loginPage(view, c.get('speech')));
  };

/** POST /login */
export const postLogin = (deps: LoginDeps): PageHandler => {
  const inTurn = createTurns();
  return async (c) => {
    const to = ownPath(c.get('form')('to'));
    const refused = await deps.limitLogin(c);
    if (refused !== null) return refusePage(c, refused, { text: textOf(c, SIGN_IN_TEXTS, 'attempts.many') });
    const proven = await deps.atAnswerStep(() => verifyPassword(c, deps, inTurn));
    if (proven === null) return failedLogin(c, to, deps);
    return (await proceedAfterFirstFactor(c, { ...proven, to }, deps)) ?? failedLogin(c, to, deps);
  };
};

type InTurn = <T>(key: string, run: () => Promise<T>) => Promise<T>;

/** Runs what has the same key one after the other, in order of calls. */
function createTurns(): InTurn {
  const latest = new Map<string, Promise<unknown>>();
  return async (key, run) => {
    const running = (latest.get(key) ?? Promise.resolve()).then(run, run);
    latest.set(key, running);
    try {
      return await running;
    } finally {
      if (latest.get(key) === running) latest.delete(key);
    }
  };
}

/** The same page after every failure. */
export const failedLogin = (
  c: PageContext,
  to: string,
  deps: Pick<LoginDeps, 'passkeys' | 'providers'>,
): Response | Promise<Response> => {
  // Long ones are no names, and the page of a passkey has no field for one.
  const username = c.get('form')('username').slice(0, USERNAME_LENGTH_MAX);
  return renderPage(c, loginPage({ ...viewOf(c, to, deps), failed: true, username }, c.get('speech')));
};

const viewOf = (c: PageContext, to: string, deps: Pick<LoginDeps, 'passkeys' | 'providers'>) => ({
  metadata: c.get('metadata'),
  offersPasskeys: offersPasskeys(c, deps),
  applications: c.get('isFramed') ? [] : deps.providers.list(c.get('tenant')),
  to,
});

interface ProvenPassword {
  readonly identity: SignInIdentity;
  readonly decision: SignInDecision;
}

/** Verifies a username and a password. Attempts of one user are settled one by one, so that each sees the failures before it. */
async function verifyPassword(c: PageContext, deps: LoginDeps, inTurn: InTurn): Promise<ProvenPassword | null> {
  const { credentials, passwords, journal } = deps;
  // A sign-in from a locked address is always refused, so its password is not hashed.
  if (await journal.isAddressLocked(c)) {
    await journal.failed(c, null);
    return null;
  }
  const username = c.get('form')('username');
  const isPlausible = username !== '' && username.length <= USERNAME_LENGTH_MAX;
  const identity = isPlausible ? await credentials.findByUsername(c.get('tenant'), username) : null;
  const typed = { password: c.get('form')('password'), address: deps.addressOf(c) };
  const isRight = await passwords.verify(typed, identity?.password?.hash ?? null);
  // Attempts of an unknown user take turns too: otherwise many at once would be answered sooner than those of a known one.
  if (identity === null)
    return inTurn(`${c.get('tenant')} ?${foldUid(username)}`, async () => {
      await journal.failed(c, null);
      return null;
    });
  // A directory is asked outside of the turn: one that is slow would hold up all attempts of the user.
  const directory = await askDirectory(c, identity, deps);
  const verified = directory ?? (isRight ? 'RIGHT' : 'WRONG');
  return inTurn(`${c.get('tenant')} ${identity.id}`, () => settle(c, { identity, verified }, deps));
}

async function settle(
  c: PageContext,
  { identity, verified }: { readonly identity: SignInIdentity; readonly verified: DirectoryAnswer },
  deps: LoginDeps,
): Promise<ProvenPassword | null> {
  const decision = await admit(c, identity, deps);
  if (decision === null) return null;
  if (verified === 'WRONG') await deps.journal.failed(c, identity);
  // A directory that does not answer makes no failure of its user.
  if (verified !== 'RIGHT') return null;
  if (decision.verifiedBy === 'PASSWORD') await renewHash(c, identity, deps);
  return { identity, decision };
}

/**
 * Asks the directory of the identity's auth profile, with the username as it is stored; null where a password of ours counts.
 * No directory is asked where the decision blocks the user.
 */
async function askDirectory(
  c: PageContext,
  identity: SignInIdentity,
  { decide, directories }: LoginDeps,
): Promise<DirectoryAnswer | null> {
  if (identity.authProfile?.type !== 'PTA') return null;
  if ((await decide(c, identity)).decision === 'BLOCK') return 'WRONG';
  const { applicationId } = identity.authProfile;
  const typed = { username: identity.uid, password: c.get('form')('password') };
  return directories.verify({ tenant: c.get('tenant'), applicationId, ...typed });
}

/** A hash of older parameters is replaced while its password is known. */
async function renewHash(
  c: PageContext,
  { id, password }: SignInIdentity,
  { credentials, passwords, addressOf }: LoginDeps,
): Promise<void> {
  if (password === null || !passwords.isOutdated(password.hash)) return;
  const typed = { password: normalizePassword(c.get('form')('password')) ?? '', address: addressOf(c) };
  const to = await passwords.hash(typed);
  await credentials.rehashPassword(c.get('tenant'), id, { from: password.hash, to });
}
