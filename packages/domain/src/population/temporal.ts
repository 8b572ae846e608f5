import type { TimedAccessRef } from '../access-model/records.ts';
import type { AccessRequest } from '../evaluation/question.ts';
import { accessStatesOf } from '../predictions/access-states.ts';
import type { EmitViolation, ReportEvaluator } from './evaluators.ts';
import type { ConflictFinder } from './find-conflicts.ts';
import type { SodReportChange } from './report.ts';

/**
 * The access that holds in each interval from `nowMs` (since 1970) on without a change in between; one interval at least.
 * With `at`, only that instant counts.
 */
export function* heldIntervals(
  assignments: readonly TimedAccessRef[],
  time: Pick<AccessRequest, 'at' | 'nowMs'>,
): Generator<readonly TimedAccessRef[]> {
  for (const state of accessStatesOf({ assignments, requested: [] }, time)) yield state.assignments;
}

/** Violations, by policy, of the identity whose intervals continue in the next finder. */
export type PendingViolations = Map<number, PendingViolation>;

/** A violation of one identity, collected over its intervals: items by place, before a change and after it. */
export interface PendingViolation {
  readonly identity: number;
  readonly before: Map<number, number>;
  readonly after: Map<number, number>;
}

/** Identities whose access changes with time, in a finder whose holders are their intervals. */
export interface TemporalHolders {
  readonly finder: ConflictFinder;
  /** The identity of each holder of the finder, ascending. */
  readonly identityOf: ArrayLike<number>;
  readonly emit: EmitViolation;
  /** Violations of the identity that continues from an earlier finder; receives those of the one that continues. */
  readonly pending?: PendingViolations;
  /** The identity, if any, whose intervals continue in the next finder. */
  readonly unfinished?: number | null;
}

/**
 * Evaluates a policy for identities whose access changes with time. An identity violates it when it does so in any interval;
 * the items are those of all these intervals.
 */
export function evaluateTemporal(
  evaluator: ReportEvaluator,
  policy: number,
  { finder, identityOf, emit, pending, unfinished = null }: TemporalHolders,
): void {
  let current = pending?.get(policy) ?? null;
  pending?.delete(policy);
  const add: EmitViolation = (change, holder, items) => {
    const identity = identityOf[holder] ?? 0;
    if (current !== null && current.identity !== identity) emitViolation(current, emit);
    if (current?.identity !== identity) current = { identity, before: new Map(), after: new Map() };
    if (change !== 'new') addItems(current.before, items);
    if (change !== 'gone') addItems(current.after, items);
  };
  do evaluator.evaluate(policy, finder, add);
  while (finder.nextBatch());
  if (current === null) return;
  if (current.identity === unfinished) pending?.set(policy, current);
  else emitViolation(current, emit);
}

function emitViolation({ identity, before, after }: PendingViolation, emit: EmitViolation): void {
  const change = changeOf(before.size > 0, after.size > 0);
  const items = [...(change === 'gone' ? before : after)].sort(([left], [right]) => left - right);
  emit(
    change,
    identity,
    items.map(([, item]) => item),
  );
}

/** The first interval decides whether an item is held or only gained. */
function addItems(byPlace: Map<number, number>, items: readonly number[]): void {
  for (const item of items) if (!byPlace.has(item >>> 1)) byPlace.set(item >>> 1, item);
}

const changeOf = (isBefore: boolean, isAfter: boolean): SodReportChange =>
  isBefore && isAfter ? 'same' : isAfter ? 'new' : 'gone';
