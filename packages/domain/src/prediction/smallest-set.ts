import type { Steps } from '../steps/work-budget.ts';
/** Up to so many candidates the smallest set is found with certainty. */
export const EXACT_CANDIDATES_MAX = 12;

/** Beyond, so many sets are tried. */
export const SETS_TRIED_MAX = 1_000;

/** Some of the candidates, as their numbers in ascending order; `optimal` where no smaller set would do. */
export interface Choice {
  readonly chosen: readonly number[];
  readonly optimal: boolean;
}

/** What there is to choose from: the candidates `0` to `count - 1`. */
export interface Selection {
  readonly count: number;
  /** Whether a set is enough, in steps. */
  readonly isEnough: (chosen: ReadonlySet<number>) => Steps<boolean>;
  /** How much a candidate helps, more or less. */
  readonly weightOf: (candidate: number) => number;
}

/**
 * Finds a smallest set that is enough, the first one in order of the candidates' numbers; null where none is. Beyond 12
 * candidates it leaves out what can be spared, what helps least first, within 1,000 tries: there may be a smaller set.
 */
export function choose(selection: Selection): Steps<Choice | null> {
  return selection.count <= EXACT_CANDIDATES_MAX ? chooseExactly(selection) : chooseGreedily(selection);
}

function* chooseExactly({ count, isEnough }: Selection): Steps<Choice | null> {
  for (let size = 0; size <= count; size++) {
    for (const chosen of combinations(count, size)) {
      if (yield* isEnough(new Set(chosen))) return { chosen, optimal: true };
    }
  }
  return null;
}

/** All sets of a size, in order of their numbers. */
function* combinations(count: number, size: number, from = 0): Generator<readonly number[]> {
  if (size === 0) yield [];
  else {
    for (let first = from; first <= count - size; first++) {
      for (const rest of combinations(count, size - 1, first + 1)) yield [first, ...rest];
    }
  }
}

function* chooseGreedily({ count, isEnough, weightOf }: Selection): Steps<Choice | null> {
  if (yield* isEnough(new Set())) return { chosen: [], optimal: true };
  const order = Array.from({ length: count }, (_, at) => at);
  const chosen = new Set(order);
  if (!(yield* isEnough(chosen))) return null;
  const weights = order.map(weightOf);
  order.sort((left, right) => (weights[right] ?? 0) - (weights[left] ?? 0) || left - right);
  yield* spare(order, { chosen, isEnough, triesLeft: SETS_TRIED_MAX });
  return { chosen: [...chosen].sort((left, right) => left - right), optimal: chosen.size <= 1 };
}

interface Sparing extends Pick<Selection, 'isEnough'> {
  readonly chosen: Set<number>;
  triesLeft: number;
}

/** Leaves out what can be spared: all of it at once, or by halves, the last ones first. */
function* spare(candidates: readonly number[], sparing: Sparing): Steps<void> {
  if (sparing.triesLeft === 0) return;
  sparing.triesLeft--;
  const { chosen, isEnough } = sparing;
  for (const candidate of candidates) chosen.delete(candidate);
  if (yield* isEnough(chosen)) return;
  for (const candidate of candidates) chosen.add(candidate);
  if (candidates.length === 1) return;
  const middle = candidates.length >>> 1;
  yield* spare(candidates.slice(middle), sparing);
  yield* spare(candidates.slice(0, middle), sparing);
}
