import { type Conflict, failure } from '../../basics/result/failure.ts';
import { type DecidingAuthProfile, decideSignIn, type SignInDecision, type SignInFacts } from './decision.ts';
import { type CompiledNetwork, compileNetwork, type NetworkConfig } from './network-config.ts';

/** The factors that an identity has enrolled. */
export interface EnrolledFactors {
  readonly hasPassword: boolean;
  readonly hasTotp: boolean;
  readonly hasPasskey: boolean;
}

/** What of an identity, and not of where it signs in, decides on its sign-in. */
export type DecidedIdentity = Pick<SignInFacts, 'active'> & { readonly authProfile: DecidingAuthProfile };

/** Identities with `ORG_ADMIN`, active or not, that have one auth profile and the same kinds of factors. */
export interface AdminGroup extends EnrolledFactors, DecidedIdentity {}

/** The data on which it depends whether an administrator can sign in. */
export interface SignInView {
  readonly admins: readonly AdminGroup[];
  readonly network: NetworkConfig;
}

/** From where a change is asked for, and which applications verify users there. */
export interface SignInAsker {
  readonly address: string;
  readonly country: string | null;
  readonly isApplicationKnown: (id: string | null) => boolean;
}

/** What a change must not take away: that an administrator can sign in from where the change is asked for. */
export interface SignInGuard {
  readonly holds: (view: SignInView) => boolean;
  readonly refusal: Conflict;
}

/** The decision on an identity. Locks are left out: they end by themselves. */
export function decideUnlocked(
  { active, authProfile }: DecidedIdentity,
  network: CompiledNetwork,
  { address, country, isApplicationKnown }: SignInAsker,
): SignInDecision {
  const applicationKnown = isApplicationKnown(authProfile.applicationId);
  return decideSignIn({ active, authProfile, lockedOut: false, address, country, network, applicationKnown });
}

/** Whether the factors suffice where a sign-in is decided so. */
export function canProve(
  { decision, verifiedBy }: SignInDecision,
  { hasPassword, hasTotp, hasPasskey }: EnrolledFactors,
): boolean {
  const isVerifiedElsewhere = verifiedBy === 'APPLICATION';
  if (decision === 'ALLOW') return isVerifiedElsewhere || hasPassword || hasPasskey;
  return decision === 'SECOND_FACTOR' && (hasPasskey || (hasTotp && (isVerifiedElsewhere || hasPassword)));
}

/** The guard of changes that are asked for from there. */
export const createSignInGuard = (asker: SignInAsker): SignInGuard => ({
  holds: ({ admins, network }) => {
    const compiled = compileNetwork(network);
    return admins.some((group) => canProve(decideUnlocked(group, compiled, asker), group));
  },
  refusal: failure(
    'Conflict',
    '',
    'would leave the tenant without an ORG_ADMIN that can sign in from this address: let another one sign in first',
  ),
});

const EVERYWHERE = compileNetwork({ range: null, geolocation: null, whitelisted: false });

/** The guard of changes that a program asks for, whose address says nothing about where administrators sign in. */
export const createSignInGuardAnywhere = (asker: Pick<SignInAsker, 'isApplicationKnown'>): SignInGuard => ({
  holds: ({ admins }) =>
    admins.some((group) =>
      canProve(decideUnlocked(group, EVERYWHERE, { ...asker, address: '', country: null }), group),
    ),
  refusal: failure(
    'Conflict',
    '',
    'would leave the tenant without an ORG_ADMIN that can sign in: let another one sign in first',
  ),
});
