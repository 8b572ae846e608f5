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
  /** The only instant that counts, if there is one: ISO 8601. */
  readonly at?: string | null | undefined;
  /** Milliseconds since 1970: without `at` every instant from this one on counts. */
  readonly nowMs: number;
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
  readonly kind: 'instant' | 'temporal';
  /** When each interval begins, in milliseconds since 1970. The last one has no end. */
  readonly starts: ArrayLike<number>;
  /** What is held in all of them. */
  readonly always: readonly Entitlements[];
  /** What is held in some of several. */
  readonly timed: readonly Part[];
  readonly requested: readonly Part[];
}

/** The reason for no answer: an unresolved access ref or an unknown identity. */
export type QuestionFailure = ReferenceNotFound | NotFound;

const NO_PARTS: readonly Part[] = [];
const ONLY_INTERVAL: IntervalBits = Uint32Array.of(1);

/**
 * Looks up the requested access and settles the time to evaluate. Fails with a cause for each unresolved access ref, else
 * for the identity, whether the requested access ever holds or not.
 */
export function settleQuestion(
  index: SodIndex,
  { held, timed }: Holder,
  { accessRefs, at, nowMs }: AccessRequest,
): Result<Question, QuestionFailure> {
  const requested: Part[] = [];
  let isTimed = timed !== null || typeof at === 'string';
  for (const ref of accessRefs) {
    const entitlements = entitlementsOf(index.catalogue, ref);
    if (entitlements === undefined) return fail(unresolved(index, accessRefs));
    requested.push({ entitlements, bits: ONLY_INTERVAL });
    isTimed ||= hasWindow(ref);
  }
  if (held === null) return fail(NO_IDENTITY);
  const instant = { kind: 'instant', starts: [nowMs], always: [held], timed: NO_PARTS, requested } as const;
  if (!isTimed) return ok(instant);
  const windows = accessRefs.map(intervalOf);
  const starts = instantsOf([...windowsOf(timed ?? []), ...windows], { at, nowMs });
  const partsOf = (access: readonly Windowed[]): readonly Part[] =>
    access
      .map(({ entitlements, windows: own }) => ({ entitlements, bits: bitsOf(starts, own) }))
      .filter(({ bits }) => bits.some((word) => word !== 0));
  const heldThen = partsOf(timed ?? []);
  const requestedThen = partsOf(byRef(accessRefs, requested, windows));
  if (starts.length > 1)
    return ok({ kind: 'temporal', starts, always: [held], timed: heldThen, requested: requestedThen });
  const always = [held, ...heldThen.map(({ entitlements }) => entitlements)];
  return ok({ ...instant, starts, always, requested: requestedThen });
}

/** The failures of a prediction without its answer. */
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

const NEVER: Interval = { startMs: 0, endMs: 0 };

interface Windowed {
  readonly entitlements: Entitlements;
  readonly windows: readonly Interval[];
}

/** Each requested ref once with all of its windows, so that the work grows with the windows and the distinct refs. */
function byRef(
  accessRefs: readonly AccessRef[],
  requested: readonly Part[],
  windows: readonly Interval[],
): readonly Windowed[] {
  const groups = new Map<string, { readonly entitlements: Entitlements; readonly windows: Interval[] }>();
  for (const [place, { type, id }] of accessRefs.entries()) {
    const key = `${type} ${id}`;
    const group = groups.get(key) ?? { entitlements: requested[place]?.entitlements ?? [], windows: [] };
    group.windows.push(windows[place] ?? NEVER);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** All windows of access. */
const windowsOf = (timed: readonly Pick<Windowed, 'windows'>[]): readonly Interval[] =>
  timed.flatMap(({ windows }) => windows);

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

/** The most instants from now on at which windows begin or end, requested and held ones, for the optional parts of an answer. */
export const EXPLAINED_INSTANTS_MAX = 64;

/**
 * Validates that the optional parts of an answer concern few enough instants: their work grows with each. With `at` there is
 * one, and an answer without optional parts may concern any number. The failure names what to drop.
 */
export function validateInstants(
  timed: Holder['timed'],
  { accessRefs, at, nowMs }: AccessRequest,
  includes: readonly string[],
): Result<null, LimitExceeded> {
  if (includes.length === 0 || typeof at === 'string') return ok(null);
  const instants = instantsOf([...windowsOf(timed ?? []), ...accessRefs.map(intervalOf)], { nowMs });
  // The first one is now.
  const count = instants.length - 1;
  return count <= EXPLAINED_INSTANTS_MAX
    ? ok(null)
    : fail(failure('LimitExceeded', 'include', textOf(count, includes)));
}

const textOf = (count: number, includes: readonly string[]): string =>
  `explains at most ${EXPLAINED_INSTANTS_MAX} instants at which windows of requested and held access begin or end, ` +
  `and here are ${count}: drop ${includes.join(' and ')}, or ask for one instant with "at", or for access with fewer windows`;
