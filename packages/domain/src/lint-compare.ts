import { type Candidates, createCandidates } from './lint-candidates.ts';
import { RELATED_POLICIES_MAX } from './lint-finding.ts';
import { itemEnd, type LintRulebook } from './lint-rulebook.ts';
import { type ComparedPolicies, isAlwaysReached, preparePolicies, reachOf } from './lint-subsumption.ts';
import { rowAt } from './number-rows.ts';
import { isPauseDue, type Pace } from './pace.ts';

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

/**
 * Compares each enforced policy with all that can be as wide as it, in steps. One is as wide as another when whoever violates
 * the other violates it too, whatever exists of their items; two that are as wide as each other are alike.
 */
export function* comparePolicies(rulebook: LintRulebook, pace: Pace): Generator<void, Comparison> {
  const groups = yield* groupAlike(rulebook, pace);
  const chosen = groups.map(([first = 0]) => first);
  const policies = yield* preparePolicies(rulebook, { chosen, pace });
  const candidates = yield* createCandidates(policies, { itemEnd: itemEnd(rulebook), pace });
  const duplicateOf = new Map<number, number>();
  const widerThan = new Map<number, WiderPolicies>();
  for (let place = 0; place < groups.length; place++) {
    const members = groups[place] ?? [];
    const { alike, wider } = yield* compareWithAll(place, { policies, candidates, pace });
    const [first = 0] = groups[Math.min(place, alike[0] ?? place)] ?? [];
    for (const member of members) if (member !== first) duplicateOf.set(member, first);
    if (wider.length === 0) continue;
    const told = widerPolicies(wider.map((at) => groups[at] ?? []));
    for (const member of members) widerThan.set(member, told);
  }
  return { duplicateOf, widerThan };
}

/** Enforced policies in groups of the same sides and the same number of them, each in order; the groups in order of their first ones. */
function* groupAlike(
  { policies, sideStarts, sides }: LintRulebook,
  pace: Pace,
): Generator<void, readonly (readonly number[])[]> {
  const groups = new Map<string, number[]>();
  for (const [policy, { isEnforced, atLeast }] of policies.entries()) {
    if (!isEnforced) continue;
    const texts: string[] = [];
    const end = sideStarts[policy + 1] ?? 0;
    let items = 1;
    for (let side = sideStarts[policy] ?? 0; side < end; side++) {
      const row = rowAt(sides, side);
      texts.push(row.join());
      items += row.length;
    }
    const key = `${atLeast}:${texts.sort().join(' ')}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [policy]);
    else group.push(policy);
    if (isPauseDue(pace, items)) yield;
  }
  return [...groups.values()];
}

interface Search {
  readonly policies: ComparedPolicies;
  readonly candidates: Candidates;
  readonly pace: Pace;
}

/** Where the policies are that are as wide as the one at a place, in order. */
function* compareWithAll(
  place: number,
  { policies, candidates, pace }: Search,
): Generator<void, { readonly alike: readonly number[]; readonly wider: readonly number[] }> {
  const alike: number[] = [];
  const wider: number[] = [];
  const narrow = policies.at(place);
  for (const candidate of yield* candidates.of(narrow, pace)) {
    if (candidate === place) continue;
    const reach = reachOf(narrow, policies, candidate);
    if (isPauseDue(pace, reach === null ? 1 : COMPARISON_WORK)) yield;
    if (reach === null) continue;
    const wide = policies.at(candidate);
    if (!(yield* isAlwaysReached(reach, { choose: narrow.atLeast, atLeast: wide.atLeast, pace }))) continue;
    const back = reachOf(wide, policies, place);
    const isAlike =
      back !== null && (yield* isAlwaysReached(back, { choose: wide.atLeast, atLeast: narrow.atLeast, pace }));
    (isAlike ? alike : wider).push(candidate);
  }
  return { alike, wider };
}

// What takes to look up all the items of a policy in another one, there and back.
const COMPARISON_WORK = 16;

// The groups come in order of their first policies, and so do the policies of each: none that is left out is among the first.
function widerPolicies(groups: readonly (readonly number[])[]): WiderPolicies {
  const first = groups.slice(0, RELATED_POLICIES_MAX).flatMap((group) => group.slice(0, RELATED_POLICIES_MAX));
  return {
    first: first.sort((a, b) => a - b).slice(0, RELATED_POLICIES_MAX),
    count: groups.reduce((sum, { length }) => sum + length, 0),
  };
}
