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

export interface Enrolled {
  /** The sign-in link through which the credential was set, directly or in a session; it ends with the link. Null for none. */
  readonly usedLink: string | null;
}

/** An identity with its credentials. Times are ISO 8601 in UTC with milliseconds. */
export interface SignInIdentity {
  readonly id: string;
  readonly uid: string;
  readonly displayName: string | null;
  readonly capabilities: readonly Capability[];
  readonly active: boolean;
  readonly authProfile: AuthProfile | null;
  /** Argon2id in the PHC form. */
  readonly password: (Enrolled & { readonly hash: string; readonly changed: string }) | null;
  /** The secret is sealed. Codes of `lastStep` and of earlier steps are used up. */
  readonly totp: (Enrolled & { readonly secret: string; readonly lastStep: number; readonly created: string }) | null;
  readonly passkeys: readonly (Passkey & Enrolled)[];
  /** Null if none are left. */
  readonly recoveryCodes: (Enrolled & { readonly left: number; readonly created: string }) | null;
  /** The end of the lockout, which may have passed; null without one. */
  readonly lockedUntil: string | null;
}
