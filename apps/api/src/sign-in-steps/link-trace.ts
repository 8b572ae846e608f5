import type { SignInFactor, SignInIdentity, StoredSession } from '@access-admin/store';

/** The links that a sign-in goes back to, with which it ends. */
export type LinkTrace = Required<Pick<StoredSession, 'linkGeneration' | 'usedLink'>>;

/** What an identity has proven. */
export interface ProvenSignIn extends LinkTrace {
  readonly identityId: string;
  readonly factors: readonly SignInFactor[];
}

/** A factor that was proven, with the used link that it goes back to. */
export interface ProvenFactor {
  readonly factor: SignInFactor;
  /** Null for none, and for what is proven elsewhere. */
  readonly usedLink: string | null;
}

/** A code of an identity that was right. */
export const provenCode = (
  { totp, recoveryCodes }: Pick<SignInIdentity, 'totp' | 'recoveryCodes'>,
  factor: 'TOTP' | 'RECOVERY_CODE',
): ProvenFactor => ({ factor, usedLink: (factor === 'TOTP' ? totp : recoveryCodes)?.usedLink ?? null });

/**
 * Where a sign-in goes back to after a second factor. One that began with a link itself stays of this link. Any other goes back
 * to one only where both factors do: whoever proves one that no link has set is no maker of a link.
 */
export const afterSecondFactor = (first: LinkTrace, { usedLink }: ProvenFactor): LinkTrace =>
  first.linkGeneration !== null ? first : { linkGeneration: null, usedLink: first.usedLink === null ? null : usedLink };
