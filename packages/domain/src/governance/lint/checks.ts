import {
  findSelfViolating,
  isPolicyInFocus,
  type LintRulebook,
  matchableSideCount,
  repeatedItems,
  unresolvedItems,
} from '../../sod/index.ts';
import {
  deletedItem,
  duplicatePolicy,
  itemOnTwoSides,
  type LintCode,
  type PolicyFinding,
  type RelatedPolicy,
  selfViolatingBundle,
  subsumedPolicy,
  unmatchablePolicy,
} from './finding.ts';
import { NO_FINDINGS, type Pieces } from './findings.ts';
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
    run: (task) => selfViolating(task, 'ACCESS_PROFILE'),
  },
  { code: 'SELF_VIOLATING_ROLE', phase: 'BUNDLE', run: (task) => selfViolating(task, 'ROLE') },
  { code: 'SUBSUMED_POLICY', phase: 'COMPARISON', run: findSubsumed },
  { code: 'UNMATCHABLE_POLICY', phase: 'POLICY', run: (task) => eachPolicy(task, task.focus.touched, unmatchable) },
];

const inFocus = ({ focus }: LintTask) => focus.touched.filter((policy) => isPolicyInFocus(focus, policy));

type CheckPolicy = (policy: number, task: LintTask) => Iterable<PolicyFinding>;

function* eachPolicy(task: LintTask, policies: Iterable<number>, check: CheckPolicy): Pieces {
  for (const policy of policies) {
    yield [...check(policy, task)];
  }
}

/** Items that the catalogue lacks; an item on several sides is reported once. */
function* deletedItems(policy: number, { rulebook, focus }: LintTask): Iterable<PolicyFinding> {
  for (const id of unresolvedItems(rulebook, focus, policy)) yield deletedItem(idOf(rulebook, policy), id);
}

/** Items that count for several sides. */
function* itemsOnTwoSides(policy: number, { rulebook }: LintTask): Iterable<PolicyFinding> {
  for (const { id, sideCount } of repeatedItems(rulebook, policy))
    yield itemOnTwoSides(idOf(rulebook, policy), id, sideCount);
}

/** Whether fewer sides have an existing item than a violation requires. */
function* unmatchable(policy: number, { rulebook }: LintTask): Iterable<PolicyFinding> {
  const count = matchableSideCount(rulebook, policy);
  const atLeast = rulebook.policies[policy]?.atLeast ?? 0;
  if (count < atLeast) yield unmatchablePolicy(idOf(rulebook, policy), count, atLeast);
}

function* findDuplicates(task: LintTask): Pieces {
  const { duplicateOf } = yield* task.compare();
  yield* eachPolicy(task, ascending(duplicateOf.keys()), function* (policy, { rulebook, focus }) {
    const first = duplicateOf.get(policy) ?? policy;
    if (isPolicyInFocus(focus, policy) || isPolicyInFocus(focus, first))
      yield duplicatePolicy(idOf(rulebook, policy), relatedPolicy(rulebook, first));
  });
}

function* findSubsumed(task: LintTask): Pieces {
  const { broaderThan } = yield* task.compare();
  yield* eachPolicy(task, ascending(broaderThan.keys()), function* (policy, { rulebook, focus }) {
    const { first, count } = broaderThan.get(policy) ?? { first: [], count: 0 };
    if (!isPolicyInFocus(focus, policy) && !first.some((broader) => isPolicyInFocus(focus, broader))) return;
    const related = first.map((broader) => relatedPolicy(rulebook, broader));
    yield subsumedPolicy(idOf(rulebook, policy), related, count);
  });
}

/** Bundles of one type that violate a policy by themselves. */
function* selfViolating({ rulebook, focus }: LintTask, type: 'ACCESS_PROFILE' | 'ROLE'): Pieces {
  for (const found of findSelfViolating({ rulebook, focus, type })) {
    const policy = found === null ? undefined : rulebook.policies[found.policy];
    if (found === null || policy === undefined) yield NO_FINDINGS;
    else yield found.bundles.map((id) => selfViolatingBundle(policy.id, { type, id }, policy.atLeast === 1));
  }
}

const ascending = (numbers: Iterable<number>) => [...numbers].sort((a, b) => a - b);

const idOf = ({ policies }: LintRulebook, policy: number): string => policies[policy]?.id ?? '';

const relatedPolicy = ({ policies }: LintRulebook, policy: number): RelatedPolicy => ({
  type: 'SOD_POLICY',
  id: policies[policy]?.id ?? '',
  name: policies[policy]?.name ?? '',
});
