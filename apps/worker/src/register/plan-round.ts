import {
  type DataVersion,
  type KnownPolicy,
  knownPolicyOf,
  latestUsual,
  type RegisterClaim,
  type RegisterSource,
} from '@access-admin/store';
import { isSameRulebook } from '../reports/open-current.ts';

/** The status of a violation of a policy that has ended though its identity exists. */
export type EndedStatus = (policyId: string) => 'Remediated' | 'Closed';

/**
 * What a round compares, why, and the instant that it publishes:
 *
 * | kind           | compares                                  | because                                                      | publishes               |
 * | -------------- | ----------------------------------------- | ------------------------------------------------------------ | ----------------------- |
 * | `changes`      | identities and policies that have changed | something has changed                                        | its beginning           |
 * | `everything`   | the identities that have changed, then    | it is not known what has changed, or many policies have, or  | its beginning           |
 * |                | all                                       | a verification has waited too long for policies to rest      |                         |
 * | `verification` | the identities that have changed, then    | that is done once a day, although no policy has changed      | that of its last        |
 * |                | all                                       |                                                              | catch-up                |
 */
export interface RoundPlan {
  readonly kind: 'changes' | 'everything' | 'verification';
  /** The rulebook that the round takes in. */
  readonly version: DataVersion['version'];
  /** The identities that it begins with. */
  readonly start: TakenIn;
  /** Whether a change of the rulebook ends the round: one that only verifies gives way, until it is overdue. */
  readonly givesWay: boolean;
  /** The identities that are compared one by one, deleted ones included. */
  readonly identities: ReadonlySet<string>;
  /** The ids of the policies that are compared for all identities. */
  readonly policies: readonly string[];
  /** Policies that differ from those that the register knows. */
  readonly changedPolicies: readonly KnownPolicy[];
  readonly gonePolicies: readonly string[];
  readonly endedStatus: EndedStatus;
  /** Whether a change of data accounts for a difference. Where it is not known what has changed, one may account for each; after a restore, for none. */
  isExpected(identityId: string, policyId: string): boolean;
}

/** What the register has of the identities. */
export interface TakenIn {
  readonly identityRevision: number;
  readonly identityCount: number;
  /** The instant that the changed ones were evaluated for. */
  readonly asOf: string;
}

// Above this, comparing all policies at once is faster.
const POLICIES_MAX = 200;
/** How long a full comparison may be put off by rounds of changes, in milliseconds. */
const OVERDUE_MS = 3_600_000;

/** Reads what has changed since the last round, and decides what to compare. */
export async function planRound(claim: RegisterClaim, source: RegisterSource, now: string): Promise<RoundPlan> {
  const { identities, policies, holders, isRestored } = await source.changesSince(claim, now);
  const isKnown = identities !== null && policies !== null && holders !== null;
  const isOverdue = claim.compareDue <= new Date(Date.parse(now) - OVERDUE_MS).toISOString();
  const kind = kindOf(isKnown ? policies.length : null, { isDue: claim.compareDue <= now, isOverdue });
  const { changed, gone, endedStatus } = await diffPolicies(source, kind === 'changes' ? policies : null);
  const changedIds = new Set(policies ?? []);
  const touched = new Set([...(identities ?? []), ...(holders ?? [])]);
  return {
    kind,
    version: source.version,
    start: {
      identityRevision: source.identityRevision,
      identityCount: source.identityCount,
      asOf: latestOf(claim.asOf, now),
    },
    givesWay: kind === 'verification' && !isOverdue,
    policies: policies ?? [],
    identities: identities === null ? new Set() : touched,
    changedPolicies: changed,
    gonePolicies: gone,
    endedStatus,
    isExpected: (identityId, policyId) => (isKnown ? touched.has(identityId) || changedIds.has(policyId) : !isRestored),
  };
}

/** `policyCount` is the number of changed policies; null where it is unknown what has changed. */
function kindOf(
  policyCount: number | null,
  { isDue, isOverdue }: { readonly isDue: boolean; readonly isOverdue: boolean },
): RoundPlan['kind'] {
  if (policyCount === null || policyCount > POLICIES_MAX) return 'everything';
  if (!isDue) return 'changes';
  if (policyCount === 0) return 'verification';
  // A comparison that is due waits while policies change.
  return isOverdue ? 'everything' : 'changes';
}

/** How violations have ended by data of any version: the rulebook may change while a round compares. */
export function createEndedStatus(claim: RegisterClaim, plan: RoundPlan) {
  let latest: Pick<RoundPlan, 'version' | 'endedStatus'> = plan;
  return async (source: RegisterSource): Promise<EndedStatus> => {
    if (!isSameRulebook(source.version, latest.version)) {
      const { policies } = await source.changesSince(claim, plan.start.asOf);
      const some = policies === null || policies.length > POLICIES_MAX ? null : policies;
      latest = { version: source.version, endedStatus: (await diffPolicies(source, some)).endedStatus };
    }
    return latest.endedStatus;
  };
}

/** The instant to evaluate for: now, or that of the last round where it is a little later, since the register does not go back. */
export const latestOf = (asOf: string | null, now: string): string =>
  asOf !== null && asOf > now && asOf <= latestUsual(Date.parse(now)) ? asOf : now;

/** The terms of a policy that is gone, or not enforced. */
const NOT_ENFORCED = '';

interface PolicyDifferences {
  readonly changed: readonly KnownPolicy[];
  readonly gone: readonly string[];
  readonly endedStatus: EndedStatus;
}

/** Compares the policies with these ids, or all for null, with those of the register. */
async function diffPolicies(source: RegisterSource, ids: readonly string[] | null): Promise<PolicyDifferences> {
  const known = await source.knownPolicies(ids);
  const { changed, gone } = ids === null ? await diffAll(source, known) : await diffSome(source, ids);
  const terms = new Map(changed.map((policy) => [policy.policyId, policy.terms]));
  for (const id of gone) terms.set(id, NOT_ENFORCED);
  const endedStatus: EndedStatus = (policyId) => {
    const before = known.get(policyId)?.terms;
    const after = terms.get(policyId);
    if (after === undefined) return 'Remediated';
    // A policy that came and went during a round is not known.
    const isSame = before === undefined ? after !== NOT_ENFORCED : before === after;
    return isSame ? 'Remediated' : 'Closed';
  };
  return { changed, gone, endedStatus };
}

async function diffAll(source: RegisterSource, known: ReadonlyMap<string, KnownPolicy>) {
  const changed: KnownPolicy[] = [];
  const gone = new Set(known.keys());
  for await (const page of source.allPolicies())
    for (const policy of page) {
      gone.delete(policy.policyId);
      if (policy.terms !== known.get(policy.policyId)?.terms) changed.push(policy);
    }
  return { changed, gone: [...gone] };
}

async function diffSome(source: RegisterSource, ids: readonly string[]) {
  if (ids.length === 0) return { changed: [], gone: [] };
  const changed = (await source.readPolicies(ids)).map(knownPolicyOf);
  const present = new Set(changed.map(({ policyId }) => policyId));
  return { changed, gone: ids.filter((id) => !present.has(id)) };
}
