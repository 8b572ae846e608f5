import type { Passkey, SignInIdentity } from '@access-admin/store';
import type { PasskeyPlace, Passkeys } from '../credentials/passkeys.ts';
import type { PageContext } from '../sign-in/pages/context.ts';

/** The relying party of a page. */
export const placeOf = (c: PageContext): PasskeyPlace => ({ tenant: c.get('tenant'), origin: c.get('origin') });

/** Passkeys need a host name rather than an IP address, and are not offered in a frame. */
export const offersPasskeys = (
  c: PageContext,
  { passkeys }: { readonly passkeys: Pick<Passkeys, 'isAvailable'> },
): boolean => !c.get('isFramed') && passkeys.isAvailable(placeOf(c));

/** Makes the page's script tell the user to try another way. */
export const noCeremony = (c: PageContext): Response => c.body(null, 409);

/** Parses the credential that the page's script sends as JSON; null for any other text. */
export function parseCredential(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The challenge in a credential's client data; empty if there is none. */
export function challengeOf(text: string): string {
  const clientData = textAt(textAt(parseCredential(text), 'response'), 'clientDataJSON');
  const challenge = textAt(parseCredential(Buffer.from(String(clientData), 'base64url').toString()), 'challenge');
  return typeof challenge === 'string' ? challenge : '';
}

const textAt = (value: unknown, name: string): unknown => Object(value)[name];

/** Verifies the new passkey in the form, and names it after those that the identity has; null if it does not verify. */
export const verifyNewPasskey = (
  c: PageContext,
  { passkeys }: Pick<SignInIdentity, 'passkeys'>,
  registration: { readonly challenge: string; readonly passkeys: Pick<Passkeys, 'verifyRegistration'> },
): Promise<Passkey | null> =>
  registration.passkeys.verifyRegistration(placeOf(c), {
    response: parseCredential(c.get('form')('credential')),
    challenge: registration.challenge,
    name: `Passkey ${passkeys.length + 1}`,
  });
