import type { Group, GroupLoss, GroupViolation } from './groups.ts';
import { compareLists } from './reduce.ts';

/** What may be done about a group: refs to take, and what follows. */
export interface Option {
  /** Ascending. */
  readonly refs: readonly number[];
  /** The number of violations that end. */
  readonly ended: number;
  /** The number of entitlements that are lost. */
  readonly lost: number;
  /** The scarce entitlements that are lost, each once. */
  readonly scarce: readonly number[];
}

/** The options of a group that were found, the best first. */
export interface FoundOptions {
  /** Never empty. */
  readonly options: readonly Option[];
  /** Whether there is none that is missing and better in any respect. */
  readonly isComplete: boolean;
  /** The steps that the search has taken. */
  readonly steps: number;
}

/** What to search for. */
export interface GroupSearch {
  /** Whether options that are best only where entitlements are scarce are kept, or the best one alone. */
  readonly keepsAll: boolean;
  /** The most steps. */
  readonly stepsMax: number;
  /** Whether the refs of a loss must not all be taken. */
  isBarred(loss: GroupLoss): boolean;
}

/** Compares options: more violations ended, then fewer revocations, then fewer entitlements lost, then the first in order of ids. */
export const compareOptions = (left: Option, right: Option): number =>
  right.ended - left.ended ||
  left.refs.length - right.refs.length ||
  left.lost - right.lost ||
  compareLists(left.refs, right.refs);

const STEPS_AT_ONCE = 20;

/**
 * Searches the options of a group by branch and bound: violation by violation, it tries each set of refs that ends one, or
 * lets it stay. Any other option is worse than one of these. Yields after each piece of the work.
 */
export function* searchGroup(group: Group, search: GroupSearch): Generator<undefined, FoundOptions> {
  const violations = group.violations.toSorted((left, right) => left.choices.length - right.choices.length);
  const state = createState(group, search.isBarred);
  const mayStay = search.keepsAll || group.losses.some(search.isBarred);
  const found = new Map<string, Option>();
  let best: Option = { refs: [], ended: 0, lost: 0, scarce: [] };
  found.set('', best);
  const staying: GroupViolation[] = [];
  let steps = 0;
  yield* visit(0);
  const options = search.keepsAll ? undominated([...found.values()]) : [best];
  return { options, isComplete: steps < search.stepsMax, steps };

  function* visit(at: number): Generator<undefined, void> {
    if (steps >= search.stepsMax) return;
    steps += 1;
    if (steps % STEPS_AT_ONCE === 0) yield;
    // That one is searched where it ends on purpose.
    if (staying.some(state.isEnded)) return;
    let next = at;
    while (next < violations.length && state.isEnded(violations[next] ?? NOTHING)) next += 1;
    const rest = violations.slice(next).filter((violation) => !state.isEnded(violation));
    if (!search.keepsAll && !canImprove(rest)) return;
    const violation = violations[next];
    if (violation === undefined) return keep();
    for (const choice of byMerit(violation, rest)) {
      const undo = state.take(choice);
      if (undo === null) continue;
      yield* visit(next + 1);
      undo();
    }
    if (!mayStay) return;
    staying.push(violation);
    yield* visit(next + 1);
    staying.pop();
  }

  function canImprove(rest: readonly GroupViolation[]): boolean {
    const endable = mayStay ? rest.filter(state.canEnd) : rest;
    const ended = violations.length - staying.length - (rest.length - endable.length);
    if (ended !== best.ended) return ended > best.ended;
    return state.count() + sum(disjointCosts(endable, state.missing)) <= best.refs.length;
  }

  function byMerit({ choices }: GroupViolation, rest: readonly GroupViolation[]): readonly (readonly number[])[] {
    if (choices.length === 1) return choices;
    const rated = choices.map((choice) => {
      const undo = state.take(choice);
      const ends = undo === null ? 0 : rest.filter(state.isEnded).length;
      undo?.();
      return { choice, ends, cost: state.missing(choice).length };
    });
    return rated
      .sort((one, other) => one.cost / Math.max(1, one.ends) - other.cost / Math.max(1, other.ends))
      .map(({ choice }) => choice);
  }

  function keep(): void {
    const option = { ...state.option(), ended: violations.length - staying.length };
    if (compareOptions(option, best) < 0) best = option;
    if (search.keepsAll) found.set(option.refs.join(), option);
  }
}

const NOTHING: GroupViolation = { at: 0, choices: [] };

/** The refs that are taken at a step of a search. */
function createState(group: Group, isBarred: GroupSearch['isBarred']) {
  const taken = new Uint8Array(group.refs.length);
  let count = 0;
  const barred = group.losses.filter(isBarred);
  const isTaken = (ref: number) => taken[ref] === 1;
  const mayTake = (refs: readonly number[]) =>
    !barred.some((loss) => loss.refs.every((ref) => isTaken(ref) || refs.includes(ref)));
  return {
    count: () => count,
    canEnd: ({ choices }: GroupViolation) => choices.some(mayTake),
    isEnded: ({ choices }: GroupViolation) => choices.some((choice) => choice.every(isTaken)),
    missing: (refs: readonly number[]) => refs.filter((ref) => !isTaken(ref)),
    /** Takes refs; returns what gives them back, or null where they must not all be taken. */
    take: (refs: readonly number[]): (() => void) | null => {
      if (!mayTake(refs)) return null;
      const added = refs.filter((ref) => !isTaken(ref));
      const set = (value: 0 | 1) => {
        for (const ref of added) taken[ref] = value;
        count += value === 1 ? added.length : -added.length;
      };
      set(1);
      return () => set(0);
    },
    option: (): Omit<Option, 'ended'> => {
      const losses = group.losses.filter((loss) => loss.refs.every(isTaken));
      return {
        refs: [...taken.keys()].filter(isTaken),
        lost: sum(losses.map((loss) => loss.count)),
        scarce: losses.flatMap((loss) => loss.scarce),
      };
    },
  };
}

/** The least number of refs that each of some violations needs, of which no two have a ref in common. */
function disjointCosts(
  violations: readonly GroupViolation[],
  missing: (refs: readonly number[]) => readonly number[],
): readonly number[] {
  const used = new Set<number>();
  return violations.flatMap(({ choices }) => {
    const needed = choices.map(missing);
    if (needed.some((refs) => refs.some((ref) => used.has(ref)))) return [];
    for (const refs of needed) for (const ref of refs) used.add(ref);
    return Math.min(...needed.map((refs) => refs.length));
  });
}

/** The least number of refs to take from groups in order to end this many of their violations. */
export function leastRefs(groups: readonly Group[], ended: number): number {
  const costs = groups.flatMap(({ violations }) => disjointCosts(violations, (refs) => refs)).sort((a, b) => a - b);
  const staying = sum(groups.map(({ violations }) => violations.length)) - ended;
  return sum(costs.slice(0, Math.max(0, costs.length - staying)));
}

/** The options that are not worse than another one in each respect, the best first. */
function undominated(options: readonly Option[]): readonly Option[] {
  const kept: Option[] = [];
  for (const option of options.toSorted(compareOptions))
    if (!kept.some((other) => isAsGood(other, option))) kept.push(option);
  return kept;
}

/** For an option that comes first in order. */
const isAsGood = (other: Option, option: Option): boolean =>
  other.ended >= option.ended &&
  other.refs.length <= option.refs.length &&
  other.lost <= option.lost &&
  other.scarce.every((entitlement) => option.scarce.includes(entitlement));

/** The sum of some numbers; 0 without any. */
export const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
