import { isPauseDue, type Steps, type WorkBudget } from '../steps/work-budget.ts';
import { type Candidates, createCandidates } from './candidates.ts';
import { RELATED_POLICIES_MAX } from './finding.ts';
import { itemEnd, itemsBySide, itemsOf, type LintRulebook } from './rulebook.ts';
import { type ComparedPolicies, isAsWide, preparePolicies } from './subsumption.ts';

/** The policies that everybody violates who violates a narrower one. */
export interface WiderPolicies {
  /** The first of them by number. */
  readonly first: readonly number[];
  readonly count: number;
}

/** What comparing the enforced policies has shown, by their numbers. */
export interface Comparison {
  /** For each policy with an earlier one that is alike, the earliest. */
  readonly duplicateOf: ReadonlyMap<number, number>;
  /** For each policy with wider ones. */
  readonly widerThan: ReadonlyMap<number, WiderPolicies>;
}

/** Which policies are compared. */
export interface CompareScope {
  /** Enforced policies, in order of their numbers: all that are as wide as a subject must be among them. */
  readonly compared: readonly number[];
  /** Whether a policy's wider ones are looked for. */
  readonly isSubject: (policy: number) => boolean;
  /** Looked at now and then: what has been found until it is true is all that is told. */
  readonly isSpent: () => boolean;
}

/**
 * Compares the subjects with all that can be as wide as they are, in steps. One is as wide as another when whoever violates
 * the other violates it too, whatever exists of their items; two that are as wide as each other are alike.
 */
export function* comparePolicies(
  rulebook: LintRulebook,
  { compared, isSubject, isSpent }: CompareScope,
  budget: WorkBudget,
): Steps<Comparison> {
  const groups = yield* groupAlike(rulebook, compared, budget);
  const chosen = groups.map(([first = 0]) => first);
  const policies = yield* preparePolicies(rulebook, { chosen, budget });
  const candidates = yield* createCandidates(policies, { itemEnd: itemEnd(rulebook), budget });
  const duplicateOf = new Map<number, number>();
  const widerThan = new Map<number, WiderPolicies>();
  for (let place = 0; place < groups.length; place++) {
    const members = (groups[place] ?? []).filter(isSubject);
    if (members.length === 0) continue;
    const found = yield* compareWithAll(place, { policies, candidates, budget, isSpent });
    if (found === null) break;
    const { alike, wider } = found;
    const [first = 0] = groups[Math.min(place, alike[0] ?? place)] ?? [];
    for (const member of members) if (member !== first) duplicateOf.set(member, first);
    if (wider.length === 0) continue;
    const told = widerPolicies(wider.map((at) => groups[at] ?? []));
    for (const member of members) widerThan.set(member, told);
  }
  return { duplicateOf, widerThan };
}

/** Policies in groups of the same sides and the same number of them, each in order; the groups in order of their first ones. */
function* groupAlike(
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

/** Where the policies are that are as wide as the one at a place, in order; null when there is no time for it. */
function* compareWithAll(
  place: number,
  { policies, candidates, budget, isSpent }: Search,
): Steps<{ readonly alike: readonly number[]; readonly wider: readonly number[] } | null> {
  const alike: number[] = [];
  const wider: number[] = [];
  const narrow = policies.at(place);
  for (const candidate of yield* candidates.of(narrow, budget)) {
    if (isSpent()) return null;
    if (candidate === place || !(yield* isAsWide(narrow, { policies, place: candidate, budget }))) continue;
    const isAlike = yield* isAsWide(policies.at(candidate), { policies, place, budget });
    (isAlike ? alike : wider).push(candidate);
  }
  return { alike, wider };
}

// The groups come in order of their first policies, and so do the policies of each: none that is left out is among the first.
function widerPolicies(groups: readonly (readonly number[])[]): WiderPolicies {
  const first = groups.slice(0, RELATED_POLICIES_MAX).flatMap((group) => group.slice(0, RELATED_POLICIES_MAX));
  return {
    first: first.sort((a, b) => a - b).slice(0, RELATED_POLICIES_MAX),
    count: groups.reduce((sum, { length }) => sum + length, 0),
  };
}
