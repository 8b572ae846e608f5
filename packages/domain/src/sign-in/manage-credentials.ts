import type { Caller } from '../administration/authorization.ts';
import type { Capability } from '../administration/capability.ts';
import { type Conflict, type Forbidden, failure } from '../result/failure.ts';
import { fail, ok, type Result } from '../result/result.ts';

/** The fewest and the most hours that a sign-in link is valid. */
export const SIGN_IN_LINK_HOURS = { min: 1, max: 24 } as const;

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

/** Who administers the tenant before credentials are removed. */
export interface CredentialRemoval extends CredentialTarget {
  /** Whether the identity is an `ORG_ADMIN` that can sign in, and whether another one can. */
  readonly isSigningInAdmin: boolean;
  readonly otherSigningInAdmins: boolean;
}

/** The same for the removal of all credentials; `Conflict` for the last `ORG_ADMIN` that can sign in. */
export function validateCredentialRemoval(
  removal: CredentialRemoval,
  caller: Pick<Caller, 'identityId' | 'capabilities'>,
): Result<null, Forbidden | Conflict> {
  const allowed = validateCredentialTarget(removal, caller);
  if (!allowed.ok) return allowed;
  return removal.isSigningInAdmin && !removal.otherSigningInAdmins
    ? fail(
        failure('Conflict', '', 'is the last ORG_ADMIN of the tenant that can sign in: let another one sign in first'),
      )
    : ok(null);
}
