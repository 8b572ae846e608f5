import { type Forbidden, failure } from '../../basics/result/failure.ts';
import { fail, ok, type Result } from '../../basics/result/result.ts';
import { MANAGE_WAYS_IN } from '../authorization.ts';
import { type Capability, type ComparedCaller, effectiveCapabilities, lackedCapability } from '../capability.ts';

/** The fewest and the most hours that a sign-in link is valid. */
export const SIGN_IN_LINK_HOURS = { min: 1, max: 24 } as const;

/**
 * Whether a caller may change one part of how an identity signs in: as `validateCredentialTarget`, and never its own, which
 * its account changes after a factor was proven again.
 */
export function validateOtherCredentialTarget(
  target: CredentialTarget & { readonly identityId: string },
  caller: ComparedCaller,
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
  caller: ComparedCaller,
): Result<null, Forbidden> {
  const lacked = lackedCapability(capabilities, caller);
  return lacked === null
    ? ok(null)
    : fail(failure('Forbidden', '', `the auth user has the capability ${lacked}, which the caller lacks`));
}

/** The identity that made a sign-in link. */
export interface LinkMaker {
  /** What it had when it made the link. */
  readonly capabilities: readonly Capability[];
  /** What it has now; none where it is deleted. */
  readonly presentCapabilities: readonly Capability[];
}

/**
 * Whether a link may be used for an identity with these capabilities: its maker must still be permitted to make it, with no
 * more capabilities than it had then and still has. A link of an application, whose maker is null, always may.
 */
export function isLinkPermitted(capabilities: readonly Capability[], maker: LinkMaker | null): boolean {
  if (maker === null) return true;
  const kept = keptCapabilities(maker);
  return MANAGE_WAYS_IN.capabilities.some((each) => kept.includes(each)) && !exceedsMaker(capabilities, maker);
}

/**
 * Whether an identity with these capabilities has one that the maker of a used link lacked then, or lacks now. When such an
 * identity gains a capability, what was set by the link ends: else its maker could sign in as somebody with more rights.
 */
export function exceedsMaker(capabilities: readonly Capability[], maker: LinkMaker): boolean {
  const kept = keptCapabilities(maker);
  return capabilities.some((each) => !kept.includes(each));
}

/** What a maker had when it made the link, and still has. */
function keptCapabilities({ capabilities, presentCapabilities }: LinkMaker): readonly Capability[] {
  const present = effectiveCapabilities(presentCapabilities);
  return effectiveCapabilities(capabilities).filter((each) => present.includes(each));
}
