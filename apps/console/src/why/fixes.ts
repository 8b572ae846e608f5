import type { Explanation, HeldItem, Step } from './explain.ts';

/** A policy has at most 10 sides, so that there are few choices of them. */
const FIXES_MAX = 3;

/** Assignments without which the person does not violate the policy. */
export interface Fix {
  /** The positions of the sides that the person then does not hold. */
  readonly sides: readonly number[];
  readonly assignments: readonly Step[];
}

/**
 * The sets of assignments whose removal ends a violation, the smallest first, then in the order of their ids: one for each
 * choice of sides that must go, at most three. None while it is not known how an item is held.
 */
export function findFixes({ sides, atLeast }: Pick<Explanation, 'sides' | 'atLeast'>): readonly Fix[] {
  if (sides.length < atLeast || sides.some(({ items }) => items.every(({ ways }) => ways.length === 0))) return [];
  const fixes = choices(sides.length, sides.length - atLeast + 1).map((chosen): Fix => {
    const found = chosen.flatMap((at) => (sides[at]?.items ?? []).flatMap(assignmentsOf));
    const assignments = [...new Map(found.map((step) => [keyOf(step), step])).values()];
    return { sides: chosen, assignments: assignments.toSorted((one, other) => compare(keyOf(one), keyOf(other))) };
  });
  const textOf = (fix: Fix) => fix.assignments.map(keyOf).join('\n');
  const unique = [...new Map(fixes.map((fix) => [textOf(fix), fix])).values()];
  return unique
    .toSorted((one, other) => one.assignments.length - other.assignments.length || compare(textOf(one), textOf(other)))
    .slice(0, FIXES_MAX);
}

/** What is assigned to the person on the ways to an item. */
const assignmentsOf = ({ id, name, ways }: HeldItem): readonly Step[] =>
  ways.map(([first]) => first ?? { type: 'ENTITLEMENT', id, name });

const keyOf = ({ type, id }: Step): string => `${id} ${type}`;

const compare = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);

/** All choices of `count` of the first `total` numbers. */
function choices(total: number, count: number, from = 0): readonly (readonly number[])[] {
  if (count === 0) return [[]];
  return Array.from({ length: total - from }, (_, at) => from + at).flatMap((first) =>
    choices(total, count - 1, first + 1).map((rest) => [first, ...rest]),
  );
}
