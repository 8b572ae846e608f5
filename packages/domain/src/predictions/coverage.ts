import { contains, hasWindow, type Interval, intervalOf } from '../access/model/interval.ts';
import {
  type AccessRequest,
  accessInTime,
  entitlementsOf,
  findPolicy,
  type Holder,
  policyAt,
  policyPlaceAt,
  type SodIndex,
  shownItems,
  sweepPolicy,
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
  /** Undefined where no exception is in force, now or at a violating moment. */
  coverageOf(violation: Violation): ViolationCoverage | undefined;
}

/**
 * Whether the window of an exception covers a violation that is there: every interval of the violation lies within it. An
 * interval without end counts by its beginning, because no exception is without end.
 */
export function covers(exception: Pick<ApprovedException, 'start' | 'end'>, violating: readonly Interval[]): boolean {
  const window = intervalOf(exception);
  const judged = violating.map((interval) =>
    interval.endMs === Number.POSITIVE_INFINITY ? momentAt(interval.startMs) : interval,
  );
  return judged.length > 0 && judged.every((interval) => contains(window, interval));
}

/** A conflict by held access. */
interface HeldConflict {
  /** The digest of the policy's terms. */
  readonly terms: string;
  /** The ids of the items that take part from an instant (milliseconds since 1970) on. */
  itemsFrom(ms: number): readonly string[];
}

/** A violation by held access, as reports and the register judge it. */
export interface HeldMoments extends HeldConflict {
  /** When it is there. */
  readonly intervals: readonly Interval[];
  /** The ids of the items that take part then. */
  readonly items: readonly string[];
}

/** The exception that covers a violation by held access; of several the one that ends last. */
export function coveringOf(
  exceptions: readonly ApprovedOnConflict[],
  violation: HeldMoments,
): CoveringException | undefined {
  const [found] = exceptions
    .filter(
      (exception) =>
        covers(exception, violation.intervals) && isBound(exception, violation.items) && stands(exception, violation),
    )
    .toSorted((left, right) => Date.parse(right.end) - Date.parse(left.end));
  return found === undefined ? undefined : { id: found.id, end: found.end };
}

/** Whether an approval is of all these items. */
const isBound = ({ items: approved }: BoundException, items: Iterable<string>): boolean =>
  [...items].every((item) => approved.includes(item));

/**
 * Whether the conflict is still the approved one: the policy has the approved terms, and since the approval, held access violates
 * it, and by approved items alone.
 */
function stands(exception: ApprovedOnConflict, { terms, itemsFrom }: HeldConflict): boolean {
  if (exception.terms !== terms) return false;
  const items = itemsFrom(Date.parse(exception.approved));
  return items.length > 0 && isBound(exception, items);
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
      if (candidates === undefined) return undefined;
      return coverageAmong(candidates, momentsOf(violation, prediction), prediction.request.nowMs);
    },
  };
}

/** The coverage of a violation by the exceptions from its policy; of several the one that ends last. */
function coverageAmong(
  exceptions: readonly BoundException[],
  { intervals, items }: ViolatingMoments,
  nowMs: number,
): ViolationCoverage | undefined {
  const windowed = exceptions
    .map((exception) => ({ ...exception, window: intervalOf(exception) }))
    .toSorted((left, right) => right.window.endMs - left.window.endMs);
  const touching = windowed.filter(({ window }) =>
    intervals.some(({ startMs, endMs }) => Math.max(window.startMs, startMs) < Math.min(window.endMs, endMs)),
  );
  if (touching.length === 0 && windowed.every(({ window }) => window.endMs <= nowMs)) return undefined;
  const kept = touching.filter((exception) => isBound(exception, items));
  const whole = kept.find(({ window }) => intervals.every((interval) => contains(window, interval)));
  if (whole !== undefined) return { exception: { id: whole.id, end: whole.end } };
  return { exception: null, exceptionEnds: kept[0]?.end ?? null };
}

/** The exceptions that are not void. */
export function standingExceptions<E extends ApprovedOnConflict>(
  exceptions: readonly E[],
  index: SodIndex,
  holder: Holder,
): readonly E[] {
  const access = accessInTime(holder);
  return exceptions.filter((exception) => {
    const place = findPolicy(index, exception.policyId);
    if (place === null) return false;
    const itemsFrom = (fromMs: number) => sweepPolicy(index.catalogue, place, { access, fromMs }).items;
    return stands(exception, { terms: termsAt(place), itemsFrom });
  });
}

interface PredictedAccess {
  readonly index: SodIndex;
  readonly holder: Holder;
  readonly request: AccessRequest;
}

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
  const { accessRefs, pending = [], at, nowMs } = request;
  const items = new Set<string>();
  for (const { item } of shownItems(index, violation).flat()) items.add(item.id);
  const added = [...pending.flatMap((earlier) => earlier.accessRefs), ...accessRefs];
  if (holder.timed === null && !added.some(hasWindow)) {
    const startMs = typeof at === 'string' ? Date.parse(at) : nowMs;
    return {
      intervals: [typeof at === 'string' ? momentAt(startMs) : { startMs, endMs: Number.POSITIVE_INFINITY }],
      items,
    };
  }
  const requested = added.map((ref) => ({
    entitlements: entitlementsOf(index.catalogue, ref) ?? [],
    intervals: [intervalOf(ref)],
  }));
  const access = [...accessInTime(holder), ...requested];
  const place = policyPlaceAt(index, violation.policy);
  const { intervals, items: ofAll } = sweepPolicy(index.catalogue, place, { access, fromMs: nowMs });
  for (const id of ofAll) items.add(id);
  return { intervals: typeof at === 'string' ? [momentAt(Date.parse(at))] : intervals, items };
}

/** Instants have milliseconds. */
const momentAt = (ms: number): Interval => ({ startMs: ms, endMs: ms + 1 });
