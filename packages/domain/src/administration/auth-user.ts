import { admitPatch, applyPatch } from '../json-patch/apply.ts';
import { type Patch, parsePatch } from '../json-patch/parse.ts';
import type { JsonPointer } from '../json-patch/pointer.ts';
import { isObject } from '../json-patch/value.ts';
import { type Failure, failure } from '../result/failure.ts';
import { fail, ok, type Result } from '../result/result.ts';
import type { Caller } from './authorization.ts';
import { type Capability, parseCapabilities, validateCapabilityChange } from './capability.ts';

/** An identity as the authentication system sees it. Unknown values are null. */
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
  /** Without duplicates, in the order given. */
  readonly capabilities: readonly Capability[];
}

/** Reads a patch of an auth user, without looking at any: its shape, and that it touches only `/capabilities` and what is below. */
export function parseAuthUserPatch(body: unknown): Result<Patch, Failure> {
  const patch = parsePatch(body);
  return patch.ok ? admitPatch(patch.value, { isAllowed: isPatchable }) : patch;
}

/**
 * Applies a patch, which may touch `/capabilities` and what is below, and judges what it changes. Fails as
 * `applyPatch` does, with `IllegalValue` or `LimitExceeded` (the result), `Forbidden` (the caller) or `Conflict` (the
 * last `ORG_ADMIN`).
 */
export function patchAuthUser(
  { user, otherOrgAdmins }: { readonly user: AuthUser; readonly otherOrgAdmins: boolean },
  patch: Patch,
  caller: Caller,
): Result<AuthUser, Failure> {
  const before = user.capabilities;
  const patched = applyPatch({ capabilities: before }, patch, { isAllowed: isPatchable });
  if (!patched.ok) return patched;

  const after = parseCapabilities(capabilitiesOf(patched.value), 'capabilities');
  if (!after.ok) return after;
  const refusal = validateCapabilityChange({
    before,
    after: after.value,
    targetId: user.id,
    caller,
    channel: 'PATCH',
    at: 'capabilities',
  });
  if (refusal !== null) return fail(refusal);
  if (before.includes('ORG_ADMIN') && !after.value.includes('ORG_ADMIN') && !otherOrgAdmins) {
    return fail(failure('Conflict', 'capabilities', 'the last ORG_ADMIN must stay'));
  }
  return ok({ ...user, capabilities: after.value });
}

const isPatchable = (pointer: JsonPointer) => pointer[0] === 'capabilities';

/** A removed member stands for none. */
const capabilitiesOf = (patched: unknown): unknown =>
  isObject(patched) && Object.hasOwn(patched, 'capabilities') ? patched['capabilities'] : [];
