import type { SecretCipher, Store } from '@access-admin/store';
import type { DenialLog } from '../audit/coalesce-denials.ts';
import { type AuthenticatorApp, createAuthenticatorApp } from '../credentials/authenticator-app.ts';
import { createPasskeys, type Passkeys } from '../credentials/passkeys.ts';
import type { Passwords } from '../credentials/passwords.ts';
import { createRecoveryCodes, type RecoveryCodes } from '../credentials/recovery-codes.ts';
import type { ClientAddress } from '../http/client-address.ts';
import { createCookies } from '../http/cookies.ts';
import type { System } from '../process/system.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { DecideSignIn } from '../sign-in/decide.ts';
import type { Directories } from '../sign-in/directories.ts';
import type { GuardOf } from '../sign-in/guard.ts';
import type { OriginOf } from '../sign-in/origin.ts';
import type { Providers } from '../sign-in/providers.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { type AtAnswerStep, createAtAnswerStep } from './answer-steps.ts';
import { type BrowserSessions, type CompleteSignIn, createBrowserSessions } from './browser-sessions.ts';
import { createDecide, type Decide } from './decide.ts';
import { createEnrolFactor, type EnrolFactor } from './enrol.ts';
import { createSignInJournal, type SignInJournal } from './journal.ts';
import { createLimitLogin, type LimitLogin } from './limit-login.ts';
import { createPendingSignIns, type PendingSignIns } from './pending.ts';
import { createProveFactor, type ProveFactor } from './prove-factor.ts';

/** What the steps of a sign-in are made of. */
export interface SignInParts {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly denials: Pick<DenialLog, 'record'>;
  readonly passwords: Passwords;
  readonly directories: Directories;
  readonly providers: Providers;
  /** Null where the operator has given no key. */
  readonly cipher: SecretCipher | null;
  readonly baseAddress: string;
  readonly decideSignIn: DecideSignIn;
  readonly guardOf: GuardOf;
  readonly originOf: OriginOf;
  readonly addressOf: ClientAddress;
  /** Whether attempts to log in are limited by number. */
  readonly limitsLogins: boolean;
  readonly metrics: Pick<Metrics, 'countFailedSignIn'>;
  readonly system: System;
}

/** What the pages of sign-in and of the account use. */
export interface SignInSteps extends Pick<Store, 'credentials' | 'signInLinks' | 'sessions'> {
  readonly baseAddress: string;
  readonly passwords: Passwords;
  /** The address by which attempts are counted. */
  readonly addressOf: ClientAddress;
  readonly directories: Directories;
  readonly providers: Providers;
  readonly limitLogin: LimitLogin;
  readonly guardOf: GuardOf;
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
  readonly now: () => Date;
}

export function createSignInSteps(parts: SignInParts): SignInSteps {
  const { store, passwords, baseAddress, originOf, addressOf } = parts;
  const { credentials, sessions, signInSettings, signInLinks } = store;
  const { now, newBytes, newSecret, elapsed, wait } = parts.system;
  const authenticatorApp = createAuthenticatorApp({ cipher: parts.cipher, credentials, now, newBytes });
  const recoveryCodes = createRecoveryCodes({ credentials, newBytes });
  const passkeys = createPasskeys({ credentials, now });
  const pending = createPendingSignIns({
    pendingSignIns: store.pendingSignIns,
    cookies: createCookies(baseAddress),
    now,
    newSecret,
  });
  const browserSessions = createBrowserSessions({ liveSessions: parts.sessions, sessions, signInSettings, now });
  return {
    credentials,
    signInLinks,
    sessions,
    baseAddress,
    passwords,
    addressOf,
    directories: parts.directories,
    providers: parts.providers,
    limitLogin: createLimitLogin(addressOf, parts.limitsLogins),
    guardOf: parts.guardOf,
    decide: createDecide(parts.decideSignIn, originOf, now),
    journal: createSignInJournal({
      signInFailures: store.signInFailures,
      denials: parts.denials,
      signInSettings,
      addressOf,
      metrics: parts.metrics,
      now,
    }),
    pending,
    browserSessions,
    authenticatorApp,
    recoveryCodes,
    passkeys,
    prove: createProveFactor({ passwords, addressOf, authenticatorApp, recoveryCodes, passkeys }),
    enrol: createEnrolFactor({ credentials, now }),
    complete: browserSessions.begin,
    atAnswerStep: createAtAnswerStep(elapsed, wait),
    now,
  };
}
