import { groupByRef, type Interval } from '../access-model/interval.ts';
import type { AccessRef } from '../access-model/records.ts';
import { intervalsOf } from '../evaluation/question.ts';
import { violatingIntervals } from '../evaluation/violating-intervals.ts';
import { atLeastOf, type SodPolicy, sidesOf } from '../policy/model.ts';
import type { AccessGraph } from '../prediction/explain-access.ts';

/** The ids of the items by which held access violates a policy at any instant from `nowMs` (since 1970) on, sorted; empty for none. */
export function conflictingItems(
  { state, conflictingAccessCriteria: criteria }: Pick<SodPolicy, 'state' | 'conflictingAccessCriteria'>,
  graph: Pick<AccessGraph, 'assignments' | 'roles' | 'accessProfiles'>,
  nowMs: number,
): readonly string[] {
  if (state !== 'ENFORCED') return [];
  const ids = sidesOf(criteria).map(({ criteriaList }) => criteriaList.map(({ id }) => id));
  const times = heldTimesOf(new Set(ids.flat()), graph);
  const sides = ids.map((side) => side.map((id) => times.get(id) ?? []));
  const violating = violatingIntervals({ sides, atLeast: atLeastOf(criteria) }, nowMs);
  // An item is there throughout a violating interval or not at all, so the beginnings of these intervals decide.
  const starts = Float64Array.from(violating, ({ startMs }) => startMs);
  const isShown = (interval: Interval) => {
    const { from, end } = intervalsOf(starts, interval);
    return from < end;
  };
  return [...times].flatMap(([id, intervals]) => (intervals.some(isShown) ? [id] : [])).sort();
}

/** When each of these entitlements is held. A ref is expanded once, however many windows it has. */
function heldTimesOf(
  ids: ReadonlySet<string>,
  { assignments, ...graph }: Pick<AccessGraph, 'assignments' | 'roles' | 'accessProfiles'>,
): ReadonlyMap<string, readonly Interval[]> {
  const times = new Map(Array.from(ids, (id) => [id, [] as Interval[]]));
  for (const { ref, intervals } of groupByRef(assignments))
    for (const id of entitlementIdsOf(ref, graph)) {
      const own = times.get(id);
      if (own !== undefined) for (const interval of intervals) own.push(interval);
    }
  return times;
}

/** The ids of the entitlements that an access ref stands for, directly and through access profiles and roles. */
function entitlementIdsOf(
  { type, id }: AccessRef,
  { roles, accessProfiles }: Pick<AccessGraph, 'roles' | 'accessProfiles'>,
): ReadonlySet<string> {
  if (type === 'ENTITLEMENT') return new Set([id]);
  const idsOf = (accessProfile: string) => accessProfiles.get(accessProfile)?.entitlements ?? [];
  if (type === 'ACCESS_PROFILE') return new Set(idsOf(id));
  const role = roles.get(id);
  return new Set([...(role?.entitlements ?? []), ...(role?.accessProfiles ?? []).flatMap(idsOf)]);
}

/**
 * What an approval of an exception is bound to in a policy, as text: name, level and criteria. The order of the items of a
 * side and their names do not count.
 */
export function approvedTermsOf({
  name,
  level,
  conflictingAccessCriteria: criteria,
}: Pick<SodPolicy, 'name' | 'level' | 'conflictingAccessCriteria'>): string {
  const sides = sidesOf(criteria).map((side) => [side.name, side.criteriaList.map(({ id }) => id).toSorted()]);
  return JSON.stringify([name, level, atLeastOf(criteria), sides]);
}
