import type { SecretCipher, Store } from '@access-admin/store';
import type { DenialLog } from '../audit/coalesce-denials.ts';
import { type AuthenticatorApp, createAuthenticatorApp } from '../credentials/authenticator-app.ts';
import { createPasskeys, type Passkeys } from '../credentials/passkeys.ts';
import type { Passwords } from '../credentials/passwords.ts';
import { createRecoveryCodes, type RecoveryCodes } from '../credentials/recovery-codes.ts';
import type { ClientAddress } from '../http/client-address.ts';
import { createCookies } from '../http/cookies.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { DecideSignIn } from '../sign-in/decide.ts';
import type { Directories } from '../sign-in/directories.ts';
import type { GuardOf } from '../sign-in/guard.ts';
import type { OriginOf } from '../sign-in/origin.ts';
import type { Providers } from '../sign-in/providers.ts';
import { type AtAnswerStep, createAtAnswerStep } from './answer-steps.ts';
import { type BrowserSessions, createBrowserSessions } from './browser-sessions.ts';
import { type CompleteSignIn, createCompleteSignIn } from './complete.ts';
import { createDecide, type Decide } from './decide.ts';
import { createEnrolFactor, type EnrolFactor } from './enrol.ts';
import { createSignInJournal, type SignInJournal } from './journal.ts';
import { createPendingSignIns, type PendingSignIns } from './pending.ts';
import { createProveFactor, type ProveFactor } from './prove-factor.ts';

export interface SignInStepsDeps {
  readonly store: Store;
  readonly liveSessions: Sessions;
  readonly denials: Pick<DenialLog, 'record'>;
  readonly passwords: Passwords;
  readonly directories: Directories;
  readonly providers: Providers;
  readonly cipher: SecretCipher | null;
  readonly baseAddress: string;
  readonly decideSignIn: DecideSignIn;
  readonly guardOf: GuardOf;
  readonly originOf: OriginOf;
  readonly addressOf: ClientAddress;
  readonly now: () => Date;
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
  readonly wait: (ms: number) => Promise<void>;
  readonly newId: () => string;
  readonly newSecret: () => string;
  readonly newBytes: (count: number) => Uint8Array;
}

/** What the pages of sign-in and of the account are made of. */
export interface SignInSteps
  extends Pick<SignInStepsDeps, 'passwords' | 'directories' | 'providers' | 'guardOf' | 'baseAddress' | 'now'>,
    Pick<Store, 'credentials' | 'signInLinks' | 'sessions'> {
  readonly decide: Decide;
  readonly journal: SignInJournal;
  readonly pending: PendingSignIns;
  readonly browserSessions: BrowserSessions;
  readonly authenticatorApp: AuthenticatorApp;
  readonly recoveryCodes: RecoveryCodes;
  readonly passkeys: Passkeys;
  readonly prove: ProveFactor;
  readonly enrol: EnrolFactor;
  readonly complete: CompleteSignIn;
  readonly atAnswerStep: AtAnswerStep;
}

export function createSignInSteps({ store, ...deps }: SignInStepsDeps): SignInSteps {
  const { credentials } = store;
  const own = { ...deps, ...store, cookies: createCookies(deps.baseAddress) };
  const decide = createDecide(deps.decideSignIn, deps.originOf, deps.now);
  const authenticatorApp = createAuthenticatorApp({ ...deps, credentials });
  const recoveryCodes = createRecoveryCodes({ ...deps, credentials });
  const passkeys = createPasskeys({ ...deps, credentials });
  const { passwords } = deps;
  const pending = createPendingSignIns(own);
  const browserSessions = createBrowserSessions(own);
  return {
    ...own,
    decide,
    journal: createSignInJournal(own),
    pending,
    browserSessions,
    authenticatorApp,
    recoveryCodes,
    passkeys,
    prove: createProveFactor({ passwords, authenticatorApp, recoveryCodes, passkeys }),
    enrol: createEnrolFactor(own),
    complete: createCompleteSignIn(browserSessions, pending),
    atAnswerStep: createAtAnswerStep(deps.elapsed, deps.wait),
  };
}
