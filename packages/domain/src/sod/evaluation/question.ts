import { type Interval, intervalOf, isWithin } from '../../access/model/interval.ts';
import { type AccessRef, type TimedAccessRef, textOfMissing } from '../../access/model/records.ts';
import { type Cause, failure, type NotFound, type ReferenceNotFound } from '../../basics/result/failure.ts';
import { fail, ok, type Result } from '../../basics/result/result.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import { type Entitlements, entitlementsOf } from './expand-access.ts';
import type { HeldAccess, TimedEntitlements } from './held-access.ts';

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
  /** Entitlements that are held in windows. */
  readonly timed?: TimedParts;
}

/** Entitlements that are held in windows, each part once. */
export interface TimedParts {
  readonly parts: readonly Entitlements[];
  /** Whether requested access that is among them counts as gained. */
  readonly yieldsToRequest: boolean;
}

/** Successive intervals: the first one, and the one after the last. */
export interface IntervalRange {
  readonly from: number;
  readonly end: number;
}

/** Entitlements, as numbers of the index, that are held or requested in some intervals. */
export interface IntervalAccess {
  readonly entitlements: Entitlements;
  readonly ranges: readonly IntervalRange[];
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
  const parts = partsOf(index, accessRefs);
  const refusal = refusalOf(index, held, { accessRefs, parts });
  if (refusal !== null || held === null) return fail(refusal ?? NO_IDENTITY);
  const instant = { kind: 'instant', ms: nowMs, held, parts } as const;
  if (!isTimed(timed, accessRefs, at)) return ok(instant);
  return ok(settleTime(instant, { held: timed ?? [], requested: accessRefs.map(intervalOf), at }));
}

/** The failures of a prediction without its answer. */
export function validateAccessRefs(
  index: SodIndex,
  held: Uint32Array | null,
  accessRefs: readonly AccessRef[],
): Result<null, QuestionFailure> {
  const refusal = refusalOf(index, held, { accessRefs, parts: partsOf(index, accessRefs) });
  return refusal === null ? ok(null) : fail(refusal);
}

/** The entitlements of each access ref that the catalogue has. */
function partsOf({ catalogue }: SodIndex, accessRefs: readonly AccessRef[]): readonly Entitlements[] {
  const parts: Entitlements[] = [];
  for (const ref of accessRefs) {
    const part = entitlementsOf(catalogue, ref);
    if (part !== undefined) parts.push(part);
  }
  return parts;
}

const NO_IDENTITY = failure('NotFound', 'identityId', 'there is no such identity');

function refusalOf(
  index: SodIndex,
  held: Uint32Array | null,
  { accessRefs, parts }: Pick<AccessRequest, 'accessRefs'> & Pick<InstantQuestion, 'parts'>,
): QuestionFailure | null {
  if (parts.length < accessRefs.length)
    return { type: 'ReferenceNotFound', causes: unresolvedCauses(index, accessRefs) };
  return held === null ? NO_IDENTITY : null;
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

function settleTime({ ms: nowMs, held: always, parts }: InstantQuestion, { held, requested, at }: Windows): Question {
  const ms = typeof at === 'string' ? Date.parse(at) : decisiveInstant({ held, requested }, nowMs);
  if (ms !== null) {
    const holdsThen = ({ windows }: TimedEntitlements) => windows.some((window) => isWithin(window, ms));
    const heldThen = held.filter(holdsThen).map(({ entitlements }) => entitlements);
    return {
      kind: 'instant',
      ms,
      held: always,
      parts: parts.filter((_, place) => isWithin(requested[place] ?? NEVER, ms)),
      ...(heldThen.length > 0 && { timed: { parts: heldThen, yieldsToRequest: false } }),
    };
  }
  const starts = instantsOf([...windowsOf(held), ...requested], { nowMs });
  const rangesOf = (windows: readonly Interval[]) =>
    windows.map((window) => intervalsOf(starts, window)).filter(isEver);
  const inIntervals = ({ entitlements, windows }: Windowed) => ({ entitlements, ranges: rangesOf(windows) });
  return {
    kind: 'temporal',
    starts,
    always,
    held: held.map(inIntervals).filter(({ ranges }) => ranges.length > 0),
    requested: groupByPart(parts, requested)
      .map(inIntervals)
      .filter(({ ranges }) => ranges.length > 0),
  };
}

type Windowed = Pick<TimedEntitlements, 'entitlements' | 'windows'>;

/** All windows of access. */
export const windowsOf = (timed: readonly Windowed[]): readonly Interval[] => timed.flatMap(({ windows }) => windows);

/** Each requested part once with all of its windows, so that the work grows with the windows and the distinct parts. */
function groupByPart(parts: readonly Entitlements[], windows: readonly Interval[]): readonly Windowed[] {
  const keyOf = createPartKeys();
  const groups = new Map<string, { readonly entitlements: Entitlements; readonly windows: Interval[] }>();
  for (const [place, entitlements] of parts.entries()) {
    const key = keyOf(entitlements);
    const group = groups.get(key) ?? { entitlements, windows: [] };
    group.windows.push(windows[place] ?? NEVER);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** A key for lists of entitlements; views of the same part of a buffer have the same one. */
function createPartKeys(): (part: Entitlements) => string {
  const buffers = new Map<ArrayBufferLike, number>();
  return (part) => {
    if (!(part instanceof Uint32Array)) return part.length === 1 ? `${part[0]}` : Array.from(part).join();
    const buffer = buffers.get(part.buffer) ?? buffers.size;
    buffers.set(part.buffer, buffer);
    return `${buffer} ${part.byteOffset} ${part.length}`;
  };
}

const NEVER: Interval = { startMs: 0, endMs: 0 };

/**
 * An instant from now on whose violations are those of all instants: all requested access holds then, and held access does
 * not change. Null if there is none.
 */
function decisiveInstant({ held, requested }: Omit<Windows, 'at'>, nowMs: number): number | null {
  for (const { startMs, endMs } of windowsOf(held)) {
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

const isEver = ({ from, end }: IntervalRange): boolean => from < end;

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
export const intervalsOf = (starts: ArrayLike<number>, { startMs, endMs }: Interval): IntervalRange => ({
  from: countBefore(starts, startMs),
  end: countBefore(starts, endMs),
});

/** How many intervals begin before an instant. */
function countBefore(starts: ArrayLike<number>, ms: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}
