import { type Interval, intervalOf, isWithin } from '../access-model/interval.ts';
import type { AccessRef, TimedAccessRef } from '../access-model/records.ts';
import type { NotFound, ReferenceNotFound } from '../result/failure.ts';
import { ok, type Result } from '../result/result.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import { type Entitlements, uniteEntitlements } from './expand-access.ts';
import type { HeldAccess } from './held-access.ts';
import { resolveRequest } from './resolve-request.ts';

/** Whose access is asked about: as `HeldAccess`, but that `held` is null when there is no such identity. */
export interface Holder extends Pick<HeldAccess, 'timed'> {
  readonly held: Uint32Array | null;
}

/** What is asked, and when. */
export interface TimedRequest {
  readonly accessRefs: readonly TimedAccessRef[];
  /** The only moment that counts, if there is one. */
  readonly at?: string | null;
  /** Milliseconds since 1970: without `at` every moment from this one on counts. */
  readonly nowMs: number;
}

/** Whether the answer depends on time at all: else it is that of `predict`. */
export function isTimed(timed: Holder['timed'], { accessRefs, at }: Omit<TimedRequest, 'nowMs'>): boolean {
  if (timed !== null || typeof at === 'string') return true;
  // Every prediction passes here: a loop takes half the time of a callback.
  for (let i = 0; i < accessRefs.length; i++) {
    const ref = accessRefs[i];
    if (ref !== undefined && (ref.start !== undefined || ref.end !== undefined)) return true;
  }
  return false;
}

/** A question to which only one moment counts, or all have the same answer: one without time, of what holds then. */
export interface InstantQuestion {
  readonly kind: 'moment';
  readonly ms: number;
  readonly held: Uint32Array;
  readonly accessRefs: readonly AccessRef[];
}

/** Entitlements, as numbers of the index, that are held or requested in a run of stretches. */
export interface IntervalAccess {
  readonly entitlements: Entitlements;
  /** The first stretch, and the one behind the last. */
  readonly from: number;
  readonly end: number;
}

/** A question over a time that is cut into stretches, two at least, in each of which nothing changes. */
export interface TemporalQuestion {
  readonly kind: 'stretches';
  /** When each stretch begins, in milliseconds since 1970: the first one now. The last one has no end. */
  readonly starts: Float64Array;
  /** What is held in all of them. */
  readonly always: Uint32Array;
  readonly held: readonly IntervalAccess[];
  readonly requested: readonly IntervalAccess[];
}

/** Settles which moments count. Fails as `predict` does, whether what is requested ever holds or not. */
export function settleTime(
  index: SodIndex,
  { held, timed }: Holder,
  { accessRefs, at, nowMs }: TimedRequest,
): Result<InstantQuestion | TemporalQuestion, ReferenceNotFound | NotFound> {
  const request = resolveRequest(index, held, accessRefs);
  if (!request.ok) return request;
  const { held: always, parts } = request.value;
  const heldParts = timed ?? [];
  const spans = accessRefs.map(intervalOf);
  const ms = typeof at === 'string' ? Date.parse(at) : nowMs;
  const starts = typeof at === 'string' ? Float64Array.of(ms) : startsOf([...heldParts, ...spans], nowMs);
  if (starts.length === 1) {
    const heldNow = heldParts.filter((part) => isWithin(part, ms)).map(({ entitlements }) => entitlements);
    return ok({
      kind: 'moment',
      ms,
      held: uniteEntitlements(index.catalogue, [always, ...heldNow]),
      accessRefs: accessRefs.filter((_, place) => isWithin(spans[place] ?? NEVER, ms)),
    });
  }
  const requested = parts.map((entitlements, place) => ({
    entitlements,
    ...intervalsOf(starts, spans[place] ?? NEVER),
  }));
  return ok({
    kind: 'stretches',
    starts,
    always,
    held: heldParts.map((part) => ({ entitlements: part.entitlements, ...intervalsOf(starts, part) })).filter(isEver),
    requested: requested.filter(isEver),
  });
}

const NEVER: Interval = { startMs: 0, endMs: 0 };

const isEver = ({ from, end }: IntervalAccess): boolean => from < end;

/** Now, and each later moment at which something begins or ends. */
export function startsOf(spans: readonly Interval[], nowMs: number): Float64Array {
  const starts = new Set([nowMs]);
  for (const { startMs, endMs } of spans) {
    if (endMs <= nowMs || startMs >= endMs) continue;
    if (startMs > nowMs) starts.add(startMs);
    if (endMs < Number.POSITIVE_INFINITY) starts.add(endMs);
  }
  return Float64Array.from(starts).sort();
}

/** The stretches within a span, each of them wholly in it or not at all. */
export const intervalsOf = (
  starts: Float64Array,
  { startMs, endMs }: Interval,
): Pick<IntervalAccess, 'from' | 'end'> => ({
  from: countBefore(starts, startMs),
  end: countBefore(starts, endMs),
});

/** How many stretches begin before a moment. */
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
