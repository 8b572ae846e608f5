import { hasWindow, intervalOf, isWithin } from '../access-model/interval.ts';
import type { TimedAccessRef } from '../access-model/records.ts';
import { startsOf } from '../evaluation/temporal-question.ts';
import type { ReportEvaluator, TakeViolation } from './evaluators.ts';
import type { ConflictFinder } from './find-conflicts.ts';
import type { SodReportChange } from './report.ts';

/** What assignments come to from `nowMs` (since 1970) on, in stretches in which nothing changes: one at least. */
export function* heldIntervals(
  assignments: readonly TimedAccessRef[],
  nowMs: number,
): Generator<readonly TimedAccessRef[]> {
  const spans = assignments.map(intervalOf);
  const windows = spans.filter((_, place) => hasWindow(assignments[place] ?? {}));
  for (const ms of startsOf(windows, nowMs))
    yield assignments.filter((_, place) => isWithin(spans[place] ?? NEVER, ms));
}

const NEVER = { startMs: 0, endMs: 0 };

/** Sightings of those whose stretches may go on in another finder, by policy. */
export type PendingViolations = Map<number, PendingViolation>;

/** What is known of a violation: its items by place, before a change and after it, each as the first stretch shows it. */
export interface PendingViolation {
  readonly identity: number;
  readonly before: Map<number, number>;
  readonly after: Map<number, number>;
}

/** Identities whose access changes with time, in a finder of their stretches. */
export interface OverTime {
  readonly finder: ConflictFinder;
  /** Whose stretch each holder of the finder is, ascending. */
  readonly identityOf: ArrayLike<number>;
  readonly take: TakeViolation;
  /** What other finders saw of the identity that goes on in this one; those of the one that goes on after it are left here. */
  readonly open?: PendingViolations;
  /** The identity, if any, whose stretches may go on. */
  readonly unfinished?: number | null;
}

/**
 * Judges a policy for identities whose access changes with time. There is a violation where any stretch sees it, with the
 * items of all that do.
 */
export function evaluateTemporal(
  judge: ReportEvaluator,
  policy: number,
  { finder, identityOf, take, open, unfinished = null }: OverTime,
): void {
  let sighting = open?.get(policy) ?? null;
  open?.delete(policy);
  const see: TakeViolation = (change, holder, items) => {
    const identity = identityOf[holder] ?? 0;
    if (sighting !== null && sighting.identity !== identity) tell(sighting, take);
    if (sighting?.identity !== identity) sighting = { identity, before: new Map(), after: new Map() };
    if (change !== 'new') gather(sighting.before, items);
    if (change !== 'gone') gather(sighting.after, items);
  };
  do judge.judge(policy, finder, see);
  while (finder.goOn());
  if (sighting === null) return;
  if (sighting.identity === unfinished) open?.set(policy, sighting);
  else tell(sighting, take);
}

function tell({ identity, before, after }: PendingViolation, take: TakeViolation): void {
  const change = changeOf(before.size > 0, after.size > 0);
  const items = [...(change === 'gone' ? before : after)].sort(([left], [right]) => left - right);
  take(
    change,
    identity,
    items.map(([, item]) => item),
  );
}

function gather(seen: Map<number, number>, items: readonly number[]): void {
  for (const item of items) if (!seen.has(item >>> 1)) seen.set(item >>> 1, item);
}

const changeOf = (isBefore: boolean, isAfter: boolean): SodReportChange =>
  isBefore && isAfter ? 'same' : isAfter ? 'new' : 'gone';
