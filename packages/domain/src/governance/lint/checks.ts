import {
  deletedItem,
  duplicatePolicy,
  itemOnTwoSides,
  type LintCode,
  type PolicyFinding,
  type RelatedPolicy,
  subsumedPolicy,
  unmatchablePolicy,
} from './finding.ts';
import type { Pieces } from './findings.ts';
import { isResolved, itemId, itemsBySide, itemsOf, type LintRulebook } from './rulebook.ts';
import { findSelfViolating } from './self-violating.ts';
import type { LintTask } from './task.ts';

/**
 * When time is short, checks run in this order. `ALWAYS` is never cut off, `COMPARISON` stops comparing by itself, and the
 * other checks are cut off.
 */
export const LINT_PHASES = ['ALWAYS', 'POLICY', 'BUNDLE', 'COMPARISON'] as const;

/** One kind of finding, and how it is found. */
export interface LintCheck {
  readonly code: LintCode;
  readonly phase: (typeof LINT_PHASES)[number];
  /** Finds what concerns the focus of the task, in order of policy and ref. */
  readonly run: (task: LintTask) => Pieces;
}

/** All checks, in the order in which findings are reported: by code. */
export const LINT_CHECKS: readonly LintCheck[] = [
  { code: 'DELETED_ITEM', phase: 'ALWAYS', run: (task) => eachPolicy(task, task.focus.touched, deletedItems) },
  { code: 'DUPLICATE_POLICY', phase: 'COMPARISON', run: findDuplicates },
  { code: 'ITEM_ON_TWO_SIDES', phase: 'POLICY', run: (task) => eachPolicy(task, inFocus(task), itemsOnTwoSides) },
  {
    code: 'SELF_VIOLATING_ACCESS_PROFILE',
    phase: 'BUNDLE',
    run: (task) => findSelfViolating(task, 'ACCESS_PROFILE'),
  },
  { code: 'SELF_VIOLATING_ROLE', phase: 'BUNDLE', run: (task) => findSelfViolating(task, 'ROLE') },
  { code: 'SUBSUMED_POLICY', phase: 'COMPARISON', run: findSubsumed },
  { code: 'UNMATCHABLE_POLICY', phase: 'POLICY', run: (task) => eachPolicy(task, task.focus.touched, unmatchable) },
];

const inFocus = ({ focus: { touched, policies } }: LintTask) => touched.filter((policy) => policies[policy] === 1);

type CheckPolicy = (policy: number, task: LintTask) => Iterable<PolicyFinding>;

function* eachPolicy(task: LintTask, policies: Iterable<number>, check: CheckPolicy): Pieces {
  for (const policy of policies) {
    yield [...check(policy, task)];
  }
}

/** Items that the catalogue lacks; an item on several sides is reported once. */
function* deletedItems(policy: number, { rulebook, focus }: LintTask): Iterable<PolicyFinding> {
  const ids = new Set<string>();
  for (const item of itemsOf(rulebook, policy)) {
    if (isResolved(rulebook, item)) continue;
    if (focus.policies[policy] === 1 || focus.deletedItems.has(item)) ids.add(itemId(rulebook, item));
  }
  for (const id of [...ids].sort()) yield deletedItem(idOf(rulebook, policy), id);
}

/** Items that count for several sides. */
function* itemsOnTwoSides(policy: number, { rulebook }: LintTask): Iterable<PolicyFinding> {
  const counts = new Map<number, number>();
  for (const item of itemsOf(rulebook, policy)) counts.set(item, (counts.get(item) ?? 0) + 1);
  const several = [...counts].filter(([, count]) => count > 1);
  const byId = new Map(several.map(([item, count]) => [itemId(rulebook, item), count]));
  for (const id of [...byId.keys()].sort()) yield itemOnTwoSides(idOf(rulebook, policy), id, byId.get(id) ?? 0);
}

/** Whether fewer sides have an existing item than a violation requires. */
function* unmatchable(policy: number, { rulebook }: LintTask): Iterable<PolicyFinding> {
  // Items are sorted, and unresolved ones have the highest numbers.
  const hasResolved = ([first]: Uint32Array) => first !== undefined && isResolved(rulebook, first);
  const count = itemsBySide(rulebook, policy).filter(hasResolved).length;
  const atLeast = rulebook.policies[policy]?.atLeast ?? 0;
  if (count < atLeast) yield unmatchablePolicy(idOf(rulebook, policy), count, atLeast);
}

function* findDuplicates(task: LintTask): Pieces {
  const { duplicateOf } = yield* task.compare();
  yield* eachPolicy(task, ascending(duplicateOf.keys()), function* (policy, { rulebook, focus }) {
    const first = duplicateOf.get(policy) ?? policy;
    if (focus.policies[policy] === 1 || focus.policies[first] === 1)
      yield duplicatePolicy(idOf(rulebook, policy), relatedPolicy(rulebook, first));
  });
}

function* findSubsumed(task: LintTask): Pieces {
  const { broaderThan } = yield* task.compare();
  yield* eachPolicy(task, ascending(broaderThan.keys()), function* (policy, { rulebook, focus }) {
    const { first, count } = broaderThan.get(policy) ?? { first: [], count: 0 };
    if (focus.policies[policy] !== 1 && !first.some((broader) => focus.policies[broader] === 1)) return;
    const related = first.map((broader) => relatedPolicy(rulebook, broader));
    yield subsumedPolicy(idOf(rulebook, policy), related, count);
  });
}

const ascending = (numbers: Iterable<number>) => [...numbers].sort((a, b) => a - b);

const idOf = ({ policies }: LintRulebook, policy: number): string => policies[policy]?.id ?? '';

const relatedPolicy = ({ policies }: LintRulebook, policy: number): RelatedPolicy => ({
  type: 'SOD_POLICY',
  id: policies[policy]?.id ?? '',
  name: policies[policy]?.name ?? '',
});
