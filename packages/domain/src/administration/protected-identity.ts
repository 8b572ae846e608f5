import { type Forbidden, failure } from '../basics/result/failure.ts';
import type { AuthProfileSettings } from './auth-profile.ts';
import { type Capability, type ComparedCaller, lackedCapability } from './capability.ts';

/** What says who an identity is: the name that it signs in with, and the profile that decides how. */
export interface SignInName {
  readonly uid: string;
  readonly identityProfile: string;
}

/** A requested change, or the deletion, of a stored identity. */
export interface SignInNameChange {
  readonly targetId: string;
  readonly before: SignInName & { readonly capabilities: readonly Capability[] };
  /** Null for a deletion. */
  readonly after: SignInName | null;
  readonly caller: ComparedCaller;
  /** The path of a property in the input, or of the whole where it is left out, for the cause. */
  readonly at: (property?: keyof SignInName) => string;
}

/**
 * Whether a caller may change who an identity is: else it could let itself be recognized as one that has more rights. Fails
 * with `Forbidden` where the uid or the profile of the caller itself changes, or of an identity that has a capability which the
 * caller lacks; such an identity is not deleted either, as it could then be made anew. Null when the caller may.
 */
export function validateSignInNameChange({ targetId, before, after, caller, at }: SignInNameChange): Forbidden | null {
  const lacked = lackedCapability(before.capabilities, caller);
  if (after === null)
    return lacked === null ? null : failure('Forbidden', at(), `must stay: the identity has ${lackedText(lacked)}`);
  const changed = PROPERTIES.filter((property) => before[property] !== after[property]);
  if (caller.identityId === targetId)
    return forbid(changed.map(at), 'must not change: it is of the caller itself, so another caller has to change it');
  return lacked === null ? null : forbid(changed.map(at), `must not change: the identity has ${lackedText(lacked)}`);
}

const PROPERTIES = ['uid', 'identityProfile'] as const satisfies readonly (keyof SignInName)[];

/** The identities with an auth profile, as a caller that changes it is compared with them. */
export interface ProfileMembers {
  /** Every capability that one of them has. */
  readonly capabilities: readonly Capability[];
  /** Whether the caller is one of them. */
  readonly includeCaller: boolean;
}

/** What verifies the identities with an auth profile. */
export type Verification = Pick<AuthProfileSettings, 'type' | 'applicationId' | 'applicationName'>;

/** A requested change of an auth profile. */
export interface VerificationChange {
  readonly before: Verification;
  readonly after: Verification;
  readonly members: ProfileMembers;
  readonly caller: ComparedCaller;
  /** The path of a property in the input, for the cause. */
  readonly at: (property: keyof Verification) => string;
}

/**
 * Whether a caller may change what verifies the identities with an auth profile: not where it is one of them itself, nor where
 * one has a capability that the caller lacks. Fails with `Forbidden`; null when the caller may.
 */
export function validateVerificationChange(change: VerificationChange): Forbidden | null {
  const { before, after, members, caller, at } = change;
  if (caller.identityId === null) return null;
  const changed = VERIFYING.filter((property) => before[property] !== after[property]);
  if (members.includeCaller)
    return forbid(
      changed.map(at),
      'must not change: the caller signs in with this auth profile itself, so another caller has to change it',
    );
  const lacked = lackedCapability(members.capabilities, caller);
  return lacked === null
    ? null
    : forbid(changed.map(at), `must not change: an identity with this auth profile has ${lackedText(lacked)}`);
}

const VERIFYING = ['type', 'applicationId', 'applicationName'] as const satisfies readonly (keyof Verification)[];

const lackedText = (capability: Capability): string => `the capability ${capability}, which the caller lacks`;

const forbid = (places: readonly string[], text: string): Forbidden | null =>
  places.length === 0 ? null : { type: 'Forbidden', causes: places.map((at) => ({ at, text })) };
