import { type Decision, decidePart } from './decide-part.ts';
import { createDisjointSets } from './disjoint-sets.ts';
import { type Group, type GroupLoss, splitIntoGroups } from './groups.ts';
import type { FixedIdentity, FixPlan, PlannedIdentity, SpareHolders } from './model.ts';
import { reasonsOf } from './reasons.ts';
import { createReducer, type ReducedIdentity } from './reduce.ts';
import { compareOptions, type FoundOptions, leastRefs, type Option, searchGroup, sum } from './search-group.ts';
import { takeWhatIsLeft } from './take-what-is-left.ts';

/** The identities with violations to end, in order of their ids. */
export interface FixProblem {
  readonly identities: readonly PlannedIdentity[];
  /** The number of entitlements in the catalogue, and of what else refs give. */
  readonly entitlementCount: number;
  readonly spareOf: SpareHolders;
  /** What stays with each holder, however many can be spared. */
  readonly protectedEntitlements: ReadonlySet<number>;
}

// Of the search of one group, and of all of them beyond the first steps of each.
const STEPS_MAX = 20_000;
const STEPS_MIN = 500;
const STEPS_OF_ALL_MAX = 5_000_000;

/** A group with its options. */
interface Searched {
  readonly group: Group;
  readonly found: FoundOptions;
}

/** What is decided about some groups. */
interface Decided {
  readonly chosen: readonly { readonly group: Group; readonly option: Option }[];
  /** The least number of revocations of the best decision. */
  readonly refsMin: number;
  readonly isOptimal: boolean;
}

/**
 * Plans the fewest revocations after which as many violations as possible are gone; of several such plans the one by which
 * fewer entitlements are lost, then the first in order of ids. It is the best one, unless parts that depend on each other are
 * too large. Yields after each piece of the work.
 */
export function* planFixes(problem: FixProblem): Generator<undefined, FixPlan> {
  const { identities, protectedEntitlements } = problem;
  const spareOf: SpareHolders = (entitlement) =>
    protectedEntitlements.has(entitlement) ? 0 : problem.spareOf(entitlement);
  const reduced = yield* reduceAll({ ...problem, spareOf });
  const isScarce = yield* findScarce(reduced, spareOf);
  const taken = identities.map(() => new Set<number>());
  let lowerBound = 0;
  let isOptimal = true;
  const take = (decided: Decided) => {
    lowerBound += decided.refsMin;
    isOptimal &&= decided.isOptimal;
    for (const { group, option } of decided.chosen)
      for (const ref of option.refs) taken[group.identity]?.add(group.refs[ref] ?? 0);
  };
  const competing: Searched[] = [];
  let stepsLeft = STEPS_OF_ALL_MAX;
  for (const [identity, own] of reduced.entries()) {
    for (const group of splitIntoGroups(identity, own, isScarce)) {
      const competes = group.losses.some(isCompetedFor);
      const stepsMax = Math.max(STEPS_MIN, Math.min(STEPS_MAX, stepsLeft));
      const found = yield* competes ? searchAll(group, stepsMax) : searchBest(group, { stepsMax, isBarred });
      stepsLeft -= found.steps;
      if (competes) competing.push({ group, found });
      else take(decideAlone({ group, found }));
    }
    yield;
  }
  for (const part of partsOf(competing)) take(yield* decideTogether(part, spareOf));
  if (!isOptimal) yield* takeWhatIsLeft({ reduced, taken, spareOf });
  const fixed: FixedIdentity[] = [];
  for (const [at, identity] of identities.entries()) {
    const lost = taken[at] ?? new Set();
    const reasons = reasonsOf(identity, lost, { spareOf, protectedEntitlements });
    fixed.push({ taken: [...lost].sort((a, b) => a - b), reasons });
    yield;
  }
  return { identities: fixed, lowerBound, isOptimal };
}

function* reduceAll({
  identities,
  entitlementCount,
  spareOf,
}: FixProblem): Generator<undefined, readonly ReducedIdentity[]> {
  const reduce = createReducer({ entitlementCount, spareOf, identityCount: identities.length });
  const reduced: ReducedIdentity[] = [];
  for (const identity of identities) {
    reduced.push(reduce(identity));
    yield;
  }
  return reduced;
}

/** Whether more identities can lose an entitlement than holders can be spared. */
function* findScarce(
  reduced: readonly ReducedIdentity[],
  spareOf: SpareHolders,
): Generator<undefined, (entitlement: number) => boolean> {
  const counts = new Map<number, number>();
  for (const { losses } of reduced) {
    for (const { tight } of losses)
      for (const entitlement of tight) counts.set(entitlement, (counts.get(entitlement) ?? 0) + 1);
    yield;
  }
  return (entitlement) => (counts.get(entitlement) ?? 0) > spareOf(entitlement);
}

const isBarred = ({ isForbidden }: GroupLoss): boolean => isForbidden;
const isCompetedFor = ({ scarce, isForbidden }: GroupLoss): boolean => scarce.length > 0 && !isForbidden;

const searchBest = (group: Group, search: { readonly stepsMax: number; isBarred(loss: GroupLoss): boolean }) =>
  searchGroup(group, { ...search, keepsAll: false });

/** The options of a group; where they are too many, the best one and the best one without scarce entitlements among them. */
function* searchAll(group: Group, stepsMax: number): Generator<undefined, FoundOptions> {
  const all = yield* searchGroup(group, { stepsMax, isBarred, keepsAll: true });
  if (all.isComplete) return all;
  const best = yield* searchBest(group, { stepsMax, isBarred });
  const frugal = yield* searchBest(group, {
    stepsMax,
    isBarred: (loss) => isBarred(loss) || loss.scarce.length > 0,
  });
  const options = [...all.options, ...best.options, ...frugal.options].sort(compareOptions);
  return { options, isComplete: false, steps: all.steps + best.steps + frugal.steps };
}

function decideAlone({ group, found: { options, isComplete } }: Searched): Decided {
  const [option] = options;
  if (option === undefined) return { chosen: [], refsMin: 0, isOptimal: true };
  const refsMin = isComplete ? option.refs.length : leastRefs([group], option.ended);
  const isOptimal = isComplete || (option.ended === group.violations.length && option.refs.length === refsMin);
  return { chosen: [{ group, option }], refsMin, isOptimal };
}

/** The groups that depend on each other by scarce entitlements. */
function partsOf(competing: readonly Searched[]): readonly (readonly Searched[])[] {
  const sets = createDisjointSets(competing.length);
  const first = new Map<number, number>();
  for (const [at, { group }] of competing.entries())
    for (const { scarce } of group.losses)
      for (const entitlement of scarce) {
        const other = first.get(entitlement);
        if (other === undefined) first.set(entitlement, at);
        else sets.join(at, other);
      }
  const parts = Map.groupBy(competing.keys(), sets.find).values();
  return Array.from(parts, (members) => members.flatMap((at) => competing[at] ?? []));
}

// Of a part whose groups have more options than were found.
const ROUNDS_MAX = 4;

function* decideTogether(part: readonly Searched[], spareOf: SpareHolders): Generator<undefined, Decided> {
  const groups = part.map(({ group }) => group);
  const spare = new Map(
    groups.flatMap(({ losses }) =>
      losses.flatMap(({ scarce }) => scarce.map((each) => [each, spareOf(each)] as const)),
    ),
  );
  const options = part.map(({ found }) => [...found.options]);
  const isComplete = part.every(({ found }) => found.isComplete);
  let decision = yield* decidePart({ options, spare });
  for (let round = 0; !isComplete && round < ROUNDS_MAX; round++) {
    if (!(yield* addOptions(part, options, { spare, chosen: decision.chosen }))) break;
    decision = yield* decidePart({ options, spare });
  }
  const chosen = groups.flatMap((group, at) => {
    const option = decision.chosen[at];
    return option === undefined ? [] : [{ group, option }];
  });
  const ended = sum(chosen.map(({ option }) => option.ended));
  const refs = sum(chosen.map(({ option }) => option.refs.length));
  const bounds = isComplete ? decision : NO_BOUNDS;
  const refsMin = Math.max(bounds.refsMin, leastRefs(groups, ended));
  const isOptimal = bounds.isBest || (bounds.endedMax === ended && refs === refsMin);
  return { chosen, refsMin, isOptimal };
}

/** Where options are missing. */
const NO_BOUNDS: Omit<Decision, 'chosen'> = { isBest: false, endedMax: Number.POSITIVE_INFINITY, refsMin: 0 };

/** Adds to the options of each group the best one that the others leave it, where that is better; false where none is. */
function* addOptions(
  part: readonly Searched[],
  options: readonly Option[][],
  { spare, chosen }: { readonly spare: ReadonlyMap<number, number>; readonly chosen: readonly Option[] },
): Generator<undefined, boolean> {
  const left = new Map(spare);
  const use = (option: Option, by: 1 | -1) => {
    for (const entitlement of option.scarce) left.set(entitlement, (left.get(entitlement) ?? 0) - by);
  };
  for (const option of chosen) use(option, 1);
  let isAdded = false;
  for (const [at, { group, found }] of part.entries()) {
    const own = options[at];
    const present = chosen[at];
    if (found.isComplete || own === undefined || present === undefined) continue;
    use(present, -1);
    const {
      options: [best = present],
    } = yield* searchBest(group, {
      stepsMax: STEPS_MAX,
      isBarred: (loss) => isBarred(loss) || loss.scarce.some((entitlement) => (left.get(entitlement) ?? 0) < 1),
    });
    const better = compareOptions(best, present) < 0 ? best : present;
    use(better, 1);
    if (better === present) continue;
    own.push(better);
    own.sort(compareOptions);
    isAdded = true;
  }
  return isAdded;
}
