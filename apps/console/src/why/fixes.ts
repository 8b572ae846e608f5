import { compareTexts } from '../service/compare-texts.ts';
import type { AccessStep, AccountStep, Explanation, HeldItem, Step } from './explain.ts';

/** A policy has at most 10 sides, so that there are few choices of them. */
const FIXES_MAX = 3;

/** An assignment, of the record of the person or of an account. */
export interface Assigned extends AccessStep {
  /** Where the source of it has to remove it; left out for the record of the person. */
  readonly account?: AccountStep;
}

/** Assignments without which the person does not violate the policy. */
export interface Fix {
  /** The positions of the sides that the person then does not hold. */
  readonly sides: readonly number[];
  readonly assignments: readonly Assigned[];
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
    return { sides: chosen, assignments: assignments.toSorted((one, other) => compareTexts(keyOf(one), keyOf(other))) };
  });
  const textOf = (fix: Fix) => fix.assignments.map(keyOf).join('\n');
  const unique = [...new Map(fixes.map((fix) => [textOf(fix), fix])).values()];
  return unique
    .toSorted(
      (one, other) => one.assignments.length - other.assignments.length || compareTexts(textOf(one), textOf(other)),
    )
    .slice(0, FIXES_MAX);
}

/** What is assigned to the person on the ways to an item. */
const assignmentsOf = ({ id, name, ways }: HeldItem): readonly Assigned[] =>
  ways.map((way) => {
    const account = way.find((step) => step.type === 'ACCOUNT');
    const first: AccessStep = way.find(isAccess) ?? { type: 'ENTITLEMENT', id, name };
    return account === undefined ? first : { ...first, account };
  });

const isAccess = (step: Step): step is AccessStep => step.type !== 'ACCOUNT';

const keyOf = ({ type, id, account }: Assigned): string => `${id} ${type} ${account?.id ?? ''}`;

/** All choices of `count` of the first `total` numbers. */
function choices(total: number, count: number, from = 0): readonly (readonly number[])[] {
  if (count === 0) return [[]];
  return Array.from({ length: total - from }, (_, at) => from + at).flatMap((first) =>
    choices(total, count - 1, first + 1).map((rest) => [first, ...rest]),
  );
}
