import type { SecretCipher, Store } from '@access-admin/store';
import type { DenialLog } from '../audit/denial-log.ts';
import type { AppConfig } from '../config.ts';
import type { ClientAddress } from '../http/client-address.ts';
import { createCookies } from '../http/cookies.ts';
import { type CountRequest, createRequestCounter } from '../middleware/limit-rate.ts';
import type { System } from '../process/system.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { RequestLog } from '../telemetry/request-log.ts';
import { type AtAnswerStep, createAtAnswerStep } from './answer-steps.ts';
import { createDirectories, type Directories } from './factors/directory.ts';
import { createPasskeys, type Passkeys } from './factors/passkey.ts';
import { createPasswords, type Passwords } from './factors/password.ts';
import type { PasswordThreads } from './factors/password-threads.ts';
import { createProviders, type Providers } from './factors/provider.ts';
import { createRecoveryCodes, type RecoveryCodes } from './factors/recovery.ts';
import { type AuthenticatorApp, createAuthenticatorApp } from './factors/totp.ts';
import { createSignInJournal, type SignInJournal } from './journal.ts';
import { createLimitLogin, type LimitLogin } from './limit-login.ts';
import { createPendingSignIns, type PendingSignIns } from './pending.ts';
import { createTurns, type InTurn } from './turns.ts';

interface SignInParts {
  readonly store: Store;
  readonly config: AppConfig;
  readonly system: System;
  /** Null where the operator has given no key. */
  readonly cipher: SecretCipher | null;
  readonly passwordThreads: Pick<PasswordThreads, 'run'>;
  readonly denials: Pick<DenialLog, 'record'>;
  readonly clientAddress: ClientAddress;
  readonly log: RequestLog;
  readonly metrics: Metrics;
}

/** What the pages of sign-in and of the account work with: `c.env.services.signIn`. */
export interface SignInServices {
  readonly passwords: Passwords;
  readonly totp: AuthenticatorApp;
  readonly recoveryCodes: RecoveryCodes;
  readonly passkeys: Passkeys;
  readonly directories: Directories;
  readonly providers: Providers;
  readonly pending: PendingSignIns;
  readonly journal: SignInJournal;
  readonly limitLogin: LimitLogin;
  readonly inTurn: InTurn;
  readonly atAnswerStep: AtAnswerStep;
  /** Counts the requests for pages of an address, apart from the requests of clients; null where limiting is off. */
  readonly countVisit: CountRequest | null;
}

export function createSignInServices({
  store,
  config,
  system,
  clientAddress,
  log,
  ...parts
}: SignInParts): SignInServices {
  const { credentials, signInSettings, signInFailures, pendingSignIns } = store;
  const { now, newBytes, newSecret, elapsed, wait } = system;
  const { signInApplications: applications, rateLimit } = config;
  const { denials, metrics } = parts;
  const onUnanswered = metrics.countUnansweredSignIns(applications);
  return {
    passwords: createPasswords({ threads: parts.passwordThreads, newBytes }),
    totp: createAuthenticatorApp({ cipher: parts.cipher, credentials, now, newBytes }),
    recoveryCodes: createRecoveryCodes({ credentials, newBytes }),
    passkeys: createPasskeys({ credentials, now }),
    directories: createDirectories({ applications, log, onUnanswered }),
    providers: createProviders({ applications, log, onUnanswered, now }),
    pending: createPendingSignIns({ pendingSignIns, cookies: createCookies(config.baseAddress), now, newSecret }),
    journal: createSignInJournal({ signInFailures, denials, signInSettings, clientAddress, metrics, now }),
    limitLogin: createLimitLogin(clientAddress, rateLimit !== null),
    inTurn: createTurns(),
    atAnswerStep: createAtAnswerStep(elapsed, wait),
    countVisit: createRequestCounter(rateLimit),
  };
}
