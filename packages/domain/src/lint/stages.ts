import type { CsrRows } from '../collections/csr-rows.ts';
import { idCount } from '../collections/id-dictionary.ts';
import { invertRows } from '../collections/invert-rows.ts';
import { isPauseDue, type Steps, type WorkBudget } from '../steps/work-budget.ts';
import type { Comparison } from './compare.ts';
import {
  deletedItem,
  duplicatePolicy,
  itemOnTwoSides,
  type PolicyFinding,
  type RelatedPolicy,
  subsumedPolicy,
  unmatchablePolicy,
} from './finding.ts';
import { isLiving, itemId, itemsBySide, itemsOf, LIGHT, type LintRulebook } from './rulebook.ts';

/** Stands between findings where it is time to pause. */
export const PAUSE = null;
/** What one stage of lint finds, sorted by policy and ref. */
export type Findings = Generator<PolicyFinding | typeof PAUSE, void>;

/** The result of steps among findings. */
export function* pausing<T>(steps: Steps<T>): Generator<typeof PAUSE, T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    yield PAUSE;
  }
}

/** What is odd about one policy by itself, or by a comparison made before. */
export type EvaluatePolicy = (policy: number, rulebook: LintRulebook) => Iterable<PolicyFinding>;

/** Judges some policies one by one. */
export function* eachPolicy(
  rulebook: LintRulebook,
  { policies, budget }: { readonly policies: readonly number[]; readonly budget: WorkBudget },
  judge: EvaluatePolicy,
): Findings {
  for (const policy of policies) {
    yield* judge(policy, rulebook);
    if (isPauseDue(budget, (1 + itemsOf(rulebook, policy).length) / LIGHT)) yield PAUSE;
  }
}

/** Items that the catalogue lacks. One that is on several sides is told of once. */
export function* deletedItems(policy: number, rulebook: LintRulebook): Iterable<PolicyFinding> {
  const lost = new Set<string>();
  for (const item of itemsOf(rulebook, policy)) if (!isLiving(rulebook, item)) lost.add(itemId(rulebook, item));
  for (const id of [...lost].sort()) yield deletedItem(idOf(rulebook, policy), id);
}

/** Items that count for several sides. */
export function* itemsOnTwoSides(policy: number, rulebook: LintRulebook): Iterable<PolicyFinding> {
  const counts = new Map<number, number>();
  for (const item of itemsOf(rulebook, policy)) counts.set(item, (counts.get(item) ?? 0) + 1);
  const several = [...counts].filter(([, count]) => count > 1);
  const byId = new Map(several.map(([item, count]) => [itemId(rulebook, item), count]));
  for (const id of [...byId.keys()].sort()) yield itemOnTwoSides(idOf(rulebook, policy), id, byId.get(id) ?? 0);
}

/** Whether nobody can violate the policy. */
export function* unmatchable(policy: number, rulebook: LintRulebook): Iterable<PolicyFinding> {
  // Those that exist have the lowest numbers.
  const isReachable = ([first]: Uint32Array) => first !== undefined && isLiving(rulebook, first);
  const living = itemsBySide(rulebook, policy).filter(isReachable).length;
  const atLeast = rulebook.policies[policy]?.atLeast ?? 0;
  if (living < atLeast) yield unmatchablePolicy(idOf(rulebook, policy), living, atLeast);
}

/** The policies with an earlier one that is alike. */
export const duplicates = ({ duplicateOf }: Comparison): EvaluatePolicy =>
  function* (policy, rulebook) {
    const first = duplicateOf.get(policy);
    if (first !== undefined) yield duplicatePolicy(idOf(rulebook, policy), relatedPolicy(rulebook, first));
  };

/** The policies with wider ones. */
export const subsumed = ({ widerThan }: Comparison): EvaluatePolicy =>
  function* (policy, rulebook) {
    const wider = widerThan.get(policy);
    if (wider === undefined) return;
    const related = wider.first.map((other) => relatedPolicy(rulebook, other));
    yield subsumedPolicy(idOf(rulebook, policy), related, wider.count);
  };

/** For each entitlement the bundles that have it, in steps. */
export const bundlesByItem = ({ catalogue }: LintRulebook, entitlements: CsrRows, budget: WorkBudget): Steps<CsrRows> =>
  invertRows(entitlements, { valueEnd: idCount(catalogue.numbers.ids), flip: 0, budget });

const idOf = ({ policies }: LintRulebook, policy: number): string => policies[policy]?.id ?? '';

const relatedPolicy = ({ policies }: LintRulebook, policy: number): RelatedPolicy => ({
  type: 'SOD_POLICY',
  id: policies[policy]?.id ?? '',
  name: policies[policy]?.name ?? '',
});
