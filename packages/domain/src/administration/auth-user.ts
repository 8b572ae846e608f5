import { type Conflict, type Forbidden, failure } from '../basics/result/failure.ts';
import { fail, ok, type Result } from '../basics/result/result.ts';
import type { Caller } from './authorization.ts';
import { type Capability, validateCapabilityChange } from './capability.ts';

/** An identity in the authentication system. Unknown values are null. */
export interface AuthUser {
  readonly tenant: string;
  /** The identity's id. */
  readonly id: string;
  readonly uid: string;
  /** The id of its auth profile. */
  readonly profile: string;
  readonly displayName: string | null;
  readonly alias: string | null;
  readonly firstname: string | null;
  readonly lastname: string | null;
  readonly email: string | null;
  readonly personalEmail: string | null;
  readonly phone: string | null;
  readonly workPhone: string | null;
  readonly identificationNumber: string | null;
  /** ISO 8601 in UTC with milliseconds. */
  readonly lastPasswordChangeDate: string | null;
  /** Milliseconds since 1970. */
  readonly lastLoginTimestamp: number | null;
  /** Milliseconds since 1970. */
  readonly currentLoginTimestamp: number | null;
  /** ISO 8601 in UTC with milliseconds. */
  readonly lastUnlockTimestamp: string | null;
  /** Without duplicates, in the order in which they were set. */
  readonly capabilities: readonly Capability[];
}

/** Changes the capabilities of an auth user. Fails with `Forbidden` (rights of the caller) or `Conflict` (the last `ORG_ADMIN`). */
export function changeCapabilities(
  { user, otherOrgAdmins }: { readonly user: AuthUser; readonly otherOrgAdmins: boolean },
  after: readonly Capability[],
  caller: Caller,
): Result<AuthUser, Forbidden | Conflict> {
  const before = user.capabilities;
  const forbidden = validateCapabilityChange({
    before,
    after,
    targetId: user.id,
    caller,
    channel: 'PATCH',
    at: 'capabilities',
  });
  if (forbidden !== null) return fail(forbidden);
  if (before.includes('ORG_ADMIN') && !after.includes('ORG_ADMIN') && !otherOrgAdmins) {
    return fail(
      failure(
        'Conflict',
        'capabilities',
        'is the last ORG_ADMIN of the tenant: give ORG_ADMIN to another identity first',
      ),
    );
  }
  return ok({ ...user, capabilities: after });
}
