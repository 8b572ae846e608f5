import { hasWindow, type Interval, intervalOf } from '../access/model/interval.ts';
import {
  type AccessRequest,
  chosenItems,
  type Entitlements,
  entitlementsOf,
  findPolicy,
  type Grant,
  type Holder,
  type PolicyPlace,
  placeItems,
  policyAt,
  policyPlaceAt,
  policySidesAt,
  type SodIndex,
  shownItems,
  sweepViolations,
  termsAt,
  type Violation,
} from '../sod/index.ts';
import type { CoveringException, ViolationCoverage } from './violation-context.ts';

/** An approved exception of an identity, neither revoked nor void. Instants are ISO 8601 in UTC with milliseconds. */
export interface ApprovedException {
  readonly policyId: string;
  readonly id: string;
  readonly start: string;
  readonly end: string;
}

/** An approved exception with what its approval is bound to: a conflict with further items ends it. */
export interface BoundException extends ApprovedException {
  /** The ids of the conflicting items at the approval. */
  readonly items: readonly string[];
}

/** A bound exception, when it was approved, and for which policy. */
export interface ApprovedOnConflict extends BoundException {
  readonly approved: string;
  /** The digest of the policy's terms at the approval. */
  readonly terms: string;
}

/** The exceptions that may cover violations of a prediction. */
export interface ExceptionCoverage {
  /** Undefined where no exception covers any violating moment. */
  coverageOf(violation: Violation): ViolationCoverage | undefined;
}

/**
 * Whether the window of an exception covers a violation that is there: every interval of the violation lies within it. An
 * interval without end counts by its beginning, because no exception is without end.
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

/** The exception that covers a violation that is there in these intervals; of several the one that ends last. */
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
  exceptions: readonly BoundException[] | null,
  prediction: PredictedAccess,
): ExceptionCoverage | null {
  if (exceptions === null || exceptions.length === 0) return null;
  const byPolicy = Map.groupBy(exceptions, ({ policyId }) => policyId);
  const { index } = prediction;
  return {
    coverageOf: (violation) => {
      const candidates = byPolicy.get(policyAt(policyPlaceAt(index, violation.policy)).id);
      return candidates === undefined ? undefined : coverageAmong(candidates, momentsOf(violation, prediction));
    },
  };
}

/** The coverage of a violation by the exceptions from its policy; of several the one that ends last. */
function coverageAmong(
  exceptions: readonly BoundException[],
  { intervals, items }: ViolatingMoments,
): ViolationCoverage | undefined {
  const latestFirst = exceptions.toSorted((left, right) => Date.parse(right.end) - Date.parse(left.end));
  for (const { id, start, end, items: approved } of latestFirst) {
    const startMs = Date.parse(start);
    const endMs = Date.parse(end);
    const isWithin = (interval: Interval) => startMs <= interval.startMs && interval.endMs <= endMs;
    const isBound = [...items].every((item) => approved.includes(item));
    if (isBound && intervals.every(isWithin)) return { exception: { id, end } };
  }
  const partial = latestFirst.find(({ start, end }) =>
    intervals.some(({ startMs, endMs }) => Math.max(Date.parse(start), startMs) < Math.min(Date.parse(end), endMs)),
  );
  return partial && { exception: null, exceptionEnds: partial.end };
}

/**
 * The exceptions whose conflict is still the approved one: the policy of the index has the approved terms, and since the
 * approval, held access violates it, and by approved items alone. The others are void.
 */
export const standingExceptions = <E extends ApprovedOnConflict>(
  exceptions: readonly E[],
  index: SodIndex,
  holder: Holder,
): readonly E[] =>
  exceptions.filter(({ policyId, terms, approved, items }) => {
    const place = findPolicy(index, policyId);
    if (place === null || termsAt(place) !== terms) return false;
    const held = sweepItems(place, { index, holder, accessRefs: [] }, Date.parse(approved));
    return held.items.length > 0 && held.items.every((item) => items.includes(item));
  });

interface PredictedAccess {
  readonly index: SodIndex;
  readonly holder: Holder;
  readonly request: AccessRequest;
}

const ALWAYS: Interval = { startMs: Number.NEGATIVE_INFINITY, endMs: Number.POSITIVE_INFINITY };

/** When a violation lasts, and the ids of the items that take part in it. */
interface ViolatingMoments {
  readonly intervals: readonly Interval[];
  readonly items: ReadonlySet<string>;
}

/**
 * The moments that the answer tells of, and the items of these and of all from now on: an item that joins the conflict ends an
 * approval at once, whenever it takes part.
 */
function momentsOf(violation: Violation, { index, holder, request }: PredictedAccess): ViolatingMoments {
  const { accessRefs, at, nowMs } = request;
  const items = new Set<string>();
  for (const { item } of shownItems(index, violation).flat()) items.add(item.id);
  if (holder.timed === null && !accessRefs.some(hasWindow)) {
    const startMs = typeof at === 'string' ? Date.parse(at) : nowMs;
    return { intervals: [typeof at === 'string' ? momentAt(startMs) : { ...ALWAYS, startMs }], items };
  }
  const { intervals, items: ofAll } = sweepItems(
    policyPlaceAt(index, violation.policy),
    { index, holder, accessRefs },
    nowMs,
  );
  for (const id of ofAll) items.add(id);
  return { intervals: typeof at === 'string' ? [momentAt(Date.parse(at))] : intervals, items };
}

interface SweptAccess extends Pick<AccessRequest, 'accessRefs'>, Pick<PredictedAccess, 'index' | 'holder'> {}

/** When held and requested access together violate a policy from `nowMs` on, and the ids of the items that take part. */
function sweepItems(
  place: PolicyPlace,
  { index, holder, accessRefs }: SweptAccess,
  nowMs: number,
): { readonly intervals: readonly Interval[]; readonly items: readonly string[] } {
  const { rows, first, sideCount, atLeast } = policySidesAt(place);
  const ofSides = Array.from({ length: sideCount }, (_, side) => [
    ...rows.values.subarray(rows.starts[first + side], rows.starts[first + side + 1]),
  ]);
  const { places, sidesOf } = placeItems(ofSides);
  const grants: Grant[] = [];
  const add = (entitlements: Entitlements, intervals: readonly Interval[]) => {
    const granted = itemsAmong(entitlements, places);
    if (granted.length > 0) grants.push({ items: granted, intervals });
  };
  add(holder.held ?? [], [ALWAYS]);
  for (const { entitlements, windows } of holder.timed ?? []) add(entitlements, windows);
  for (const ref of accessRefs) add(entitlementsOf(index.catalogue, ref) ?? [], [intervalOf(ref)]);
  const { intervals, shown } = sweepViolations({ sidesOf, sideCount, atLeast, grants }, nowMs);
  const isShown = (_: number, entitlement: number) => shown[places.get(entitlement) ?? 0] === 1;
  return { intervals, items: chosenItems(index.catalogue, place, isShown).flatMap((side) => side.map(({ id }) => id)) };
}

/** Instants have milliseconds. */
const momentAt = (ms: number): Interval => ({ startMs: ms, endMs: ms + 1 });

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
