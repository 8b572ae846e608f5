import { createCandidates, type FindCandidates } from './candidates.ts';
import { PAUSE, type Pieces } from './pieces.ts';
import { itemEnd, type LintedPolicy, type LintRulebook, policyOf } from './rulebook.ts';
import { isSubsumed } from './subsumption.ts';

/** The most of the policies that subsume a narrower one that are told. */
export const RELATED_POLICIES_MAX = 10;

/** The policies that subsume a narrower one. */
export interface BroaderPolicies {
  /** The lowest of their numbers, ascending. */
  readonly first: readonly number[];
  readonly count: number;
}

/** What comparing the enforced policies has shown, by their numbers. */
export interface Comparison {
  /** For each policy that equals an earlier one, the earliest. */
  readonly duplicateOf: ReadonlyMap<number, number>;
  /** For each policy that others subsume, without those that equal it. */
  readonly broaderThan: ReadonlyMap<number, BroaderPolicies>;
}

/** Which policies are compared. */
export interface CompareScope {
  /** Enforced policies, ascending. They include every policy that subsumes a subject. */
  readonly compared: readonly number[];
  /** Whether the policies that subsume a policy are searched. */
  readonly isSubject: (policy: number) => boolean;
  /** Called repeatedly; once it returns true, the comparison ends with the results so far. */
  readonly isSpent: () => boolean;
}

/**
 * Compares the subjects with all policies that may subsume them. One policy subsumes another when any access that violates the
 * other violates it too, whichever items exist; two that subsume each other are equal.
 */
export function* comparePolicies(
  rulebook: LintRulebook,
  { compared, isSubject, isSpent }: CompareScope,
): Pieces<Comparison> {
  const groups = yield* groupIdentical(rulebook, compared);
  const policies = groups.map(([first = 0]) => policyOf(rulebook, first));
  const candidatesOf = yield* createCandidates(policies, itemEnd(rulebook));
  const duplicateOf = new Map<number, number>();
  const broaderThan = new Map<number, BroaderPolicies>();
  for (const [place, policy] of policies.entries()) {
    const members = (groups[place] ?? []).filter(isSubject);
    if (members.length === 0) continue;
    const found = yield* compareWithAll(policy, { policies, candidatesOf, isSpent });
    if (found === null) break;
    const { equal, broader } = found;
    const [first = 0] = groups[Math.min(place, equal[0] ?? place)] ?? [];
    for (const member of members) if (member !== first) duplicateOf.set(member, first);
    if (broader.length === 0) continue;
    const summary = summarize(broader.map((at) => groups[at] ?? []));
    for (const member of members) broaderThan.set(member, summary);
  }
  return { duplicateOf, broaderThan };
}

/** Groups policies with identical sides and `atLeast`, ascending within a group; groups are sorted by their first policy. */
function* groupIdentical(rulebook: LintRulebook, compared: readonly number[]): Pieces<readonly (readonly number[])[]> {
  const groups = new Map<string, number[]>();
  for (const policy of compared) {
    const { sides, atLeast } = policyOf(rulebook, policy);
    const texts = sides.map((items) => items.join());
    const key = `${atLeast}:${texts.sort().join(' ')}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [policy]);
    else group.push(policy);
    yield PAUSE;
  }
  return [...groups.values()];
}

interface Search extends Pick<CompareScope, 'isSpent'> {
  readonly policies: readonly LintedPolicy[];
  readonly candidatesOf: FindCandidates;
}

/** The places of the policies that subsume one of them, ascending; null when time is up. */
function* compareWithAll(
  narrow: LintedPolicy,
  { policies, candidatesOf, isSpent }: Search,
): Pieces<{ readonly equal: readonly number[]; readonly broader: readonly number[] } | null> {
  const equal: number[] = [];
  const broader: number[] = [];
  for (const candidate of candidatesOf(narrow)) {
    yield PAUSE;
    if (isSpent()) return null;
    const other = policies[candidate];
    if (other === undefined || other === narrow || !isSubsumed(narrow, other)) continue;
    (isSubsumed(other, narrow) ? equal : broader).push(candidate);
  }
  return { equal, broader };
}

// Groups and their members are sorted, so the policies cut off here are not among the first of all.
function summarize(groups: readonly (readonly number[])[]): BroaderPolicies {
  const first = groups.slice(0, RELATED_POLICIES_MAX).flatMap((group) => group.slice(0, RELATED_POLICIES_MAX));
  return {
    first: first.sort((a, b) => a - b).slice(0, RELATED_POLICIES_MAX),
    count: groups.reduce((sum, { length }) => sum + length, 0),
  };
}
