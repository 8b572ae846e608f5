import type { Patch } from '../basics/json-patch/parse.ts';
import { patchResource } from '../basics/json-patch/resource.ts';
import { type Failure, failure } from '../basics/result/failure.ts';
import { fail, ok, type Result } from '../basics/result/result.ts';
import type { Caller } from './authorization.ts';
import { type Capability, parseCapabilities, validateCapabilityChange } from './capability.ts';

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

/** Patches of the capabilities; removing the member removes all of them. */
const CAPABILITIES = patchResource<Pick<AuthUser, 'capabilities'>, readonly Capability[]>(
  ({ capabilities = [] }) => parseCapabilities(capabilities, 'capabilities'),
  { capabilities: 'optional' },
);

/** Parses a patch of an auth user: its shape, and that it touches only `/capabilities` and below. Needs no auth user. */
export const parseAuthUserPatch = CAPABILITIES.parse;

/**
 * Applies a patch of `/capabilities` and below, and validates the change. Fails as `applyPatch` does, and with `IllegalValue`
 * or `LimitExceeded` (invalid capabilities), `Forbidden` (rights of the caller) or `Conflict` (the last `ORG_ADMIN`).
 */
export function patchAuthUser(
  { user, otherOrgAdmins }: { readonly user: AuthUser; readonly otherOrgAdmins: boolean },
  patch: Patch,
  caller: Caller,
): Result<AuthUser, Failure> {
  const before = user.capabilities;
  const after = CAPABILITIES.apply(user, patch);
  if (!after.ok) return after;
  const forbidden = validateCapabilityChange({
    before,
    after: after.value,
    targetId: user.id,
    caller,
    channel: 'PATCH',
    at: 'capabilities',
  });
  if (forbidden !== null) return fail(forbidden);
  if (before.includes('ORG_ADMIN') && !after.value.includes('ORG_ADMIN') && !otherOrgAdmins) {
    return fail(
      failure(
        'Conflict',
        'capabilities',
        'is the last ORG_ADMIN of the tenant: give ORG_ADMIN to another identity first',
      ),
    );
  }
  return ok({ ...user, capabilities: after.value });
}
