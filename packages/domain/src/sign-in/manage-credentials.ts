import type { Caller } from '../administration/authorization.ts';
import type { Capability } from '../administration/capability.ts';
import { type Forbidden, failure } from '../result/failure.ts';
import { fail, ok, type Result } from '../result/result.ts';

/** The fewest and the most hours that a sign-in link is valid. */
export const SIGN_IN_LINK_HOURS = { min: 1, max: 24 } as const;

/**
 * Whether a caller may change one part of how an identity signs in: as `validateCredentialTarget`, and never its own, which
 * its account changes after a factor was proven again.
 */
export function validateOtherCredentialTarget(
  target: CredentialTarget & { readonly identityId: string },
  caller: Pick<Caller, 'identityId' | 'capabilities'>,
): Result<null, Forbidden> {
  return target.identityId === caller.identityId
    ? fail(failure('Forbidden', '', 'is the auth user of the caller: its own account at /account changes this'))
    : validateCredentialTarget(target, caller);
}

/** The identity whose way in is changed by another one. */
export interface CredentialTarget {
  readonly capabilities: readonly Capability[];
}

/**
 * Whether a caller may give an identity a new way in, or take all away: else an identity could sign in as another one that has
 * more rights. Fails with `Forbidden` where the identity has a capability that the caller lacks.
 */
export function validateCredentialTarget(
  { capabilities }: CredentialTarget,
  caller: Pick<Caller, 'identityId' | 'capabilities'>,
): Result<null, Forbidden> {
  if (caller.identityId === null) return ok(null);
  const lacked = capabilities.find((capability) => !caller.capabilities.includes(capability));
  return lacked === undefined
    ? ok(null)
    : fail(failure('Forbidden', '', `the auth user has the capability ${lacked}, which the caller lacks`));
}
