import type { PasskeyPlace, Passkeys } from '../credentials/passkeys.ts';
import type { PageContext } from '../pages/context.ts';

/** Where a page asks for a passkey. */
export const placeOf = (c: PageContext): PasskeyPlace => ({ tenant: c.get('tenant'), origin: c.get('origin') });

/** Passkeys are offered at an address with a name, and not in a frame. */
export const offersPasskeys = (
  c: PageContext,
  { passkeys }: { readonly passkeys: Pick<Passkeys, 'isAvailable'> },
): boolean => !c.get('isFramed') && passkeys.isAvailable(placeOf(c));

/** The answer to the script of pages where no passkey can be asked for: it tells its user to try another way. */
export const noCeremony = (c: PageContext): Response => c.body(null, 409);

/** The credential that the script of pages has sent as JSON; null for any other text. */
export function parseCredential(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The challenge that a credential says to answer; empty where it names none. */
export function challengeOf(text: string): string {
  const clientData = textAt(textAt(parseCredential(text), 'response'), 'clientDataJSON');
  const challenge = textAt(parseCredential(Buffer.from(String(clientData), 'base64url').toString()), 'challenge');
  return typeof challenge === 'string' ? challenge : '';
}

const textAt = (value: unknown, name: string): unknown => Object(value)[name];

/** The name of a new passkey. */
export const nameOfNext = (passkeys: readonly unknown[]): string => `Passkey ${passkeys.length + 1}`;
