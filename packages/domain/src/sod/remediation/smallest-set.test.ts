import { describe, expect, test } from 'vitest';
import { type Choice, choose, EXACT_CANDIDATES_MAX, SETS_TRIED_MAX, type Selection } from './smallest-set.ts';

interface Tried {
  readonly choice: Choice | null;
  /** The number of sets that were tried. */
  readonly tries: number;
}

/** Chooses among so many candidates until a set satisfies `suffices`. */
function chosenOf(
  count: number,
  suffices: (chosen: ReadonlySet<number>) => boolean,
  rest: Partial<Pick<Selection, 'weightOf' | 'isSpent'>> = {},
): Tried {
  let tries = 0;
  const steps = choose({
    count,
    // biome-ignore lint/correctness/useYield: Finding out takes one step here.
    *isEnough(chosen) {
      tries += 1;
      return suffices(chosen);
    },
    weightOf: () => 0,
    isSpent: () => false,
    ...rest,
  });
  for (;;) {
    const step = steps.next();
    if (step.done === true) return { choice: step.value, tries };
  }
}

const needs =
  (...needed: readonly number[]) =>
  (chosen: ReadonlySet<number>) =>
    needed.every((each) => chosen.has(each));

describe('up to 12 candidates', () => {
  test('have a smallest set, the first in order of their numbers', () => {
    const twoOf = (chosen: ReadonlySet<number>) => chosen.size >= 2 && !(chosen.has(0) && chosen.has(1));
    expect(chosenOf(EXACT_CANDIDATES_MAX, twoOf).choice).toEqual({ chosen: [0, 2], optimal: true });
    expect(chosenOf(4, needs(3, 1)).choice).toEqual({ chosen: [1, 3], optimal: true });
    expect(chosenOf(4, () => true).choice).toEqual({ chosen: [], optimal: true });
    expect(chosenOf(4, () => false).choice).toBeNull();
  });
});

describe('more candidates', () => {
  const count = EXACT_CANDIDATES_MAX + 1;

  test('have a set without a superfluous one, in order of their numbers', () => {
    expect(chosenOf(count, needs(12, 2, 7)).choice).toEqual({ chosen: [2, 7, 12], optimal: false });
    expect(chosenOf(count, needs(...Array.from({ length: count }, (_, at) => at))).choice?.chosen).toHaveLength(count);
  });

  test('have a smallest set where it is empty or has one', () => {
    expect(chosenOf(count, () => true).choice).toEqual({ chosen: [], optimal: true });
    expect(chosenOf(count, needs(5)).choice).toEqual({ chosen: [5], optimal: true });
    expect(chosenOf(count, () => false).choice).toBeNull();
  });

  test('lose those of the least weight first', () => {
    const either = (chosen: ReadonlySet<number>) => chosen.has(3) || chosen.has(9);
    const weightOf = (heavy: number) => (candidate: number) => (candidate === heavy ? 2 : 1);
    expect(chosenOf(count, either, { weightOf: weightOf(9) }).choice?.chosen).toEqual([9]);
    expect(chosenOf(count, either, { weightOf: weightOf(3) }).choice?.chosen).toEqual([3]);
  });

  test('are tried in at most 1,000 sets beside none and all of them', () => {
    const even = (chosen: ReadonlySet<number>) =>
      Array.from({ length: 1_000 }, (_, at) => at * 2).every((each) => chosen.has(each));
    const { choice, tries } = chosenOf(2_000, even);
    expect(tries).toBe(SETS_TRIED_MAX + 2);
    expect(even(new Set(choice?.chosen))).toBe(true);
  });

  test('all stay once no more time is to be spent', () => {
    const { choice, tries } = chosenOf(count, needs(2), { isSpent: () => true });
    expect(choice?.chosen).toHaveLength(count);
    expect(tries).toBe(2);
  });
});
