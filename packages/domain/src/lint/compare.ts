import { isPauseDue, type Steps, type WorkBudget } from '../steps/work-budget.ts';
import { type Candidates, createCandidates } from './candidates.ts';
import { RELATED_POLICIES_MAX } from './finding.ts';
import { itemEnd, itemsBySide, itemsOf, type LintRulebook } from './rulebook.ts';
import { type ComparedPolicies, isSubsumed, preparePolicies } from './subsumption.ts';

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
 * Compares the subjects with all policies that may subsume them, in steps. One policy subsumes another when any access that
 * violates the other violates it too, whichever items exist; two that subsume each other are equal.
 */
export function* comparePolicies(
  rulebook: LintRulebook,
  { compared, isSubject, isSpent }: CompareScope,
  budget: WorkBudget,
): Steps<Comparison> {
  const groups = yield* groupIdentical(rulebook, compared, budget);
  const chosen = groups.map(([first = 0]) => first);
  const policies = yield* preparePolicies(rulebook, { chosen, budget });
  const candidates = yield* createCandidates(policies, { itemEnd: itemEnd(rulebook), budget });
  const duplicateOf = new Map<number, number>();
  const broaderThan = new Map<number, BroaderPolicies>();
  for (let place = 0; place < groups.length; place++) {
    const members = (groups[place] ?? []).filter(isSubject);
    if (members.length === 0) continue;
    const found = yield* compareWithAll(place, { policies, candidates, budget, isSpent });
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
function* groupIdentical(
  rulebook: LintRulebook,
  compared: readonly number[],
  budget: WorkBudget,
): Steps<readonly (readonly number[])[]> {
  const groups = new Map<string, number[]>();
  for (const policy of compared) {
    const texts = itemsBySide(rulebook, policy).map((items) => items.join());
    const key = `${rulebook.policies[policy]?.atLeast}:${texts.sort().join(' ')}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [policy]);
    else group.push(policy);
    if (isPauseDue(budget, 1 + itemsOf(rulebook, policy).length)) yield;
  }
  return [...groups.values()];
}

interface Search extends Pick<CompareScope, 'isSpent'> {
  readonly policies: ComparedPolicies;
  readonly candidates: Candidates;
  readonly budget: WorkBudget;
}

/** The places of the policies that subsume the one at a place, ascending; null when time is up. */
function* compareWithAll(
  place: number,
  { policies, candidates, budget, isSpent }: Search,
): Steps<{ readonly equal: readonly number[]; readonly broader: readonly number[] } | null> {
  const equal: number[] = [];
  const broader: number[] = [];
  const narrow = policies.at(place);
  for (const candidate of yield* candidates.of(narrow, budget)) {
    if (isSpent()) return null;
    if (candidate === place || !(yield* isSubsumed(narrow, { policies, place: candidate, budget }))) continue;
    const isEqual = yield* isSubsumed(policies.at(candidate), { policies, place, budget });
    (isEqual ? equal : broader).push(candidate);
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
