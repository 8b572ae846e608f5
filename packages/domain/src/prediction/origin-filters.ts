import { hasWindow, intervalOf } from '../access-model/interval.ts';
import type { AccessRef, TimedAccessRef } from '../access-model/records.ts';
import { type IntervalAccess, intervalsOf } from '../evaluation/question.ts';
import type { AccessGraph, AccessSource, OriginFilter } from './explain-access.ts';

/**
 * Creates the filter of the access that contributes to a violation. Violations with the same intervals share one filter, so
 * that results can be cached by it; undefined when no access has a window, so that all of it contributes.
 */
export function createOriginFilters(
  starts: Float64Array,
  { assignments, requested }: Pick<AccessGraph, 'assignments' | 'requested'>,
): (runs: readonly number[]) => OriginFilter | undefined {
  if (![...assignments, ...requested].some(hasWindow)) return () => undefined;
  const intervals = new Map<string, Intervals[]>();
  const add = (source: AccessSource) => (ref: TimedAccessRef) => {
    const known = intervals.get(keyOf(source, ref)) ?? [];
    known.push(intervalsOf(starts, intervalOf(ref)));
    intervals.set(keyOf(source, ref), known);
  };
  assignments.forEach(add('ASSIGNED'));
  requested.forEach(add('REQUESTED'));
  const filters = new WeakMap<readonly number[], OriginFilter>();
  return (runs) => {
    const known = filters.get(runs);
    if (known !== undefined) return known;
    const filter: OriginFilter = ({ source, ref }) =>
      intervals.get(keyOf(source, ref))?.some((its) => meets(its, runs)) === true;
    filters.set(runs, filter);
    return filter;
  };
}

type Intervals = Pick<IntervalAccess, 'from' | 'end'>;

const keyOf = (source: AccessSource, { type, id }: AccessRef) => `${source} ${type} ${id}`;

function meets({ from, end }: Intervals, runs: readonly number[]): boolean {
  for (let at = 0; at < runs.length; at += 2) {
    if (Math.max(from, runs[at] ?? 0) < Math.min(end, runs[at + 1] ?? 0)) return true;
  }
  return false;
}
