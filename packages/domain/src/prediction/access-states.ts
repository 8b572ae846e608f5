import { hasWindow, intervalOf, isWithin } from '../access-model/interval.ts';
import type { TimedAccessRef } from '../access-model/records.ts';
import { type AccessRequest, instantsOf } from '../evaluation/question.ts';
import type { AccessGraph } from './explain-access.ts';

/** The access that is held and requested at one instant. Refs that the catalogue lacks count for nothing. */
export type AccessState = Pick<AccessGraph, 'assignments' | 'requested'>;

/** The access at each instant that counts: at `at` alone, or at `nowMs` (since 1970) and whenever a window begins or ends later. */
export function* accessStatesOf(
  { assignments, requested }: AccessState,
  time: Pick<AccessRequest, 'at' | 'nowMs'>,
): Generator<AccessState> {
  const windows = [...assignments, ...requested].filter(hasWindow).map(intervalOf);
  for (const ms of instantsOf(windows, time)) {
    const holding = (refs: readonly TimedAccessRef[]) => refs.filter((ref) => isWithin(intervalOf(ref), ms));
    yield { assignments: holding(assignments), requested: holding(requested) };
  }
}
