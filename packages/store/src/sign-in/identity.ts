import type { AuthProfile, Capability } from '@access-admin/domain';

/** A public key with which an identity signs in. */
export interface Passkey {
  /** The credential id, in base64url. */
  readonly id: string;
  readonly name: string;
  /** COSE, in base64url. */
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
  /** ISO 8601, as `lastUsed`. */
  readonly created: string;
  readonly lastUsed: string | null;
}

/** What sign-in knows of an identity. Times are ISO 8601 in UTC with milliseconds. */
export interface SignInIdentity {
  readonly id: string;
  readonly uid: string;
  readonly displayName: string | null;
  readonly capabilities: readonly Capability[];
  readonly authProfile: AuthProfile | null;
  /** Argon2id in the PHC form. */
  readonly password: { readonly hash: string; readonly changed: string } | null;
  /** The secret is sealed. Codes of `lastStep` and of earlier steps are used up. */
  readonly totp: { readonly secret: string; readonly lastStep: number } | null;
  readonly passkeys: readonly Passkey[];
  readonly recoveryCodesLeft: number;
  /** When its lock ends; null without one. It may have ended. */
  readonly lockedUntil: string | null;
}
