/** Up to so many candidates the smallest set is found for certain. */
export const EXACT_CANDIDATES_MAX = 12;

/** Some of the candidates, as their numbers in ascending order; `optimal` where no smaller set would do. */
export interface Choice {
  readonly chosen: readonly number[];
  readonly optimal: boolean;
}

/**
 * A smallest set of the candidates `0` to `count - 1` that is enough, the first one in order of their numbers; null where none
 * is. Beyond 12 candidates one that none can be left out of, found by taking what helps first: there may be a smaller one.
 */
export function choose(count: number, isEnough: (chosen: ReadonlySet<number>) => boolean): Choice | null {
  return count <= EXACT_CANDIDATES_MAX ? chooseExactly(count, isEnough) : chooseGreedily(count, isEnough);
}

function chooseExactly(count: number, isEnough: (chosen: ReadonlySet<number>) => boolean): Choice | null {
  for (let size = 0; size <= count; size++) {
    for (const chosen of combinations(count, size)) {
      if (isEnough(new Set(chosen))) return { chosen, optimal: true };
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

/** All of them, less each that can be spared: what is last in order goes first. */
function chooseGreedily(count: number, isEnough: (chosen: ReadonlySet<number>) => boolean): Choice | null {
  if (isEnough(new Set())) return { chosen: [], optimal: true };
  const chosen = new Set(Array.from({ length: count }, (_, at) => at));
  if (!isEnough(chosen)) return null;
  for (let at = count - 1; at >= 0; at--) {
    chosen.delete(at);
    if (!isEnough(chosen)) chosen.add(at);
  }
  return { chosen: [...chosen].sort((left, right) => left - right), optimal: chosen.size <= 1 };
}
