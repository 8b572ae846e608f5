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
  const withInterval = (ref: TimedAccessRef) => ({ ref, interval: intervalOf(ref) });
  const [held, asked] = [assignments.map(withInterval), requested.map(withInterval)];
  const windows = [...held, ...asked].filter(({ ref }) => hasWindow(ref)).map(({ interval }) => interval);
  for (const ms of instantsOf(windows, time)) {
    const holding = (refs: typeof held) => refs.filter(({ interval }) => isWithin(interval, ms)).map(({ ref }) => ref);
    yield { assignments: holding(held), requested: holding(asked) };
  }
}
