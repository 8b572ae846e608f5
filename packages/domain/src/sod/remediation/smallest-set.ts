/** The most candidates for an exact search. */
export const EXACT_CANDIDATES_MAX = 12;

/** The number of sets tried with more candidates. */
export const SETS_TRIED_MAX = 1_000;

/** A set of candidates, as ascending numbers; `optimal` if no smaller set is enough. */
export interface Choice {
  readonly chosen: readonly number[];
  readonly optimal: boolean;
}

/** The choice: candidates `0` to `count - 1`, and which sets of them are enough. */
export interface Selection {
  readonly count: number;
  /** Finds out whether a set is enough; yields after each piece of the work. */
  readonly isEnough: (chosen: ReadonlySet<number>) => Generator<undefined, boolean>;
  /** An estimate of the benefit of a candidate. */
  readonly weightOf: (candidate: number) => number;
  /** Whether no more time is to be spent on finding a smaller set than one that is enough. */
  readonly isSpent: () => boolean;
}

/**
 * Finds a smallest set that is enough, the first one in order of the candidates' numbers; null if none is. With more than 12
 * candidates it removes superfluous ones, the least beneficial first, in up to 1,000 tries: a smaller set may exist. Yields
 * after each piece of the work.
 */
export const choose = (selection: Selection): Generator<undefined, Choice | null> =>
  selection.count <= EXACT_CANDIDATES_MAX ? chooseExactly(selection) : chooseGreedily(selection);

function* chooseExactly({ count, isEnough }: Selection): Generator<undefined, Choice | null> {
  for (let size = 0; size <= count; size++)
    for (const chosen of combinations(count, size))
      if (yield* isEnough(new Set(chosen))) return { chosen, optimal: true };
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

function* chooseGreedily({ count, isEnough, weightOf, isSpent }: Selection): Generator<undefined, Choice | null> {
  if (yield* isEnough(new Set())) return { chosen: [], optimal: true };
  const order = Array.from({ length: count }, (_, at) => at);
  const chosen = new Set(order);
  if (!(yield* isEnough(chosen))) return null;
  const weights = order.map(weightOf);
  order.sort((left, right) => (weights[right] ?? 0) - (weights[left] ?? 0) || left - right);
  yield* spare(order, { chosen, isEnough, isSpent, triesLeft: SETS_TRIED_MAX });
  return { chosen: [...chosen].sort((left, right) => left - right), optimal: chosen.size <= 1 };
}

interface Sparing extends Pick<Selection, 'isEnough' | 'isSpent'> {
  readonly chosen: Set<number>;
  triesLeft: number;
}

/** Removes superfluous candidates: all at once, or by halves, the last ones first. */
function* spare(candidates: readonly number[], sparing: Sparing): Generator<undefined, void> {
  if (sparing.triesLeft === 0 || sparing.isSpent()) return;
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
