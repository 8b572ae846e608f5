import { type AuditContext, OWN_ACCOUNT, PROOF_MS, type SignInDecision } from '@access-admin/domain';
import { RightsLost, type SignInIdentity, type StoredSession } from '@access-admin/store';
import { selfContext } from '../sign-in/enrol.ts';
import type { PageContext } from '../sign-in/pages/context.ts';
import { redirectTo } from '../sign-in/pages/layout.tsx';
import type { LiveSession } from '../sign-in/session.ts';

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
  handle: (holder: Holder) => Response | Promise<Response>,
): Promise<Response> {
  const { sessions, store, system } = c.env.services;
  const live = await sessions.find(c);
  const session = live?.session ?? null;
  const identity = session === null ? null : await store.credentials.findIdentity(c.get('tenant'), session.identityId);
  const toSignIn = () => redirectTo(c, '/login?to=/account');
  if (live === null || session === null || identity === null) return toSignIn();
  try {
    return await handle({ live, session, identity, mayChange: system.now().getTime() - session.provenMs < PROOF_MS });
  } catch (error) {
    if (error instanceof RightsLost) return toSignIn();
    throw error;
  }
}

/** Handles a change by a signed-in identity, which needs a recent proof of a factor. */
export const withProof = (
  c: PageContext,
  handle: (holder: Holder) => Response | Promise<Response>,
): Promise<Response> =>
  withHolder(c, async (holder) => (holder.mayChange ? handle(holder) : redirectTo(c, '/account/confirm')));

/** The audit context of a change by the holder of a session. */
export const holderContext = (c: PageContext, { session, live }: Holder, operation: string): AuditContext => ({
  ...selfContext(c, {
    clientId: live.caller.clientId,
    identityId: session.identityId,
    operation,
    now: c.env.services.system.now(),
  }),
  authorization: { rights: OWN_ACCOUNT, caller: live.caller, targetIdentityId: session.identityId },
});

/** Whether the decision lets the identity in with a password of this service. */
export const usesOwnPassword = ({ verifiedBy }: SignInDecision): boolean => verifiedBy === 'PASSWORD';
