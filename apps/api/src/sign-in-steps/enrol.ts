import { type AuditContext, fail, PASSWORD_LENGTH, type Result, validateNewPassword } from '@access-admin/domain';
import type { CredentialStore, Enrolment, SignInIdentity } from '@access-admin/store';
import type { PageContext } from '../sign-in/pages/context.ts';
import { PAGE_TEXTS } from '../sign-in/pages/texts.ts';
import type { FactorToEnrol } from './pending.ts';

/** Stores the given factors, and consumes the link, if any. */
export type EnrolFactor = (
  c: PageContext,
  identityId: string,
  factor: FactorToEnrol & Enrolment,
) => Promise<'STORED' | 'REFUSED'>;

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

interface EnrolDeps {
  readonly credentials: Pick<CredentialStore, 'setPassword' | 'addPasskey'>;
  readonly now: () => Date;
}

export const createEnrolFactor =
  ({ credentials, now }: EnrolDeps): EnrolFactor =>
  async (c, identityId, { passwordHash, passkey, link, usedLink }) => {
    const context = (operation: string) =>
      selfContext(c, { clientId: SIGN_IN_ACTOR, identityId, operation, now: now() });
    if (passwordHash !== null) {
      const password = { hash: passwordHash, keepSession: null, link, usedLink };
      if ((await credentials.setPassword(context('set-password'), identityId, password)) !== 'STORED') return 'REFUSED';
    }
    if (passkey === null) return 'STORED';
    const stored = await credentials.addPasskey(context('add-passkey'), identityId, { passkey, link, usedLink });
    return stored === 'STORED' ? 'STORED' : 'REFUSED';
  };

/** Validates the new password of a form, typed twice. Fails with a message in the language of the page. */
export function newPasswordOf(c: PageContext, { uid }: Pick<SignInIdentity, 'uid'>): Result<string, string> {
  const form = c.get('form');
  const { text } = c.get('speech').of(PAGE_TEXTS);
  if (form('password') !== form('repeated')) return fail(text('new-password.DIFFERENT'));
  const validated = validateNewPassword(form('password'), uid);
  return validated.ok ? validated : fail(text(`new-password.${validated.failure}`, PASSWORD_LENGTH));
}
