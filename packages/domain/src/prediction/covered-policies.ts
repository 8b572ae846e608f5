import { hasWindow, type Interval, intervalOf } from '../access-model/interval.ts';
import { findId } from '../collections/id-dictionary.ts';
import { type Entitlements, entitlementsOf } from '../evaluation/expand-access.ts';
import type { AccessRequest, Holder } from '../evaluation/question.ts';
import { type Grant, placeItems, sweepViolations } from '../evaluation/violating-intervals.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import { isPauseDue, type Steps, type WorkBudget } from '../steps/work-budget.ts';
import type { CoveringException, ViolationContext } from './violation-context.ts';

/** An approved exception of an identity, neither revoked nor void. Instants are ISO 8601 in UTC with milliseconds. */
export interface ApprovedException {
  readonly policyId: string;
  readonly id: string;
  readonly start: string;
  readonly end: string;
}

/** The exceptions that may cover violations of a prediction. */
export interface ExceptionCoverage {
  /** Whether there is an exception from the policy at all; without one nothing of its violation is looked up. */
  hasException(policyId: string): boolean;
  /** The exception that covers a violation of the prediction, in steps. */
  coveringException(context: ViolationContext, budget: WorkBudget): Steps<CoveringException | undefined>;
}

/**
 * Whether the window of an exception covers a violation: every interval of the violation lies within it. An interval without
 * end counts by its beginning, because no exception is without end.
 */
export function covers(
  { start, end }: Pick<ApprovedException, 'start' | 'end'>,
  violating: readonly Interval[],
): boolean {
  const window = { startMs: Date.parse(start), endMs: Date.parse(end) };
  return (
    violating.length > 0 &&
    violating.every(({ startMs, endMs }) => {
      const isEndless = endMs === Number.POSITIVE_INFINITY;
      return window.startMs <= startMs && (isEndless ? startMs < window.endMs : endMs <= window.endMs);
    })
  );
}

/** The exception that covers a violation in these intervals; of several the one that ends last. */
export function coveringOf(
  exceptions: readonly ApprovedException[],
  violating: readonly Interval[],
): CoveringException | undefined {
  const [found] = exceptions
    .filter((exception) => covers(exception, violating))
    .toSorted((left, right) => Date.parse(right.end) - Date.parse(left.end));
  return found === undefined ? undefined : { id: found.id, end: found.end };
}

/** The exceptions of an identity for a prediction about it, with the holder and the request of the prediction. */
export function coverageOf(
  exceptions: readonly ApprovedException[] | null,
  prediction: { readonly index: SodIndex; readonly holder: Holder; readonly request: AccessRequest },
): ExceptionCoverage | null {
  if (exceptions === null || exceptions.length === 0) return null;
  const byPolicy = Map.groupBy(exceptions, ({ policyId }) => policyId);
  return {
    hasException: (policyId) => byPolicy.has(policyId),
    *coveringException(context, budget) {
      const candidates = byPolicy.get(context.policy.id);
      return candidates === undefined
        ? undefined
        : coveringOf(candidates, yield* intervalsOfViolation(context, prediction, budget));
    },
  };
}

interface PredictedAccess {
  readonly index: SodIndex;
  readonly holder: Holder;
  readonly request: AccessRequest;
}

const ALWAYS: Interval = { startMs: Number.NEGATIVE_INFINITY, endMs: Number.POSITIVE_INFINITY };

/** The intervals of a violation; those of `at` and of access without windows are one that begins then and has no end. */
function* intervalsOfViolation(
  context: ViolationContext,
  { index, holder, request }: PredictedAccess,
  budget: WorkBudget,
): Steps<readonly Interval[]> {
  const { accessRefs, at, nowMs } = request;
  if (typeof at === 'string') return [{ ...ALWAYS, startMs: Date.parse(at) }];
  if (holder.timed === null && !accessRefs.some(hasWindow)) return [{ ...ALWAYS, startMs: nowMs }];
  const { atLeast, ofSides } = shownNumbers(context, index);
  const { places, sidesOf } = placeItems(ofSides);
  const grants: Grant[] = [];
  const add = function* (entitlements: Entitlements, intervals: readonly Interval[]): Steps<void> {
    const items = yield* itemsAmong(entitlements, places, budget);
    if (items.length > 0) grants.push({ items, intervals });
  };
  yield* add(holder.held ?? [], [ALWAYS]);
  for (const { entitlements, windows } of holder.timed ?? []) yield* add(entitlements, windows);
  for (const ref of accessRefs) yield* add(entitlementsOf(index.catalogue, ref) ?? [], [intervalOf(ref)]);
  return (yield* sweepViolations({ sidesOf, sideCount: ofSides.length, atLeast, grants }, nowMs, budget)).intervals;
}

// The work units of looking up one number.
const LOOKUP_WORK = 1 / 4;

/** Whether a number is in an ascending list. */
function hasSorted(numbers: Entitlements, number: number): boolean {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return numbers[low] === number;
}

function* itemsAmong(
  entitlements: Entitlements,
  places: ReadonlyMap<number, number>,
  budget: WorkBudget,
): Steps<readonly number[]> {
  const items: number[] = [];
  for (const [number, item] of places) {
    if (hasSorted(entitlements, number)) items.push(item);
    if (isPauseDue(budget, LOOKUP_WORK)) yield;
  }
  return items;
}

/** The shown items by side. All items that are there in any interval of a violation are shown. */
function shownNumbers(
  { conflictingAccessCriteria: conflict }: ViolationContext,
  { catalogue }: SodIndex,
): { readonly ofSides: readonly (readonly number[])[]; readonly atLeast: number } {
  const sides = 'criteria' in conflict ? conflict.criteria : [conflict.leftCriteria, conflict.rightCriteria];
  const ofSides = sides.map(({ criteriaList }) =>
    criteriaList.flatMap(({ id }) => findId(catalogue.numbers, id) ?? []),
  );
  return { ofSides, atLeast: 'criteria' in conflict ? conflict.atLeast : 2 };
}
