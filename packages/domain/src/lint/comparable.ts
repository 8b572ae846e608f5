import { isPauseDue, type Steps, type WorkBudget } from '../steps/work-budget.ts';
import { createCandidates } from './candidates.ts';
import type { CompareScope } from './compare.ts';
import { itemEnd, itemsBySide, itemsOf, LIGHT, type LintRulebook, policyNumbers } from './rulebook.ts';
import { type ComparedPolicy, comparedPolicy, isAsWide, preparePolicies } from './subsumption.ts';

/** What is looked for. */
export interface Chosen extends Pick<CompareScope, 'isSpent'> {
  /** Not 0 for the policies whose wider and narrower ones are to be found. */
  readonly policies: Uint8Array;
  readonly budget: WorkBudget;
}

/**
 * Which enforced policies to compare to find all that is to be told of the chosen ones, in steps. Subjects are these and
 * those that are narrower than one of them, as far as there is time to find them.
 */
export function* chooseCompared(rulebook: LintRulebook, chosen: Chosen): Steps<CompareScope> {
  const enforced = policyNumbers(rulebook, 'enforced');
  const subjects = yield* addNarrower(rulebook, enforced, chosen);
  const rare = yield* markRarest(rulebook, enforced, { subjects, budget: chosen.budget });
  const compared: number[] = [];
  for (const policy of enforced) {
    const items = itemsOf(rulebook, policy);
    if (items.some((item) => rare[item] === 1)) compared.push(policy);
    if (isPauseDue(chosen.budget, (4 + items.length) / LIGHT)) yield;
  }
  return { compared, isSubject: (policy) => subjects[policy] === 1, isSpent: chosen.isSpent };
}

/** Marks the chosen policies, and the others whom everybody violates only together with one of them. */
function* addNarrower(
  rulebook: LintRulebook,
  enforced: readonly number[],
  { policies, isSpent, budget }: Chosen,
): Steps<Uint8Array> {
  const subjects = policies.slice();
  const wide = yield* preparePolicies(rulebook, {
    chosen: enforced.filter((policy) => policies[policy] === 1),
    budget,
  });
  const candidates = yield* createCandidates(wide, { itemEnd: itemEnd(rulebook), budget });
  const isItem = new Uint8Array(itemEnd(rulebook));
  for (const item of wide.items.values) isItem[item] = 1;
  for (const policy of enforced) {
    if (isPauseDue(budget, 1)) yield;
    if (isSpent()) break;
    const narrow = comparedPolicy(rulebook, policy);
    if (policies[policy] === 1 || !canBeNarrower(narrow, isItem)) continue;
    for (const place of yield* candidates.of(narrow, budget)) {
      if (!(yield* isAsWide(narrow, { policies: wide, place, budget }))) continue;
      subjects[policy] = 1;
      break;
    }
  }
  return subjects;
}

/** Whatever is as wide has all items of all sides but for `atLeast - 1`. */
function canBeNarrower({ sides, atLeast }: ComparedPolicy, isItem: Uint8Array): boolean {
  let missed = 0;
  for (const side of sides) if (!side.every((item) => isItem[item] === 1) && ++missed === atLeast) return false;
  return true;
}

/** Marks items such that whatever is as wide as a subject has one of them: of any `atLeast` sides of it it has one whole. */
function* markRarest(
  rulebook: LintRulebook,
  enforced: readonly number[],
  { subjects, budget }: { readonly subjects: Uint8Array; readonly budget: WorkBudget },
): Steps<Uint8Array> {
  const counts = new Uint32Array(itemEnd(rulebook));
  for (const policy of enforced) {
    const items = itemsOf(rulebook, policy);
    for (const item of items) counts[item] = (counts[item] ?? 0) + 1;
    if (isPauseDue(budget, (4 + items.length) / LIGHT)) yield;
  }
  const rarer = (a: number, b: number) => ((counts[b] ?? 0) < (counts[a] ?? 0) ? b : a);
  const marks = new Uint8Array(counts.length);
  for (const policy of enforced) {
    if (subjects[policy] !== 1) continue;
    const rarest = itemsBySide(rulebook, policy).map((side) => side.reduce(rarer));
    const few = rarest.sort((a, b) => (counts[a] ?? 0) - (counts[b] ?? 0));
    for (const item of few.slice(0, rulebook.policies[policy]?.atLeast)) marks[item] = 1;
    if (isPauseDue(budget, itemsOf(rulebook, policy).length / 2)) yield;
  }
  return marks;
}
