import type { SignInFactor, SignInIdentity, StoredSession } from '@access-admin/store';

/** The sign-in links that a sign-in derives from. Revoking one ends the sign-in and its session. */
export type LinkProvenance = Required<Pick<StoredSession, 'linkGeneration' | 'usedLink'>>;

/** A sign-in whose factors are all proven. */
export interface ProvenSignIn extends LinkProvenance {
  readonly identityId: string;
  readonly factors: readonly SignInFactor[];
}

export interface ProvenFactor {
  readonly factor: SignInFactor;
  /** The used link through which the factor was set; null for none, and for a factor of an identity provider. */
  readonly usedLink: string | null;
}

/** A TOTP or recovery code that was verified. */
export const provenCode = (
  { totp, recoveryCodes }: Pick<SignInIdentity, 'totp' | 'recoveryCodes'>,
  factor: 'TOTP' | 'RECOVERY_CODE',
): ProvenFactor => ({ factor, usedLink: (factor === 'TOTP' ? totp : recoveryCodes)?.usedLink ?? null });

/**
 * A sign-in that began with a link keeps that provenance. Any other derives from a used link only if both factors do: the maker of
 * a link cannot prove a factor that was set without it.
 */
export const provenanceAfterSecondFactor = (first: LinkProvenance, { usedLink }: ProvenFactor): LinkProvenance =>
  first.linkGeneration !== null ? first : { linkGeneration: null, usedLink: first.usedLink === null ? null : usedLink };
