import { hasWindow, type Interval, intervalOf } from '../access/model/interval.ts';
import {
  type AccessRequest,
  type Entitlements,
  entitlementsOf,
  type Grant,
  type Holder,
  placeItems,
  policyAt,
  policyPlaceAt,
  policySidesAt,
  type SodIndex,
  shownItems,
  sweepViolations,
  type Violation,
} from '../sod/index.ts';
import type { CoveringException } from './violation-context.ts';

/** An approved exception of an identity, neither revoked nor void. Instants are ISO 8601 in UTC with milliseconds. */
export interface ApprovedException {
  readonly policyId: string;
  readonly id: string;
  readonly start: string;
  readonly end: string;
}

/** The exceptions that may cover violations of a prediction. */
export interface ExceptionCoverage {
  /** The exception that covers a violation of the prediction. */
  coveringException(violation: Violation): CoveringException | undefined;
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
  prediction: PredictedAccess,
): ExceptionCoverage | null {
  if (exceptions === null || exceptions.length === 0) return null;
  const byPolicy = Map.groupBy(exceptions, ({ policyId }) => policyId);
  const { index } = prediction;
  return {
    coveringException: (violation) => {
      const candidates = byPolicy.get(policyAt(policyPlaceAt(index, violation.policy)).id);
      return candidates === undefined ? undefined : coveringOf(candidates, intervalsOf(violation, prediction));
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
function intervalsOf(violation: Violation, { index, holder, request }: PredictedAccess): readonly Interval[] {
  const { accessRefs, at, nowMs } = request;
  if (typeof at === 'string') return [{ ...ALWAYS, startMs: Date.parse(at) }];
  if (holder.timed === null && !accessRefs.some(hasWindow)) return [{ ...ALWAYS, startMs: nowMs }];
  const { sideCount, atLeast } = policySidesAt(policyPlaceAt(index, violation.policy));
  // All items that are there in any interval of a violation are shown.
  const ofSides = shownItems(index, violation).map((items) => items.map(({ entitlement }) => entitlement));
  const { places, sidesOf } = placeItems(ofSides);
  const grants: Grant[] = [];
  const add = (entitlements: Entitlements, intervals: readonly Interval[]) => {
    const items = itemsAmong(entitlements, places);
    if (items.length > 0) grants.push({ items, intervals });
  };
  add(holder.held ?? [], [ALWAYS]);
  for (const { entitlements, windows } of holder.timed ?? []) add(entitlements, windows);
  for (const ref of accessRefs) add(entitlementsOf(index.catalogue, ref) ?? [], [intervalOf(ref)]);
  return sweepViolations({ sidesOf, sideCount, atLeast, grants }, nowMs).intervals;
}

function itemsAmong(entitlements: Entitlements, places: ReadonlyMap<number, number>): readonly number[] {
  const items: number[] = [];
  for (const [number, item] of places) if (hasSorted(entitlements, number)) items.push(item);
  return items;
}

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
