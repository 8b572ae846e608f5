import type { SignInIdentity } from '@access-admin/store';
import type { AuthenticatorApp } from '../credentials/authenticator-app.ts';
import type { PageContext } from '../sign-in/pages/context.ts';
import type { TotpSecretView } from '../sign-in/pages/enrolment.tsx';

/** An authenticator app whose first code was right. */
export interface ConfirmedApp {
  /** Sealed. */
  readonly secret: string;
  readonly lastStep: number;
}

const ISSUER = 'Access Admin';
const SECRET = /^[A-Z2-7]{32}$/;

/** A new secret for an app; null where secrets cannot be sealed. */
export const newTotpView = (app: AuthenticatorApp, { uid }: Pick<SignInIdentity, 'uid'>): TotpSecretView | null =>
  app.isAvailable ? app.create({ issuer: ISSUER, account: uid }) : null;

/** The secret that the form of a page has sent back, so that a mistyped code does not ask for another secret. */
export function sameTotpView(
  c: PageContext,
  app: AuthenticatorApp,
  { uid }: Pick<SignInIdentity, 'uid'>,
): TotpSecretView | null {
  const secret = c.get('form')('secret');
  if (!SECRET.test(secret)) return newTotpView(app, { uid });
  const { uri } = app.create({ issuer: ISSUER, account: uid });
  return { secret, uri: uri.replace(/(?<=[?&]secret=)[^&]*/, secret) };
}

/**
 * The app whose code is in the form; null for a wrong one. Its secret comes back with the form: it is known to the identity
 * alone, which may choose it.
 */
export function confirmApp(
  c: PageContext,
  app: AuthenticatorApp,
  { id }: Pick<SignInIdentity, 'id'>,
): ConfirmedApp | null {
  const form = c.get('form');
  const secret = form('secret');
  const lastStep = SECRET.test(secret) ? app.confirm(secret, form('code')) : null;
  const sealed = lastStep === null ? null : app.seal(c.get('tenant'), id, secret);
  return lastStep === null || sealed === null ? null : { secret: sealed, lastStep };
}
