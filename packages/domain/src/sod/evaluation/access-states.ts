import { hasWindow, intervalOf } from '../../access/model/interval.ts';
import type { TimedAccessRef } from '../../access/model/records.ts';
import { type AccessRequest, instantsOf } from './question.ts';
import { intervalsOf } from './timeline.ts';

/** The access that is held, pending and requested at one instant. Refs that the catalogue lacks count for nothing. */
export interface AccessState {
  readonly assignments: readonly TimedAccessRef[];
  /** None if left out. */
  readonly pending?: readonly TimedAccessRef[];
  readonly requested: readonly TimedAccessRef[];
}

/**
 * The access at each instant that counts: at `at` alone, or at `nowMs` (since 1970) and whenever a window begins or ends later.
 * Each instant takes time in proportion to what holds then, and to the windows that begin or end.
 */
export function* accessStatesOf(
  { assignments, pending = [], requested }: AccessState,
  time: Pick<AccessRequest, 'at' | 'nowMs'>,
): Generator<AccessState> {
  const windows = [...assignments, ...pending, ...requested].filter(hasWindow).map(intervalOf);
  const starts = instantsOf(windows, time);
  const held = createSweep(assignments, starts);
  const underWay = createSweep(pending, starts);
  const asked = createSweep(requested, starts);
  for (let interval = 0; interval < starts.length; interval++)
    yield { assignments: held(interval), pending: underWay(interval), requested: asked(interval) };
}

/** Returns the refs of one interval after the other: those without a window first. */
function createSweep(
  refs: readonly TimedAccessRef[],
  starts: Float64Array,
): (interval: number) => readonly TimedAccessRef[] {
  const always = refs.filter((ref) => !hasWindow(ref));
  const beginning = Map.groupBy(
    refs.filter(hasWindow).map((ref) => ({ ref, ...intervalsOf(starts, intervalOf(ref)) })),
    ({ from }) => from,
  );
  let holding: readonly { readonly ref: TimedAccessRef; readonly end: number }[] = [];
  return (interval) => {
    holding = [...holding, ...(beginning.get(interval) ?? [])].filter(({ end }) => interval < end);
    return [...always, ...holding.map(({ ref }) => ref)];
  };
}
