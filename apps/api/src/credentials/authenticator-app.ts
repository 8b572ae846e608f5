import type { CredentialStore, SecretCipher, SignInIdentity } from '@access-admin/store';
import { findStep, fromBase32, TOTP_SECRET_BYTES, toBase32, totpUri } from './totp.ts';

/** A secret that an app is to learn. */
export interface NewTotp {
  /** In base32, as a person types it into an app. */
  readonly secret: string;
  /** The same as an `otpauth:` address. */
  readonly uri: string;
}

/** Codes of apps (TOTP). */
export interface AuthenticatorApp {
  /** False where no key is given that seals secrets: no app can be enrolled, which is answered with 409. */
  readonly isAvailable: boolean;
  create(names: { readonly issuer: string; readonly account: string }): NewTotp;
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
