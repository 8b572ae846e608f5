import type { SignInDecision } from '@access-admin/domain';
import type { SignInIdentity } from '@access-admin/store';
import type { OfferedFactors } from '../sign-in/pages/factor-forms.tsx';

/** The second factors that an identity can prove on a page. */
export const secondFactorsOf = (
  { totp, recoveryCodes, passkeys }: Pick<SignInIdentity, 'totp' | 'recoveryCodes' | 'passkeys'>,
  offersPasskeys: boolean,
): OfferedFactors => ({
  password: false,
  totp: totp !== null,
  // They replace another factor, and are none without it.
  recoveryCodes: recoveryCodes !== null && (totp !== null || passkeys.length > 0),
  passkeys: passkeys.length > 0 && offersPasskeys,
});

/** Whether an identity has enrolled a second factor, wherever it can be used. */
export const hasSecondFactor = ({ totp, passkeys }: Pick<SignInIdentity, 'totp' | 'passkeys'>): boolean =>
  totp !== null || passkeys.length > 0;

/** Whether a passkey signs in without another factor. */
export const passkeySuffices = ({ decision, verifiedBy }: SignInDecision): boolean =>
  decision === 'SECOND_FACTOR' || (decision === 'ALLOW' && verifiedBy === 'PASSWORD');

/** The ways in of an identity. */
interface WaysIn extends Pick<SignInIdentity, 'totp' | 'passkeys'> {
  readonly password: unknown;
}

/** Whether an identity with these factors can sign in where the decision is this one. */
export function canSignIn({ password, totp, passkeys }: WaysIn, decision: SignInDecision): boolean {
  if (passkeySuffices(decision) && passkeys.length > 0) return true;
  const hasFirst = decision.verifiedBy === 'APPLICATION' || password !== null;
  return hasFirst && (decision.decision !== 'SECOND_FACTOR' || hasSecondFactor({ totp, passkeys }));
}
