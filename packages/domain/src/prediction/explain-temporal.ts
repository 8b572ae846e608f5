import { hasWindow, intervalOf, isWithin } from '../access-model/interval.ts';
import type { AccessRef, TimedAccessRef } from '../access-model/records.ts';
import { type IntervalAccess, intervalsOf } from '../evaluation/temporal-question.ts';
import type { AccessGraph, AccessSource, PathOrigin } from './explain-access.ts';

/** What explains violations of one moment: the paths through what holds then. */
export function graphAt<G extends AccessGraph>(graph: G, ms: number): G {
  const holding = (refs: readonly TimedAccessRef[]) => refs.filter((ref) => isWithin(intervalOf(ref), ms));
  return { ...graph, assignments: holding(graph.assignments), requested: holding(graph.requested) };
}

/** For violations in these runs of stretches: whether what is held or requested takes part in any of them. */
export type PartOf = (runs: readonly number[]) => (origin: PathOrigin) => boolean;

/** Tells who takes part, in a time cut into stretches that begin at these moments. */
export function createPartOf(starts: Float64Array, { assignments, requested }: AccessGraph): PartOf {
  const stretches = new Map<string, Stretches[]>();
  const add = (source: AccessSource) => (ref: TimedAccessRef) => {
    const found = stretches.get(keyOf(source, ref)) ?? [];
    found.push(intervalsOf(starts, intervalOf(ref)));
    stretches.set(keyOf(source, ref), found);
  };
  if (assignments.some(hasWindow)) assignments.forEach(add('ASSIGNED'));
  if (requested.some(hasWindow)) requested.forEach(add('REQUESTED'));
  return (runs) =>
    ({ source, ref }) =>
      stretches.get(keyOf(source, ref))?.some((its) => meets(its, runs)) ?? true;
}

type Stretches = Pick<IntervalAccess, 'from' | 'end'>;

const keyOf = (source: AccessSource, { type, id }: AccessRef) => `${source} ${type} ${id}`;

function meets({ from, end }: Stretches, runs: readonly number[]): boolean {
  for (let at = 0; at < runs.length; at += 2) {
    if (Math.max(from, runs[at] ?? 0) < Math.min(end, runs[at + 1] ?? 0)) return true;
  }
  return false;
}
