import { type Interval, intervalOf, isWithin } from '../access-model/interval.ts';
import { type AccessRef, type TimedAccessRef, textOfMissing } from '../access-model/records.ts';
import { type Cause, failure, type NotFound, type ReferenceNotFound } from '../result/failure.ts';
import { fail, ok, type Result } from '../result/result.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import { type Entitlements, entitlementsOf, uniteEntitlements } from './expand-access.ts';
import type { HeldAccess } from './held-access.ts';

/** The access that an identity holds: as `HeldAccess`, but `held` is null when there is no such identity. */
export interface Holder extends Pick<HeldAccess, 'timed'> {
  readonly held: Uint32Array | null;
}

/** The requested access and the time to evaluate. */
export interface AccessRequest {
  readonly accessRefs: readonly TimedAccessRef[];
  /** The only instant that counts, if there is one: ISO 8601. */
  readonly at?: string | null | undefined;
  /** Milliseconds since 1970: without `at` every instant from this one on counts. */
  readonly nowMs: number;
}

/** A question about one instant, or one whose answer is the same at all instants. */
export interface InstantQuestion {
  readonly kind: 'instant';
  /** Milliseconds since 1970. */
  readonly ms: number;
  /** Entitlements held then, as numbers of the index. */
  readonly held: Uint32Array;
  /** The entitlements of each access ref that is requested for then. */
  readonly parts: readonly Entitlements[];
}

/** Entitlements, as numbers of the index, that are held or requested in successive intervals. */
export interface IntervalAccess {
  readonly entitlements: Entitlements;
  /** The first interval, and the one after the last. */
  readonly from: number;
  readonly end: number;
}

/** A question about several intervals, at least two, within each of which access does not change. */
export interface TemporalQuestion {
  readonly kind: 'temporal';
  /** When each interval begins, in milliseconds since 1970: the first one now. The last one has no end. */
  readonly starts: Float64Array;
  /** Entitlements held in all of them. */
  readonly always: Uint32Array;
  readonly held: readonly IntervalAccess[];
  readonly requested: readonly IntervalAccess[];
}

/** A question whose time is settled. */
export type Question = InstantQuestion | TemporalQuestion;

/** The reason for no answer: an unresolved access ref or an unknown identity. */
export type QuestionFailure = ReferenceNotFound | NotFound;

/**
 * Looks up the requested access and settles the time to evaluate. Fails with a cause for each unresolved access ref, else
 * for the identity, whether the requested access ever holds or not.
 */
export function settleQuestion(
  index: SodIndex,
  { held, timed }: Holder,
  { accessRefs, at, nowMs }: AccessRequest,
): Result<Question, QuestionFailure> {
  const found = resolveAccess(index, held, accessRefs);
  if (!found.ok) return found;
  const { parts } = found.value;
  const instant = { kind: 'instant', ms: nowMs, held: found.value.held, parts } as const;
  if (!isTimed(timed, accessRefs, at)) return ok(instant);
  return ok(settleTime(index, instant, { held: timed ?? [], requested: accessRefs.map(intervalOf), at }));
}

/** The failures of a prediction without its answer. */
export function validateAccessRefs(
  index: SodIndex,
  held: Uint32Array | null,
  accessRefs: readonly AccessRef[],
): Result<null, QuestionFailure> {
  const found = resolveAccess(index, held, accessRefs);
  return found.ok ? ok(null) : found;
}

function resolveAccess(
  index: SodIndex,
  held: Uint32Array | null,
  accessRefs: readonly AccessRef[],
): Result<Pick<InstantQuestion, 'held' | 'parts'>, QuestionFailure> {
  const parts: Entitlements[] = [];
  for (const ref of accessRefs) {
    const part = entitlementsOf(index.catalogue, ref);
    if (part !== undefined) parts.push(part);
  }
  if (parts.length < accessRefs.length)
    return fail({ type: 'ReferenceNotFound', causes: unresolvedCauses(index, accessRefs) });
  if (held === null) return fail(failure('NotFound', 'identityId', 'there is no such identity'));
  return ok({ held, parts });
}

function unresolvedCauses({ catalogue }: SodIndex, accessRefs: readonly AccessRef[]): readonly Cause[] {
  return accessRefs.flatMap((ref, at) => {
    if (entitlementsOf(catalogue, ref) !== undefined) return [];
    return [{ at: `accessRefs[${at}]`, text: textOfMissing(ref.type, ref.id) }];
  });
}

function isTimed(timed: Holder['timed'], accessRefs: readonly TimedAccessRef[], at: AccessRequest['at']): boolean {
  if (timed !== null || typeof at === 'string') return true;
  // A hot path: a loop needs half the time of a callback.
  for (let i = 0; i < accessRefs.length; i++) {
    const ref = accessRefs[i];
    if (ref !== undefined && (ref.start !== undefined || ref.end !== undefined)) return true;
  }
  return false;
}

interface Windows {
  readonly held: NonNullable<Holder['timed']>;
  /** Of each access ref. */
  readonly requested: readonly Interval[];
  readonly at: AccessRequest['at'];
}

function settleTime(
  { catalogue }: SodIndex,
  { ms: nowMs, held: always, parts }: InstantQuestion,
  { held, requested, at }: Windows,
): Question {
  const ms = typeof at === 'string' ? Date.parse(at) : decisiveInstant({ held, requested }, nowMs);
  if (ms !== null) {
    const heldThen = held.filter((part) => isWithin(part, ms)).map(({ entitlements }) => entitlements);
    return {
      kind: 'instant',
      ms,
      held: heldThen.length === 0 ? always : uniteEntitlements(catalogue, [always, ...heldThen]),
      parts: parts.filter((_, place) => isWithin(requested[place] ?? NEVER, ms)),
    };
  }
  const starts = instantsOf([...held, ...requested], { nowMs });
  const inIntervals = (entitlements: Entitlements, window: Interval) => ({
    entitlements,
    ...intervalsOf(starts, window),
  });
  return {
    kind: 'temporal',
    starts,
    always,
    held: held.map((part) => inIntervals(part.entitlements, part)).filter(isEver),
    requested: parts.map((part, place) => inIntervals(part, requested[place] ?? NEVER)).filter(isEver),
  };
}

const NEVER: Interval = { startMs: 0, endMs: 0 };

/**
 * An instant from now on whose violations are those of all instants: all requested access holds then, and held access does
 * not change. Null if there is none.
 */
function decisiveInstant({ held, requested }: Omit<Windows, 'at'>, nowMs: number): number | null {
  for (const { startMs, endMs } of held) {
    const isConstant = endMs <= nowMs || startMs >= endMs || (startMs <= nowMs && endMs === Number.POSITIVE_INFINITY);
    if (!isConstant) return null;
  }
  let ms = nowMs;
  let earliestEndMs = Number.POSITIVE_INFINITY;
  for (const { startMs, endMs } of requested) {
    if (endMs <= nowMs || startMs >= endMs) continue;
    ms = Math.max(ms, startMs);
    earliestEndMs = Math.min(earliestEndMs, endMs);
  }
  return ms < earliestEndMs ? ms : null;
}

const isEver = ({ from, end }: IntervalAccess): boolean => from < end;

/** The instants to evaluate, in milliseconds since 1970: `at` alone, or now and each later start and end of a window, ascending. */
export function instantsOf(
  windows: readonly Interval[],
  { at, nowMs }: Pick<AccessRequest, 'at' | 'nowMs'>,
): Float64Array {
  if (typeof at === 'string') return Float64Array.of(Date.parse(at));
  const instants = new Set([nowMs]);
  for (const { startMs, endMs } of windows) {
    if (endMs <= nowMs || startMs >= endMs) continue;
    if (startMs > nowMs) instants.add(startMs);
    if (endMs < Number.POSITIVE_INFINITY) instants.add(endMs);
  }
  return Float64Array.from(instants).sort();
}

/** The intervals within a window, each of them wholly in it or not at all. */
export const intervalsOf = (
  starts: Float64Array,
  { startMs, endMs }: Interval,
): Pick<IntervalAccess, 'from' | 'end'> => ({
  from: countBefore(starts, startMs),
  end: countBefore(starts, endMs),
});

/** How many intervals begin before an instant. */
function countBefore(starts: Float64Array, ms: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}
