import type { AccessRef } from '../access-model/records.ts';
import { isViolated } from '../evaluation/is-violated.ts';
import { atLeastOf, type SodPolicy, sidesOf } from '../policy/model.ts';
import { accessStatesOf } from '../prediction/access-states.ts';
import type { AccessGraph } from '../prediction/explain-access.ts';

/** The ids of the entitlements that access refs stand for, directly and through access profiles and roles. */
export function entitlementIdsOf(
  refs: readonly AccessRef[],
  { roles, accessProfiles }: Pick<AccessGraph, 'roles' | 'accessProfiles'>,
): ReadonlySet<string> {
  const found = new Set<string>();
  const addAll = (ids: readonly string[] | undefined) => {
    for (const id of ids ?? []) found.add(id);
  };
  for (const { type, id } of refs) {
    if (type === 'ENTITLEMENT') found.add(id);
    else if (type === 'ACCESS_PROFILE') addAll(accessProfiles.get(id)?.entitlements);
    else {
      addAll(roles.get(id)?.entitlements);
      for (const profile of roles.get(id)?.accessProfiles ?? []) addAll(accessProfiles.get(profile)?.entitlements);
    }
  }
  return found;
}

/** Whether these entitlements violate a policy, which only an enforced one can be. */
export function violates(
  entitlementIds: ReadonlySet<string>,
  { state, conflictingAccessCriteria: criteria }: Pick<SodPolicy, 'state' | 'conflictingAccessCriteria'>,
): boolean {
  if (state !== 'ENFORCED') return false;
  const sides = sidesOf(criteria);
  return isViolated(
    { sideCount: sides.length, atLeast: atLeastOf(criteria) },
    (side) => sides[side]?.criteriaList.some(({ id }) => entitlementIds.has(id)) === true,
  );
}

/** The ids of the items by which held access violates a policy at any instant from `nowMs` (since 1970) on, sorted; empty for none. */
export function conflictingItems(
  policy: Parameters<typeof violates>[1],
  graph: Pick<AccessGraph, 'assignments' | 'roles' | 'accessProfiles'>,
  nowMs: number,
): readonly string[] {
  const items = sidesOf(policy.conflictingAccessCriteria).flatMap(({ criteriaList }) => criteriaList);
  const found = new Set<string>();
  for (const { assignments } of accessStatesOf({ ...graph, requested: [] }, { nowMs })) {
    const held = entitlementIdsOf(assignments, graph);
    if (violates(held, policy)) for (const { id } of items) if (held.has(id)) found.add(id);
  }
  return [...found].sort();
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
