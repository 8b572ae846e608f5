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

/** What a round compares, and why. */
export interface RoundPlan {
  /** The rulebook that the round takes in. */
  readonly version: DataVersion['version'];
  /** The identities that it begins with. */
  readonly start: TakenIn;
  /** Whether everything is compared. */
  readonly isFull: boolean;
  /** Whether everything is compared only to verify the register: no policy has changed, though identities may have. */
  readonly isVerification: boolean;
  /** Whether the comparison has waited so long that no change ends it. */
  readonly isOverdue: boolean;
  /** Whether it is known what has changed since the last round. */
  readonly isKnown: boolean;
  /** Whether the register is ahead of the tenant's data, or has diverged from it, as after a restore. */
  readonly isRestored: boolean;
  /** The identities that are compared one by one, deleted ones included. */
  readonly identities: ReadonlySet<string>;
  /** The ids of the policies that are compared for all identities. */
  readonly policies: readonly string[];
  /** Policies that differ from those that the register knows. */
  readonly changedPolicies: readonly KnownPolicy[];
  readonly gonePolicies: readonly string[];
  readonly endedStatus: EndedStatus;
  /** Whether a change of data accounts for a difference. */
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
  const isUnknown = !isKnown || policies.length > POLICIES_MAX;
  // A comparison that is due waits while policies change.
  const isFull = isUnknown || (claim.compareDue <= now && (policies.length === 0 || isOverdue(claim, now)));
  const known = await source.knownPolicies(isFull ? null : policies);
  const { changed, gone } = isFull ? await diffPolicies(source, known) : await diffSome(source, policies ?? []);
  const terms = new Map([...gone.map((id) => [id, ''] as const), ...changed.map(termsOf)]);
  const changedIds = new Set(policies ?? []);
  const touched = new Set([...(identities ?? []), ...(holders ?? [])]);
  return {
    version: source.version,
    start: {
      identityRevision: source.identityRevision,
      identityCount: source.identityCount,
      asOf: latestOf(claim.asOf, now),
    },
    isFull,
    isVerification: isFull && !isUnknown && policies.length === 0,
    isOverdue: isOverdue(claim, now),
    isKnown,
    isRestored,
    policies: policies ?? [],
    identities: identities === null ? new Set() : touched,
    changedPolicies: changed,
    gonePolicies: gone,
    endedStatus: (policyId) => {
      const before = known.get(policyId)?.terms;
      const after = terms.get(policyId);
      return after === undefined || before === undefined || before === after ? 'Remediated' : 'Closed';
    },
    isExpected: (identityId, policyId) => touched.has(identityId) || changedIds.has(policyId),
  };
}

/** How violations have ended by data of any version: the rulebook may change while a round compares. */
export function createEndedStatus(claim: RegisterClaim, plan: RoundPlan) {
  let latest = plan;
  return async (source: RegisterSource): Promise<EndedStatus> => {
    if (!isSameRulebook(source.version, latest.version)) latest = await planRound(claim, source, plan.start.asOf);
    return latest.endedStatus;
  };
}

/** The instant to evaluate for: now, or that of the last round where it is a little later, since the register does not go back. */
export const latestOf = (asOf: string | null, now: string): string =>
  asOf !== null && asOf > now && asOf <= latestUsual(Date.parse(now)) ? asOf : now;

const isOverdue = ({ compareDue }: Pick<RegisterClaim, 'compareDue'>, now: string): boolean =>
  compareDue <= new Date(Date.parse(now) - OVERDUE_MS).toISOString();

const termsOf = ({ policyId, terms }: KnownPolicy) => [policyId, terms] as const;

interface PolicyDifferences {
  readonly changed: readonly KnownPolicy[];
  readonly gone: readonly string[];
}

async function diffPolicies(
  source: RegisterSource,
  known: ReadonlyMap<string, KnownPolicy>,
): Promise<PolicyDifferences> {
  const changed: KnownPolicy[] = [];
  const gone = new Set(known.keys());
  for await (const page of source.allPolicies())
    for (const policy of page) {
      gone.delete(policy.policyId);
      if (policy.terms !== known.get(policy.policyId)?.terms) changed.push(policy);
    }
  return { changed, gone: [...gone] };
}

async function diffSome(source: RegisterSource, ids: readonly string[]): Promise<PolicyDifferences> {
  if (ids.length === 0) return { changed: [], gone: [] };
  const changed = (await source.readPolicies(ids)).map(knownPolicyOf);
  const present = new Set(changed.map(({ policyId }) => policyId));
  return { changed, gone: ids.filter((id) => !present.has(id)) };
}
