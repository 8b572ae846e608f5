import type { CredentialStore, SecretCipher, SignInIdentity } from '@access-admin/store';
import { NobleCryptoPlugin, ScureBase32Plugin, verifySync } from 'otplib';
import type { PageContext } from '../pages/context.ts';
import type { TotpSecretView } from '../pages/enrolment.tsx';

/** Codes of apps (TOTP). */
export interface AuthenticatorApp {
  /** False where no key is given that seals secrets: no app can be enrolled, which is answered with 409. */
  readonly isAvailable: boolean;
  create(names: { readonly issuer: string; readonly account: string }): TotpSecretView;
  /** The step of the code that confirms a new secret; null when the code is wrong. */
  confirm(secret: string, code: string): number | null;
  /** The secret as it is stored for an identity; null where none can be. */
  seal(tenant: string, identityId: string, secret: string): string | null;
  /** Whether a code is right, and uses it up. */
  verify(tenant: string, identity: Pick<SignInIdentity, 'id' | 'totp'>, code: string): Promise<boolean>;
}

interface AuthenticatorAppDeps {
  /** Null where the operator has given no key. */
  readonly cipher: SecretCipher | null;
  readonly credentials: Pick<CredentialStore, 'useTotpStep'>;
  readonly now: () => Date;
  readonly newBytes: (count: number) => Uint8Array;
}

export function createAuthenticatorApp(deps: AuthenticatorAppDeps): AuthenticatorApp {
  const { cipher, credentials, now, newBytes } = deps;
  const ownerOf = (tenant: string, id: string) => ({ purpose: 'totp', tenant, id }) as const;
  return {
    isAvailable: cipher !== null,
    create: (names) => {
      const secret = newBytes(TOTP_SECRET_BYTES);
      return { secret: toBase32(secret), uri: totpUri(secret, names) };
    },
    confirm: (secret, code) => {
      const bytes = fromBase32(secret);
      return bytes?.length === TOTP_SECRET_BYTES ? findStep(bytes, code, now().getTime()) : null;
    },
    seal: (tenant, identityId, secret) => {
      const bytes = fromBase32(secret);
      return bytes === null ? null : (cipher?.seal(ownerOf(tenant, identityId), bytes) ?? null);
    },
    verify: async (tenant, { id, totp }, code) => {
      const secret = totp === null ? null : (cipher?.open(ownerOf(tenant, id), totp.secret) ?? null);
      const step = secret === null ? null : findStep(secret, code, now().getTime());
      return step !== null && credentials.useTotpStep(tenant, id, step);
    },
  };
}

/** An authenticator app whose first code was right. */
export interface ConfirmedApp {
  /** Sealed. */
  readonly secret: string;
  readonly lastStep: number;
}

const ISSUER = 'Access Admin';
const SECRET = /^[A-Z2-7]{32}$/;

/** A new secret for an app; null where secrets cannot be sealed. */
export function newSecret(c: PageContext, { uid }: Pick<SignInIdentity, 'uid'>): TotpSecretView | null {
  const { totp } = c.env.services.signIn;
  return totp.isAvailable ? totp.create({ issuer: ISSUER, account: uid }) : null;
}

/** The secret that the form of a page has sent back, so that a mistyped code does not ask for another secret. */
export function sentSecret(c: PageContext, { uid }: Pick<SignInIdentity, 'uid'>): TotpSecretView | null {
  const secret = c.get('form')('secret');
  if (!SECRET.test(secret)) return newSecret(c, { uid });
  const { uri } = c.env.services.signIn.totp.create({ issuer: ISSUER, account: uid });
  return { secret, uri: uri.replace(/(?<=[?&]secret=)[^&]*/, secret) };
}

/**
 * The app whose code is in the form; null for a wrong one. Its secret comes back with the form: it is known to the identity
 * alone, which may choose it.
 */
export function confirmApp(c: PageContext, { id }: Pick<SignInIdentity, 'id'>): ConfirmedApp | null {
  const { totp } = c.env.services.signIn;
  const form = c.get('form');
  const secret = form('secret');
  const lastStep = SECRET.test(secret) ? totp.confirm(secret, form('code')) : null;
  const sealed = lastStep === null ? null : totp.seal(c.get('tenant'), id, secret);
  return lastStep === null || sealed === null ? null : { secret: sealed, lastStep };
}

/** How long a code is valid, and the unit of steps, in seconds. */
const PERIOD_SECONDS = 30;
/** The length of the output of the hash, as RFC 4226 recommends it. */
export const TOTP_SECRET_BYTES = 20;

const base32 = new ScureBase32Plugin();
const crypto = new NobleCryptoPlugin();

/** The step of an instant (RFC 6238). */
export const stepAt = (nowMs: number): number => Math.floor(nowMs / (PERIOD_SECONDS * 1000));

/** The step whose code this is, one step early or late at most; null without one. */
export function findStep(secret: Uint8Array, code: string, nowMs: number): number | null {
  const token = code.replace(/[ -]/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const epoch = Math.floor(nowMs / 1000);
  const found = verifySync({
    crypto,
    base32,
    secret,
    token,
    epoch,
    period: PERIOD_SECONDS,
    epochTolerance: PERIOD_SECONDS,
  });
  return found.valid ? stepAt(nowMs) + found.delta : null;
}

/** Base32 (RFC 4648) without padding, as apps take secrets. */
export const toBase32 = (bytes: Uint8Array): string => base32.encode(bytes, { padding: false });

/** The bytes of a base32 text; null when it is none. */
export function fromBase32(text: string): Uint8Array | null {
  try {
    return base32.decode(text.toUpperCase());
  } catch {
    return null;
  }
}

/**
 * The `otpauth:` URI for the QR code. A colon separates issuer and account, so one in the account is escaped, which otplib does
 * not do.
 */
export const totpUri = (
  secret: Uint8Array,
  { issuer, account }: { readonly issuer: string; readonly account: string },
): string => {
  const name = encodeURIComponent(issuer);
  return `otpauth://totp/${name}:${encodeURIComponent(account)}?secret=${toBase32(secret)}&issuer=${name}`;
};
