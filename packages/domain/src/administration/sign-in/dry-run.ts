import type { DecidingAuthProfile, SignInOutcome } from './decision.ts';
import {
  canProve,
  createSignInGuard,
  type DecidedIdentity,
  decideUnlocked,
  type EnrolledFactors,
  type SignInAsker,
  type SignInView,
} from './guard-rail.ts';
import { compileNetwork, type NetworkConfig } from './network-config.ts';

/** The most identities of the sample of a dry-run. */
export const DRY_RUN_SAMPLE_MAX = 100;

/** An identity whose sign-in another outcome than before is decided for. */
export interface ChangedSignIn {
  readonly identityId: string;
  readonly displayName: string | null;
  readonly before: SignInOutcome;
  readonly after: SignInOutcome;
}

/** What a change of an auth profile, or of the network config, would do to sign-ins. */
export interface SignInDryRun {
  /** How many identities the change concerns. */
  readonly identities: number;
  /** How many of them are blocked after it, but not before. */
  readonly newlyBlocked: number;
  /** How many of them need a second factor after it, but not before. */
  readonly newlySecondFactor: number;
  /** How many of them need a second factor after it and have none enrolled that they can prove. */
  readonly withoutFactor: number;
  /** The first whose outcome changes, by id; the identity of the asker, if it is one of them, before all others. */
  readonly sample: readonly ChangedSignIn[];
  /** Whether the change would be refused, as one that leaves no `ORG_ADMIN` that can sign in. */
  readonly wouldBeRefused: boolean;
}

/** A change that is not made. */
export interface TriedSignInChange {
  readonly network: { readonly before: NetworkConfig; readonly after: NetworkConfig };
  /** An auth profile as it would be after the change; the same one where the change does not concern it. */
  readonly profileAfter: (profile: DecidingAuthProfile) => DecidingAuthProfile;
}

/** An identity that a change concerns. */
export interface ConcernedIdentity extends EnrolledFactors, DecidedIdentity {
  readonly identityId: string;
  readonly displayName: string | null;
}

/** Counts identities that come one at a time, by id. */
export interface SignInDryRunCount {
  readonly add: (identity: ConcernedIdentity) => void;
  /** The result; the view is that of before the change. */
  readonly finish: (view: SignInView) => SignInDryRun;
}

/** The asker, with the identity that asks; null for an application. */
export interface DryRunAsker extends SignInAsker {
  readonly identityId: string | null;
}

/** Compares the decisions before and after a change, for sign-ins from where the asker is. */
export function createSignInDryRun(change: TriedSignInChange, asker: DryRunAsker): SignInDryRunCount {
  const decide = createDecisions(change, asker);
  const counts = { identities: 0, newlyBlocked: 0, newlySecondFactor: 0, withoutFactor: 0 };
  const own: ChangedSignIn[] = [];
  const others: ChangedSignIn[] = [];
  return {
    add: ({ identityId, displayName, authProfile, active, ...factors }) => {
      const { before, after } = decide({ authProfile, active });
      const isNew = before.decision !== after.decision;
      counts.identities += 1;
      if (isNew && after.decision === 'BLOCK') counts.newlyBlocked += 1;
      if (isNew && after.decision === 'SECOND_FACTOR') counts.newlySecondFactor += 1;
      if (after.decision === 'SECOND_FACTOR' && !canProve(after, factors)) counts.withoutFactor += 1;
      const sample = identityId === asker.identityId ? own : others;
      if (isNew && sample.length < DRY_RUN_SAMPLE_MAX)
        sample.push({ identityId, displayName, before: before.decision, after: after.decision });
    },
    finish: (view) => ({
      ...counts,
      sample: [...own, ...others].slice(0, DRY_RUN_SAMPLE_MAX),
      wouldBeRefused: wouldBeRefused(view, change, asker),
    }),
  };
}

/** Decides once for each auth profile, and for active and other identities. */
function createDecisions({ network, profileAfter }: TriedSignInChange, asker: SignInAsker) {
  const networkBefore = compileNetwork(network.before);
  const networkAfter = compileNetwork(network.after);
  const decisions = new Map<string, ReturnType<typeof decideBoth>>();
  const decideBoth = ({ active, authProfile }: DecidedIdentity) => ({
    before: decideUnlocked({ active, authProfile }, networkBefore, asker),
    after: decideUnlocked({ active, authProfile: profileAfter(authProfile) }, networkAfter, asker),
  });
  return (identity: DecidedIdentity) => {
    const key = `${identity.active} ${identity.authProfile.id}`;
    const known = decisions.get(key) ?? decideBoth(identity);
    decisions.set(key, known);
    return known;
  };
}

function wouldBeRefused(view: SignInView, { network, profileAfter }: TriedSignInChange, asker: SignInAsker): boolean {
  const { holds } = createSignInGuard(asker);
  const admins = view.admins.map((group) => ({ ...group, authProfile: profileAfter(group.authProfile) }));
  return holds(view) && !holds({ admins, network: network.after });
}
