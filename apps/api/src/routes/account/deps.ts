import { type AuditContext, OWN_ACCOUNT, PROOF_MS, type SignInDecision } from '@access-admin/domain';
import {
  type CredentialStore,
  RightsLost,
  type SessionStore,
  type SignInIdentity,
  type StoredSession,
} from '@access-admin/store';
import type { AuthenticatorApp } from '../../credentials/authenticator-app.ts';
import type { Passkeys } from '../../credentials/passkeys.ts';
import type { Passwords } from '../../credentials/passwords.ts';
import type { RecoveryCodes } from '../../credentials/recovery-codes.ts';
import type { ClientAddress } from '../../http/client-address.ts';
import type { LiveSession } from '../../sessions/sessions.ts';
import type { GuardOf } from '../../sign-in/guard.ts';
import type { PageContext } from '../../sign-in/pages/context.ts';
import { redirectTo } from '../../sign-in/pages/layout.tsx';
import type { AtAnswerStep } from '../../sign-in-steps/answer-steps.ts';
import type { BrowserSessions } from '../../sign-in-steps/browser-sessions.ts';
import type { Decide } from '../../sign-in-steps/decide.ts';
import { selfContext } from '../../sign-in-steps/enrol.ts';
import type { SignInJournal } from '../../sign-in-steps/journal.ts';
import type { PendingSignIns } from '../../sign-in-steps/pending.ts';
import type { ProveFactor } from '../../sign-in-steps/prove-factor.ts';

export interface AccountDeps {
  readonly credentials: CredentialStore;
  readonly sessions: Pick<SessionStore, 'end'>;
  readonly browserSessions: BrowserSessions;
  readonly decide: Decide;
  readonly guardOf: GuardOf;
  readonly journal: SignInJournal;
  readonly pending: PendingSignIns;
  readonly prove: ProveFactor;
  readonly passwords: Passwords;
  readonly addressOf: ClientAddress;
  readonly passkeys: Passkeys;
  readonly authenticatorApp: AuthenticatorApp;
  readonly recoveryCodes: RecoveryCodes;
  readonly atAnswerStep: AtAnswerStep;
  /** The path of the console; null where there is none for the holder of a session. */
  readonly consolePathOf: (live: LiveSession) => string | null;
  readonly now: () => Date;
}

/** The holder of a session. */
export interface Holder {
  readonly live: LiveSession;
  readonly session: StoredSession;
  readonly identity: SignInIdentity;
  /** Whether a factor was proven within the last minutes. */
  readonly mayChange: boolean;
}

/** Handles a request of a signed-in identity; any other is led to the sign-in page. */
export async function withHolder(
  c: PageContext,
  deps: AccountDeps,
  handle: (holder: Holder) => Promise<Response>,
): Promise<Response> {
  const live = await deps.browserSessions.find(c);
  const session = live?.session ?? null;
  const identity = session === null ? null : await deps.credentials.findIdentity(c.get('tenant'), session.identityId);
  const toSignIn = () => redirectTo(c, '/login?to=/account');
  if (live === null || session === null || identity === null) return toSignIn();
  try {
    return await handle({ live, session, identity, mayChange: deps.now().getTime() - session.provenMs < PROOF_MS });
  } catch (error) {
    if (error instanceof RightsLost) return toSignIn();
    throw error;
  }
}

/** The same for a change, which needs a recent proof of a factor. */
export const withProof = (
  c: PageContext,
  deps: AccountDeps,
  handle: (holder: Holder) => Promise<Response>,
): Promise<Response> =>
  withHolder(c, deps, async (holder) => (holder.mayChange ? handle(holder) : redirectTo(c, '/account/confirm')));

/** The audit context of a change by the holder of a session. */
export const holderContext = (
  c: PageContext,
  { session, live }: Holder,
  by: { operation: string; now: Date },
): AuditContext => ({
  ...selfContext(c, { clientId: live.caller.clientId, identityId: session.identityId, ...by }),
  authorization: { rights: OWN_ACCOUNT, caller: live.caller, targetIdentityId: session.identityId },
});

/** Whether the decision lets the identity in with a password of this service. */
export const usesOwnPassword = ({ verifiedBy }: SignInDecision): boolean => verifiedBy === 'PASSWORD';
