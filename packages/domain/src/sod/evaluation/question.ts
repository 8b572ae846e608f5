import { hasWindow, type Interval, intervalOf } from '../../access/model/interval.ts';
import { type AccessRef, type TimedAccessRef, textOfMissing } from '../../access/model/records.ts';
import { failure, type LimitExceeded, type NotFound, type ReferenceNotFound } from '../../basics/result/failure.ts';
import { fail, ok, type Result } from '../../basics/result/result.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import { type Entitlements, entitlementsOf, type HeldAccess } from './access.ts';
import { bitsOf, type IntervalBits } from './timeline.ts';

/** The access that an identity holds: as `HeldAccess`, but `held` is null when there is no such identity. */
export interface Holder extends Pick<HeldAccess, 'timed'> {
  readonly held: Uint32Array | null;
}

/** The requested access and the time to evaluate. */
export interface AccessRequest {
  readonly accessRefs: readonly TimedAccessRef[];
  /** Access that was requested before and not yet granted; none if left out. Refs that the catalogue lacks count for nothing. */
  readonly pending?: readonly PendingAccess[] | undefined;
  /** The only instant that counts, if there is one: ISO 8601. */
  readonly at?: string | null | undefined;
  /** Milliseconds since 1970: without `at` every instant from this one on counts. */
  readonly nowMs: number;
}

/** Access that was requested together before. */
export interface PendingAccess {
  readonly accessRefs: readonly TimedAccessRef[];
}

/** Entitlements, as numbers of the index, and the intervals in which they are there. */
export interface Part {
  readonly entitlements: Entitlements;
  readonly bits: IntervalBits;
}

/**
 * A question whose time is settled: access in successive intervals, within each of which it does not change. An instant is one
 * interval, and so is all time where nothing has a window.
 */
export interface Question {
  /** When each interval begins, in milliseconds since 1970. The last one has no end. */
  readonly starts: ArrayLike<number>;
  /** What is held in all of them. */
  readonly always: readonly Entitlements[];
  /** What is held in some of the intervals only. */
  readonly timed: readonly Part[];
  /** What was requested before. */
  readonly pending: readonly Part[];
  readonly requested: readonly Part[];
}

/** The reason for no answer: an unresolved access ref or an unknown identity. */
export type QuestionFailure = ReferenceNotFound | NotFound;

const NO_PARTS: readonly Part[] = [];
const NO_PENDING: readonly PendingAccess[] = [];
const ONLY_INTERVAL: IntervalBits = Uint32Array.of(1);

/**
 * Looks up the requested access and settles the time to evaluate. Fails with a cause for each unresolved access ref, else
 * for the identity, whether the requested access ever holds or not.
 */
export function settleQuestion(
  index: SodIndex,
  { held, timed }: Holder,
  { accessRefs, pending = NO_PENDING, at, nowMs }: AccessRequest,
): Result<Question, QuestionFailure> {
  const requested: Part[] = [];
  let isTimed = timed !== null || pending.length > 0 || typeof at === 'string';
  for (const ref of accessRefs) {
    const entitlements = entitlementsOf(index.catalogue, ref);
    if (entitlements === undefined) return fail(unresolved(index, accessRefs));
    requested.push({ entitlements, bits: ONLY_INTERVAL });
    isTimed ||= hasWindow(ref);
  }
  if (held === null) return fail(NO_IDENTITY);
  if (!isTimed) return ok({ starts: [nowMs], always: [held], timed: NO_PARTS, pending: NO_PARTS, requested });
  const requestedRefs = byRef(index, accessRefs);
  const pendingRefs = byRef(index, refsOf(pending));
  const all = [...(timed ?? []), ...requestedRefs, ...pendingRefs];
  const starts = instantsOf(
    all.flatMap(({ windows }) => windows),
    { at, nowMs },
  );
  const partsOf = (access: readonly Windowed[]): readonly Part[] =>
    access
      .map(({ entitlements, windows: own }) => ({ entitlements, bits: bitsOf(starts, own) }))
      .filter(({ bits }) => bits.some((word) => word !== 0));
  const heldThen = partsOf(timed ?? []);
  const isOne = starts.length === 1;
  return ok({
    starts,
    always: isOne ? [held, ...heldThen.map(({ entitlements }) => entitlements)] : [held],
    timed: isOne ? NO_PARTS : heldThen,
    pending: partsOf(pendingRefs),
    requested: partsOf(requestedRefs),
  });
}

/** Fails as a prediction would, without computing its answer. */
export function validateAccessRefs(
  index: SodIndex,
  held: Uint32Array | null,
  accessRefs: readonly AccessRef[],
): Result<null, QuestionFailure> {
  if (accessRefs.some((ref) => entitlementsOf(index.catalogue, ref) === undefined))
    return fail(unresolved(index, accessRefs));
  return held === null ? fail(NO_IDENTITY) : ok(null);
}

const NO_IDENTITY = failure('NotFound', 'identityId', 'there is no such identity');

const unresolved = ({ catalogue }: SodIndex, accessRefs: readonly AccessRef[]): ReferenceNotFound => ({
  type: 'ReferenceNotFound',
  causes: accessRefs.flatMap((ref, at) =>
    entitlementsOf(catalogue, ref) === undefined
      ? [{ at: `accessRefs[${at}]`, text: textOfMissing(ref.type, ref.id) }]
      : [],
  ),
});

interface Windowed {
  readonly entitlements: Entitlements;
  readonly windows: readonly Interval[];
}

/** Each ref once with all of its windows, so that the work grows with the windows and the distinct refs. */
function byRef({ catalogue }: SodIndex, refs: readonly TimedAccessRef[]): readonly Windowed[] {
  const groups = new Map<string, { readonly entitlements: Entitlements; readonly windows: Interval[] }>();
  for (const ref of refs) {
    const key = `${ref.type} ${ref.id}`;
    const group = groups.get(key) ?? { entitlements: entitlementsOf(catalogue, ref) ?? [], windows: [] };
    group.windows.push(intervalOf(ref));
    groups.set(key, group);
  }
  return [...groups.values()];
}

const refsOf = (pending: readonly PendingAccess[]): readonly TimedAccessRef[] =>
  pending.flatMap(({ accessRefs }) => accessRefs);

/** The windows of all access that a question is about. */
const windowsOf = (
  timed: Holder['timed'],
  { accessRefs, pending = NO_PENDING }: Pick<AccessRequest, 'accessRefs' | 'pending'>,
): readonly Interval[] => [
  ...(timed ?? []).flatMap(({ windows }) => windows),
  ...accessRefs.map(intervalOf),
  ...refsOf(pending).map(intervalOf),
];

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

/** The most instants from now on at which windows begin or end, requested, pending and held ones, for the optional parts of an answer. */
export const EXPLAINED_INSTANTS_MAX = 64;

/**
 * Validates that the optional parts of an answer concern few enough instants: their work grows with each. With `at` there is
 * one, and an answer without optional parts may concern any number. The failure names what to drop.
 */
export function validateInstants(
  timed: Holder['timed'],
  { accessRefs, pending, at, nowMs }: AccessRequest,
  includes: readonly string[],
): Result<null, LimitExceeded> {
  if (includes.length === 0 || typeof at === 'string') return ok(null);
  const instants = instantsOf(windowsOf(timed, { accessRefs, pending }), { nowMs });
  // The first one is now.
  const count = instants.length - 1;
  return count <= EXPLAINED_INSTANTS_MAX
    ? ok(null)
    : fail(failure('LimitExceeded', 'include', textOf(count, includes)));
}

const textOf = (count: number, includes: readonly string[]): string =>
  `explains at most ${EXPLAINED_INSTANTS_MAX} instants at which windows of requested, pending and held access begin or end, ` +
  `and here are ${count}: drop ${includes.join(' and ')}, or ask for one instant with "at", or for access with fewer windows`;
