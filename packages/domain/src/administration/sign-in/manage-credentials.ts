import { type Forbidden, failure } from '../../basics/result/failure.ts';
import { fail, ok, type Result } from '../../basics/result/result.ts';
import { MANAGE_WAYS_IN } from '../authorization.ts';
import { type Capability, type ComparedCaller, effectiveCapabilities, lackedCapability } from '../capability.ts';

/** The fewest and the most hours that a sign-in link is valid. */
export const SIGN_IN_LINK_HOURS = { min: 1, max: 24 } as const;

/** Like `validateCredentialTarget`, but also rejects the caller's own identity, which needs a step-up in its account. */
export function validateOtherCredentialTarget(
  target: CredentialTarget & { readonly identityId: string },
  caller: ComparedCaller,
): Result<null, Forbidden> {
  return target.identityId === caller.identityId
    ? fail(failure('Forbidden', '', 'is the auth user of the caller: its own account at /account changes this'))
    : validateCredentialTarget(target, caller);
}

/** An identity whose credentials another one changes. */
export interface CredentialTarget {
  readonly capabilities: readonly Capability[];
}

/**
 * Fails with `Forbidden` if the identity has a capability that the caller lacks. Otherwise the caller could set a credential and
 * sign in with more rights than its own.
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
  /** When it made the link. */
  readonly capabilities: readonly Capability[];
  /** Now; empty if it is deleted. */
  readonly presentCapabilities: readonly Capability[];
}

/**
 * True if the maker could still create the link for an identity with these capabilities, by what it had then and still has. The
 * link of an application, whose maker is null, is always permitted.
 */
export function isLinkPermitted(capabilities: readonly Capability[], maker: LinkMaker | null): boolean {
  if (maker === null) return true;
  const kept = keptCapabilities(maker);
  return MANAGE_WAYS_IN.capabilities.some((each) => kept.includes(each)) && !exceedsMaker(capabilities, maker);
}

/**
 * True if one of these capabilities was missing when the maker created the link, or is missing now. Then factors set through the
 * link are revoked on promotion, because the maker could use them to sign in with more rights than its own.
 */
export function exceedsMaker(capabilities: readonly Capability[], maker: LinkMaker): boolean {
  const kept = keptCapabilities(maker);
  return capabilities.some((each) => !kept.includes(each));
}

/** Those that the maker had when it made the link, and still has. */
function keptCapabilities({ capabilities, presentCapabilities }: LinkMaker): readonly Capability[] {
  const present = effectiveCapabilities(presentCapabilities);
  return effectiveCapabilities(capabilities).filter((each) => present.includes(each));
}
