import { createCandidates } from './candidates.ts';
import type { CompareScope } from './compare.ts';
import type { NumberedFocus } from './focus.ts';
import { PAUSE, type Pieces } from './pieces.ts';
import { enforcedPolicies, itemEnd, type LintedPolicy, type LintRulebook, policyOf } from './rulebook.ts';
import { isSubsumed } from './subsumption.ts';

/** The policies whose comparison is asked for. */
export interface ScopeRequest extends Pick<CompareScope, 'isSpent'> {
  /** All broader and narrower policies of those in focus are to be found. */
  readonly focus: Pick<NumberedFocus, 'policies'>;
}

/**
 * Which enforced policies to compare to find all that concerns the given ones. The subjects are these and the policies that one
 * of them subsumes, as far as time allows.
 */
export function* chooseScope(rulebook: LintRulebook, request: ScopeRequest): Pieces<CompareScope> {
  const {
    focus: { policies },
    isSpent,
  } = request;
  const enforced = enforcedPolicies(rulebook);
  if (enforced.every((policy) => policies[policy] === 1)) return { compared: enforced, isSubject: () => true, isSpent };
  const subjects = yield* addNarrower(rulebook, enforced, request);
  const rare = yield* markRarest(rulebook, enforced, subjects);
  const compared: number[] = [];
  for (const policy of enforced) {
    if (policyOf(rulebook, policy).sides.some((side) => side.some((item) => rare[item] === 1))) compared.push(policy);
    yield PAUSE;
  }
  return { compared, isSubject: (policy) => subjects[policy] === 1, isSpent };
}

/** Marks the given policies and the enforced policies that one of them subsumes. */
function* addNarrower(
  rulebook: LintRulebook,
  enforced: readonly number[],
  { focus: { policies }, isSpent }: ScopeRequest,
): Pieces<Uint8Array> {
  const subjects = policies.slice();
  const broad = enforced.filter((policy) => policies[policy] === 1).map((policy) => policyOf(rulebook, policy));
  const candidatesOf = yield* createCandidates(broad, itemEnd(rulebook));
  const isItem = new Uint8Array(itemEnd(rulebook));
  for (const { sides } of broad) for (const item of sides.flat()) isItem[item] = 1;
  for (const policy of enforced) {
    yield PAUSE;
    if (isSpent()) break;
    const narrow = policyOf(rulebook, policy);
    if (policies[policy] === 1 || !mayBeSubsumed(narrow, isItem)) continue;
    for (const place of candidatesOf(narrow)) {
      yield PAUSE;
      const other = broad[place];
      if (other === undefined || !isSubsumed(narrow, other)) continue;
      subjects[policy] = 1;
      break;
    }
  }
  return subjects;
}

/** A subsuming policy has all items of all sides except `atLeast - 1` of them. */
function mayBeSubsumed({ sides, atLeast }: LintedPolicy, isItem: Uint8Array): boolean {
  let missed = 0;
  for (const side of sides) if (!side.every((item) => isItem[item] === 1) && ++missed === atLeast) return false;
  return true;
}

/** Marks so few items that each policy which subsumes a subject has one: of any `atLeast` sides it has one completely. */
function* markRarest(rulebook: LintRulebook, enforced: readonly number[], subjects: Uint8Array): Pieces<Uint8Array> {
  const counts = new Uint32Array(itemEnd(rulebook));
  for (const policy of enforced) {
    for (const item of policyOf(rulebook, policy).sides.flat()) counts[item] = (counts[item] ?? 0) + 1;
    yield PAUSE;
  }
  const rarer = (a: number, b: number) => ((counts[b] ?? 0) < (counts[a] ?? 0) ? b : a);
  const marks = new Uint8Array(counts.length);
  for (const policy of enforced) {
    if (subjects[policy] !== 1) continue;
    const { sides, atLeast } = policyOf(rulebook, policy);
    const rarest = sides.map((side) => side.reduce(rarer));
    const fewest = rarest.sort((a, b) => (counts[a] ?? 0) - (counts[b] ?? 0));
    for (const item of fewest.slice(0, atLeast)) marks[item] = 1;
    yield PAUSE;
  }
  return marks;
}
