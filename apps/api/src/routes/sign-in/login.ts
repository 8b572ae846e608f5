import { foldUid, normalizePassword, type SignInDecision } from '@access-admin/domain';
import type { CredentialStore, SignInIdentity } from '@access-admin/store';
import type { Passkeys } from '../../credentials/passkeys.ts';
import type { Passwords } from '../../credentials/passwords.ts';
import { redirectTo } from '../../pages/layout.ts';
import type { PageAnswer, PageHandler, PageRequest } from '../../pages/mount.ts';
import { ownPath } from '../../pages/own-path.ts';
import type { Directories } from '../../sign-in/directories.ts';
import type { DirectoryAnswer } from '../../sign-in/directory.ts';
import type { Providers } from '../../sign-in/providers.ts';
import type { AtAnswerStep } from '../../sign-in-steps/answer-steps.ts';
import type { BrowserSessions } from '../../sign-in-steps/browser-sessions.ts';
import type { CompleteSignIn } from '../../sign-in-steps/complete.ts';
import type { Decide } from '../../sign-in-steps/decide.ts';
import type { SignInJournal } from '../../sign-in-steps/journal.ts';
import { offersPasskeys } from '../../sign-in-steps/passkey-ceremony.ts';
import type { PendingSignIns } from '../../sign-in-steps/pending.ts';
import { admit, proceedAfterFirstFactor } from './first-factor.ts';
import { loginPage } from './login-page.ts';

export interface LoginDeps {
  readonly credentials: Pick<CredentialStore, 'findByUsername' | 'rehashPassword'>;
  readonly passwords: Passwords;
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
  async (request) => {
    const to = ownPath(request.query.get('to'));
    if ((await deps.browserSessions.find(request)) !== null) return redirectTo(to);
    return loginPage({ ...viewOf(request, to, deps), signedOut: request.query.has('signed-out') });
  };

/** POST /login */
export const postLogin = (deps: LoginDeps): PageHandler => {
  const inTurn = createTurns();
  return async (request) => {
    const to = ownPath(request.form('to'));
    const proven = await deps.atAnswerStep(() => verifyPassword(request, deps, inTurn));
    if (proven === null) return failedLogin(request, to, deps);
    return (await proceedAfterFirstFactor(request, { ...proven, to }, deps)) ?? failedLogin(request, to, deps);
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
  request: PageRequest,
  to: string,
  deps: Pick<LoginDeps, 'passkeys' | 'providers'>,
): PageAnswer => loginPage({ ...viewOf(request, to, deps), failed: true });

const viewOf = (request: PageRequest, to: string, deps: Pick<LoginDeps, 'passkeys' | 'providers'>) => ({
  metadata: request.metadata,
  offersPasskeys: offersPasskeys(request, deps),
  applications: request.isFramed ? [] : deps.providers.list(request.tenant),
  to,
});

interface ProvenPassword {
  readonly identity: SignInIdentity;
  readonly decision: SignInDecision;
}

/** Verifies a username and a password. Attempts of one user are settled one by one, so that each sees the failures before it. */
async function verifyPassword(request: PageRequest, deps: LoginDeps, inTurn: InTurn): Promise<ProvenPassword | null> {
  const { credentials, passwords, journal } = deps;
  const username = request.form('username');
  const isPlausible = username !== '' && username.length <= USERNAME_LENGTH_MAX;
  const identity = isPlausible ? await credentials.findByUsername(request.tenant, username) : null;
  const isRight = await passwords.verify(request.form('password'), identity?.password?.hash ?? null);
  // Attempts of an unknown user take turns too: otherwise many at once would be answered sooner than those of a known one.
  if (identity === null)
    return inTurn(`${request.tenant} ?${foldUid(username)}`, async () => {
      await journal.failed(request, null);
      return null;
    });
  // A directory is asked outside of the turn: one that is slow would hold up all attempts of the user.
  const directory = await askDirectory(request, identity, deps);
  const verified = directory ?? (isRight ? 'RIGHT' : 'WRONG');
  return inTurn(`${request.tenant} ${identity.id}`, () => settle(request, { identity, verified }, deps));
}

async function settle(
  request: PageRequest,
  { identity, verified }: { readonly identity: SignInIdentity; readonly verified: DirectoryAnswer },
  deps: LoginDeps,
): Promise<ProvenPassword | null> {
  const decision = await admit(request, identity, deps);
  if (decision === null) return null;
  if (verified === 'WRONG') await deps.journal.failed(request, identity);
  // A directory that does not answer makes no failure of its user.
  if (verified !== 'RIGHT') return null;
  if (decision.verifiedBy === 'PASSWORD') await renewHash(request, identity, deps);
  return { identity, decision };
}

/**
 * Asks the directory of the identity's auth profile, with the username as it is stored; null where a password of ours counts.
 * No directory is asked where the decision blocks the user.
 */
async function askDirectory(
  request: PageRequest,
  identity: SignInIdentity,
  { decide, directories }: LoginDeps,
): Promise<DirectoryAnswer | null> {
  if (identity.authProfile?.type !== 'PTA') return null;
  if ((await decide(request, identity)).decision === 'BLOCK') return 'WRONG';
  const { applicationId } = identity.authProfile;
  const typed = { username: identity.uid, password: request.form('password') };
  return directories.verify({ tenant: request.tenant, applicationId, ...typed });
}

/** A hash of older parameters is replaced while its password is known. */
async function renewHash(
  { tenant, form }: PageRequest,
  { id, password }: SignInIdentity,
  { credentials, passwords }: LoginDeps,
): Promise<void> {
  if (password === null || !passwords.isOutdated(password.hash)) return;
  const to = await passwords.hash(normalizePassword(form('password')) ?? '');
  await credentials.rehashPassword(tenant, id, { from: password.hash, to });
}
