import type { AuditContext } from '@access-admin/domain';
import type { Enrolment } from '@access-admin/store';
import type { FactorToEnrol } from './flow.ts';
import type { PageContext } from './pages/context.ts';

/** The audit context of an identity that changes itself. `clientId` is `SIGN_IN_ACTOR`, or the client of its session. */
export const selfContext = (
  c: PageContext,
  by: { readonly clientId: string; readonly identityId: string; readonly operation: string; readonly now: Date },
): AuditContext => ({
  tenant: c.get('tenant'),
  actor: { clientId: by.clientId, identityId: by.identityId },
  operation: by.operation,
  time: by.now.toISOString(),
  trackingId: c.env.state.trackingId,
});

/** The audited `clientId` until a sign-in has a session. */
export const SIGN_IN_ACTOR = 'sign-in';

/** Stores the given factors, and consumes the link, if any; false where the identity or the link is gone. */
export async function storeFactors(
  c: PageContext,
  identityId: string,
  { passwordHash, passkey, link, usedLink }: FactorToEnrol & Enrolment,
): Promise<boolean> {
  const { store, system } = c.env.services;
  const context = (operation: string) =>
    selfContext(c, { clientId: SIGN_IN_ACTOR, identityId, operation, now: system.now() });
  if (passwordHash !== null) {
    const password = { hash: passwordHash, keepSession: null, link, usedLink };
    const stored = await store.credentials.setPassword(context('set-password'), identityId, password);
    if (stored !== 'STORED') return false;
  }
  if (passkey === null) return true;
  const added = { passkey, link, usedLink };
  return (await store.credentials.addPasskey(context('add-passkey'), identityId, added)) === 'STORED';
}
