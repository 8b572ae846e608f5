import { idCount } from './id-numbers.ts';
import { invertRows } from './invert-rows.ts';
import { comparePolicies } from './lint-compare.ts';
import {
  deletedItem,
  duplicatePolicy,
  itemOnTwoSides,
  type PolicyFinding,
  type RelatedPolicy,
  subsumedPolicy,
  unmatchablePolicy,
} from './lint-finding.ts';
import { isLiving, itemId, LIGHT, LINT_STEP_WORK, type LintRulebook } from './lint-rulebook.ts';
import { findSelfViolating } from './lint-self-violating.ts';
import { rowAt } from './number-rows.ts';
import { isPauseDue, type Pace } from './pace.ts';

// So much takes to make one and to write it.
const FINDING_WORK = 12;

/**
 * What is odd about the policies of a rulebook, sorted by code, policy id and ref id. Policies that are not enforced are
 * compared with none, and no bundle is told to violate them. Comes in portions, perhaps empty ones, each the work of a
 * millisecond or two.
 */
export function* lintPolicies(rulebook: LintRulebook): Generator<readonly PolicyFinding[], void> {
  const pace = { workMax: LINT_STEP_WORK, work: 0 };
  let portion: PolicyFinding[] = [];
  for (const finding of findAll(rulebook, pace)) {
    if (finding !== PAUSE) portion.push(finding);
    if (finding !== PAUSE && !isPauseDue(pace, FINDING_WORK)) continue;
    yield portion;
    portion = [];
  }
  yield portion;
}

const PAUSE = null;
type Findings = Generator<PolicyFinding | typeof PAUSE, void>;

function* findAll(rulebook: LintRulebook, pace: Pace): Findings {
  const { accessProfiles, roles } = rulebook.catalogue;
  yield* eachPolicy(rulebook, pace, deletedItems);
  const { duplicateOf, widerThan } = yield* pausing(comparePolicies(rulebook, pace));
  yield* eachPolicy(rulebook, pace, function* (policy) {
    const first = duplicateOf.get(policy);
    if (first !== undefined) yield duplicatePolicy(idOf(rulebook, policy), relatedPolicy(rulebook, first));
  });
  yield* eachPolicy(rulebook, pace, itemsOnTwoSides);
  const valueEnd = idCount(rulebook.catalogue.numbers.ids);
  for (const [type, bundles] of [
    ['ACCESS_PROFILE', accessProfiles],
    ['ROLE', roles],
  ] as const) {
    const byItem = yield* pausing(invertRows(bundles.entitlements, { valueEnd, flip: 0, pace }));
    yield* findSelfViolating(rulebook, { type, bundles, byItem }, pace);
  }
  yield* eachPolicy(rulebook, pace, function* (policy) {
    const wider = widerThan.get(policy);
    if (wider === undefined) return;
    const related = wider.first.map((other) => relatedPolicy(rulebook, other));
    yield subsumedPolicy(idOf(rulebook, policy), related, wider.count);
  });
  yield* eachPolicy(rulebook, pace, unmatchable);
}

function* pausing<T>(steps: Generator<void, T>): Generator<typeof PAUSE, T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    yield PAUSE;
  }
}

type Judge = (policy: number, rulebook: LintRulebook) => Iterable<PolicyFinding>;

function* eachPolicy(rulebook: LintRulebook, pace: Pace, judge: Judge): Findings {
  const { policies, sideStarts, sides } = rulebook;
  for (let policy = 0; policy < policies.length; policy++) {
    yield* judge(policy, rulebook);
    const items = (sides.starts[sideStarts[policy + 1] ?? 0] ?? 0) - (sides.starts[sideStarts[policy] ?? 0] ?? 0);
    if (isPauseDue(pace, (1 + items) / LIGHT)) yield PAUSE;
  }
}

const idOf = ({ policies }: LintRulebook, policy: number): string => policies[policy]?.id ?? '';

const relatedPolicy = ({ policies }: LintRulebook, policy: number): RelatedPolicy => ({
  type: 'SOD_POLICY',
  id: policies[policy]?.id ?? '',
  name: policies[policy]?.name ?? '',
});

function* sidesOf(policy: number, { sideStarts, sides }: LintRulebook): Generator<Uint32Array> {
  const end = sideStarts[policy + 1] ?? 0;
  for (let side = sideStarts[policy] ?? 0; side < end; side++) yield rowAt(sides, side);
}

/** An item that is on several sides is told of once. */
function* deletedItems(policy: number, rulebook: LintRulebook): Iterable<PolicyFinding> {
  const lost = new Set<string>();
  for (const side of sidesOf(policy, rulebook)) {
    for (const item of side) if (!isLiving(rulebook, item)) lost.add(itemId(rulebook, item));
  }
  for (const id of [...lost].sort()) yield deletedItem(idOf(rulebook, policy), id);
}

function* itemsOnTwoSides(policy: number, rulebook: LintRulebook): Iterable<PolicyFinding> {
  const counts = new Map<number, number>();
  for (const side of sidesOf(policy, rulebook)) for (const item of side) counts.set(item, (counts.get(item) ?? 0) + 1);
  const several = [...counts].filter(([, count]) => count > 1);
  const byId = new Map(several.map(([item, count]) => [itemId(rulebook, item), count]));
  for (const id of [...byId.keys()].sort()) yield itemOnTwoSides(idOf(rulebook, policy), id, byId.get(id) ?? 0);
}

function* unmatchable(policy: number, rulebook: LintRulebook): Iterable<PolicyFinding> {
  let living = 0;
  // Those that exist have the lowest numbers.
  for (const [first] of sidesOf(policy, rulebook)) if (first !== undefined && isLiving(rulebook, first)) living++;
  const atLeast = rulebook.policies[policy]?.atLeast ?? 0;
  if (living < atLeast) yield unmatchablePolicy(idOf(rulebook, policy), living, atLeast);
}
