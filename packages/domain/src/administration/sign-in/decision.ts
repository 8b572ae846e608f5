import type { AuthProfile } from '../auth-profile.ts';
import { isInRanges } from '../network/ranges.ts';
import type { CompiledNetwork } from './network-config.ts';

/** Why a decision is as it is, in the order in which decisions list them. */
export const SIGN_IN_REASONS = [
  'NO_AUTH_PROFILE',
  'PROFILE_BLOCKED',
  'INACTIVE',
  'LOCKED_OUT',
  'OFF_NETWORK',
  'UNTRUSTED_GEOGRAPHY',
  'SECOND_FACTOR_REQUIRED',
  'NOT_CONFIGURED',
  'APPLICATION_UNKNOWN',
] as const;

/** Why a decision is as it is. */
export type SignInReason = (typeof SIGN_IN_REASONS)[number];

/** What happens when an identity signs in and proves who it is. */
export const SIGN_IN_OUTCOMES = ['ALLOW', 'SECOND_FACTOR', 'BLOCK'] as const;

/** What happens when an identity signs in and proves who it is. */
export type SignInOutcome = (typeof SIGN_IN_OUTCOMES)[number];

/** The properties of an auth profile that decide. */
export type DecidingAuthProfile = Pick<
  AuthProfile,
  'id' | 'name' | 'type' | 'offNetwork' | 'untrustedGeography' | 'applicationId' | 'strongAuthLogin'
>;

/** A lock after failed attempts, of a user or of an address. Times are in milliseconds since 1970. */
export interface SignInLock {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Whether a lock holds at an instant: from its beginning on, and until its end without it. */
export const holdsAt = ({ fromMs, untilMs }: SignInLock, atMs: number): boolean => fromMs <= atMs && atMs < untilMs;

/** What a decision depends on. */
export interface SignInFacts {
  /** Whether the identity is active. */
  readonly active: boolean;
  /** Null for an identity without an identity profile. */
  readonly authProfile: DecidingAuthProfile | null;
  /** Whether the identity or the address is locked after failed attempts. */
  readonly lockedOut: boolean;
  /** The address of the client; a text that is no address is in no range. */
  readonly address: string;
  /** Two capital letters; null when unknown. */
  readonly country: string | null;
  readonly network: CompiledNetwork;
  /** Whether the application of the auth profile is configured for the tenant; used for the type PTA alone. */
  readonly applicationKnown: boolean;
}

/** Whether and how an identity may sign in. */
export interface SignInDecision {
  readonly decision: SignInOutcome;
  /** All that apply, in the order of `SIGN_IN_REASONS`. */
  readonly reasons: readonly SignInReason[];
  readonly authProfile: Pick<AuthProfile, 'id' | 'name' | 'type'> | null;
  /** What verifies the first factor; null where nothing could: without an auth profile, or of type BLOCK. */
  readonly verifiedBy: 'PASSWORD' | 'APPLICATION' | null;
}

interface Rule {
  readonly reason: SignInReason;
  /** The outcome that the rule demands; null for a rule that only informs. */
  readonly outcome: 'BLOCK' | 'SECOND_FACTOR' | null;
  readonly applies: (profile: DecidingAuthProfile, facts: SignInFacts) => boolean;
}

/** The rules for an identity that has an auth profile, in the order of `SIGN_IN_REASONS`. */
const RULES: readonly Rule[] = [
  { reason: 'PROFILE_BLOCKED', outcome: 'BLOCK', applies: ({ type }) => type === 'BLOCK' },
  { reason: 'INACTIVE', outcome: 'BLOCK', applies: (_, { active }) => !active },
  { reason: 'LOCKED_OUT', outcome: 'BLOCK', applies: (_, { lockedOut }) => lockedOut },
  {
    reason: 'OFF_NETWORK',
    outcome: 'BLOCK',
    applies: ({ offNetwork }, { address, network: { ranges } }) =>
      offNetwork && ranges !== null && !isInRanges(address, ranges),
  },
  {
    reason: 'UNTRUSTED_GEOGRAPHY',
    outcome: 'BLOCK',
    applies: ({ untrustedGeography }, { country, network }) => untrustedGeography && isUntrusted(country, network),
  },
  {
    reason: 'SECOND_FACTOR_REQUIRED',
    outcome: 'SECOND_FACTOR',
    applies: ({ type, strongAuthLogin }) => type === 'MFA' || strongAuthLogin,
  },
  {
    reason: 'NOT_CONFIGURED',
    outcome: null,
    applies: ({ offNetwork, untrustedGeography }, { network: { ranges, countries } }) =>
      (offNetwork && ranges === null) || (untrustedGeography && countries === null),
  },
  {
    reason: 'APPLICATION_UNKNOWN',
    outcome: 'BLOCK',
    applies: ({ type }, { applicationKnown }) => type === 'PTA' && !applicationKnown,
  },
];

/** Decides whether and how an identity may sign in: blocked by any rule that blocks, else with the factors that apply. */
export function decideSignIn(facts: SignInFacts): SignInDecision {
  const profile = facts.authProfile;
  if (profile === null) {
    const reasons: SignInReason[] = ['NO_AUTH_PROFILE'];
    if (!facts.active) reasons.push('INACTIVE');
    if (facts.lockedOut) reasons.push('LOCKED_OUT');
    return { decision: 'BLOCK', reasons, authProfile: null, verifiedBy: null };
  }
  const reasons: SignInReason[] = [];
  let decision: SignInOutcome = 'ALLOW';
  for (const { reason, outcome, applies } of RULES) {
    if (!applies(profile, facts)) continue;
    reasons.push(reason);
    if (outcome !== null && decision !== 'BLOCK') decision = outcome;
  }
  const { id, name, type } = profile;
  return { decision, reasons, authProfile: { id, name, type }, verifiedBy: VERIFIED_BY[type] };
}

const VERIFIED_BY = {
  BLOCK: null,
  MFA: 'PASSWORD',
  NON_PTA: 'PASSWORD',
  PTA: 'APPLICATION',
} as const satisfies Record<DecidingAuthProfile['type'], SignInDecision['verifiedBy']>;

/** An unknown country is untrusted wherever countries are configured. */
function isUntrusted(country: string | null, { countries, whitelisted }: CompiledNetwork): boolean {
  if (countries === null) return false;
  return country === null || countries.has(country) !== whitelisted;
}
