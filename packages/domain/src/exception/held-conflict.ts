import type { AccessRef } from '../access-model/records.ts';
import { isKOfN, type SodPolicy, sidesOf } from '../policy/model.ts';
import { accessStatesOf } from '../prediction/access-states.ts';
import type { AccessGraph } from '../prediction/explain-access.ts';

/** The ids of the entitlements that access refs come to, directly and through access profiles and roles. */
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

/** Whether entitlements alone violate a policy: it is enforced, and they have items of both sides or of enough of them. */
export function violates(
  entitlementIds: ReadonlySet<string>,
  { state, conflictingAccessCriteria: criteria }: Pick<SodPolicy, 'state' | 'conflictingAccessCriteria'>,
): boolean {
  if (state !== 'ENFORCED') return false;
  const isOn = ({ criteriaList }: { readonly criteriaList: readonly { readonly id: string }[] }) =>
    criteriaList.some(({ id }) => entitlementIds.has(id));
  return sidesOf(criteria).filter(isOn).length >= (isKOfN(criteria) ? criteria.atLeast : 2);
}

/** Whether what is held violates a policy at some moment from `nowMs` (since 1970) on. */
export function isInConflict(
  policy: Parameters<typeof violates>[1],
  graph: Pick<AccessGraph, 'assignments' | 'roles' | 'accessProfiles'>,
  nowMs: number,
): boolean {
  for (const { assignments } of accessStatesOf({ ...graph, requested: [] }, { nowMs }))
    if (violates(entitlementIdsOf(assignments, graph), policy)) return true;
  return false;
}
