import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import type { CredentialStore, Passkey, SignInIdentity } from '@access-admin/store';
import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { PageContext } from '../pages/context.ts';

const TIMEOUT_MS = 300_000;
const NAME = 'Access Admin';
// EdDSA, ES256 and RS256, as COSE numbers them.
const ALGORITHMS = [-8, -7, -257];

/** A response of a browser's authenticator, as it sent it, and the challenge that it was to answer. */
export interface PasskeyResponse {
  readonly response: unknown;
  readonly challenge: string;
}

/** Where a page asks for a passkey: browsers offer those of the host name of its origin alone. */
export interface PasskeyPlace {
  readonly tenant: string;
  /** One of the origins of this service. */
  readonly origin: string;
}

export interface ProvenPasskey {
  readonly identity: SignInIdentity;
  /** Null for none. */
  readonly usedLink: string | null;
}

/** Passkeys (WebAuthn), always with user verification. Keep the challenge of options until their response is verified, once. */
export interface Passkeys {
  /** False at an address by number, for which browsers offer no passkeys. */
  isAvailable(place: Pick<PasskeyPlace, 'origin'>): boolean;
  createRegistration(place: PasskeyPlace, identity: SignInIdentity): Promise<PublicKeyCredentialCreationOptionsJSON>;
  /** The new passkey; null when the response is not right. */
  verifyRegistration(place: PasskeyPlace, given: PasskeyResponse & { readonly name: string }): Promise<Passkey | null>;
  /** Without an identity, the browser offers the passkeys that it has. */
  createAuthentication(
    place: PasskeyPlace,
    identity: Pick<SignInIdentity, 'passkeys'> | null,
  ): Promise<PublicKeyCredentialRequestOptionsJSON>;
  /** The passkey that has answered; null when the response is not right, or repeats an earlier one. */
  verifyAuthentication(place: PasskeyPlace, given: PasskeyResponse): Promise<ProvenPasskey | null>;
}

interface PasskeyDeps {
  readonly credentials: Pick<CredentialStore, 'findByPasskey' | 'usePasskey'>;
  readonly now: () => Date;
}

export function createPasskeys({ credentials, now }: PasskeyDeps): Passkeys {
  const time = () => now().toISOString();
  return {
    isAvailable: (place) => isIP(rpIdOf(place).replace(/^\[|\]$/g, '')) === 0,
    createRegistration: (place, { id, uid, displayName, passkeys }) =>
      generateRegistrationOptions({
        rpName: NAME,
        rpID: rpIdOf(place),
        timeout: TIMEOUT_MS,
        userID: userHandleOf(place.tenant, id),
        userName: uid,
        userDisplayName: displayName ?? uid,
        supportedAlgorithmIDs: [...ALGORITHMS],
        excludeCredentials: passkeys.map(toDescriptor),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      }),
    verifyRegistration: async (place, { response, challenge, name }) => {
      const verified = await attempt(response, () =>
        verifyRegistrationResponse({
          response: response as RegistrationResponseJSON,
          expectedChallenge: challenge,
          expectedOrigin: place.origin,
          expectedRPID: rpIdOf(place),
          requireUserVerification: true,
          supportedAlgorithmIDs: [...ALGORITHMS],
        }),
      );
      const { registrationInfo } = verified ?? {};
      if (verified?.verified !== true || registrationInfo === undefined) return null;
      const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
      return { id, name, counter, transports, created: time(), lastUsed: null, publicKey: toText(publicKey) };
    },
    createAuthentication: (place, identity) =>
      generateAuthenticationOptions({
        rpID: rpIdOf(place),
        timeout: TIMEOUT_MS,
        userVerification: 'required',
        allowCredentials: identity?.passkeys.map(toDescriptor) ?? [],
      }),
    verifyAuthentication: async (place, { response, challenge }) => {
      const { tenant } = place;
      const id = idOf(response);
      const identity = id === null ? null : await credentials.findByPasskey(tenant, id);
      const passkey = identity?.passkeys.find((each) => each.id === id);
      if (identity === null || passkey === undefined) return null;
      const verified = await attempt(response, () =>
        verifyAuthenticationResponse({
          response: response as AuthenticationResponseJSON,
          expectedChallenge: challenge,
          expectedOrigin: place.origin,
          expectedRPID: rpIdOf(place),
          credential: { id: passkey.id, publicKey: fromText(passkey.publicKey), counter: passkey.counter },
          requireUserVerification: true,
        }),
      );
      if (verified?.verified !== true) return null;
      const { newCounter: counter } = verified.authenticationInfo;
      const isUsed = await credentials.usePasskey(tenant, passkey.id, { counter, time: time() });
      return isUsed ? { identity, usedLink: passkey.usedLink } : null;
    },
  };
}

const rpIdOf = ({ origin }: Pick<PasskeyPlace, 'origin'>): string => new URL(origin).hostname;

/** The library throws for most responses that are not right. */
async function attempt<T>(response: unknown, verify: () => Promise<T>): Promise<T | null> {
  if (idOf(response) === null) return null;
  try {
    return await verify();
  } catch {
    return null;
  }
}

const ID_LENGTH_MAX = 1_400;

/** The credential id of a response; null when it has none. */
function idOf(response: unknown): string | null {
  if (typeof response !== 'object' || response === null) return null;
  const id = 'id' in response ? response.id : null;
  return typeof id === 'string' && id.length <= ID_LENGTH_MAX && /^[\w-]+$/.test(id) ? id : null;
}

/** Names the identity to authenticators without telling who it is. */
const userHandleOf = (tenant: string, identityId: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(hash('sha256', JSON.stringify([tenant, identityId]), 'buffer'));

const toDescriptor = ({ id, transports }: Passkey) => ({ id, transports: [...transports] as AuthenticatorTransport[] });

const toText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const fromText = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'base64url'));

/** The relying party of a page. */
export const placeOf = (c: PageContext): PasskeyPlace => ({ tenant: c.get('tenant'), origin: c.get('origin') });

/** Passkeys need a host name rather than an IP address, and are not offered in a frame. */
export const offersPasskeys = (c: PageContext): boolean =>
  !c.get('isFramed') && c.env.services.signIn.passkeys.isAvailable(placeOf(c));

/** Makes the page's script tell the user to try another way. */
export const noCeremony = (c: PageContext): Response => c.body(null, 409);

/** Parses the credential that the page's script sends as JSON; null for any other text. */
function parseCredential(text: string): unknown {
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

/** The new passkey in the form, named after those that the identity has; null where it does not answer the challenge. */
export const verifyNewPasskey = (
  c: PageContext,
  { passkeys }: Pick<SignInIdentity, 'passkeys'>,
  challenge: string,
): Promise<Passkey | null> =>
  c.env.services.signIn.passkeys.verifyRegistration(placeOf(c), {
    response: parseCredential(c.get('form')('credential')),
    challenge,
    name: `Passkey ${passkeys.length + 1}`,
  });

/** The identity whose passkey has answered the challenge, by the form. The answer is used up. */
export const provePasskey = (c: PageContext, challenge: string): Promise<ProvenPasskey | null> =>
  c.env.services.signIn.passkeys.verifyAuthentication(placeOf(c), {
    response: parseCredential(c.get('form')('credential')),
    challenge,
  });
