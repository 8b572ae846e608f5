import { groupByRef } from '../../access/model/interval.ts';
import type { AccessRef } from '../../access/model/records.ts';
import { atLeastOf, type SodPolicy, sidesOf } from '../../policies/model.ts';
import type { AccessGraph } from '../../predictions/reasons.ts';
import { sweepSides } from '../../sod/index.ts';

/** Held access, and the contents of what it refers to. */
export type HeldGraph = Pick<AccessGraph, 'assignments' | 'roles' | 'accessProfiles'>;

/**
 * The ids of the items by which held access violates a policy at any instant from `nowMs` (since 1970) on, sorted; empty for
 * none. Takes time in proportion to the windows and to the contents of the access.
 */
export function conflictingItems(
  { state, conflictingAccessCriteria: criteria }: Pick<SodPolicy, 'state' | 'conflictingAccessCriteria'>,
  { graph, nowMs }: { readonly graph: HeldGraph; readonly nowMs: number },
): readonly string[] {
  if (state !== 'ENFORCED') return [];
  const sides = sidesOf(criteria).map(({ criteriaList }) => criteriaList.map(({ id }) => id));
  const access = Array.from(groupByRef(graph.assignments), ({ ref, intervals }) => ({
    items: entitlementsOf(ref, graph),
    intervals,
  }));
  return sweepSides({ sides, atLeast: atLeastOf(criteria) }, access, nowMs).items.toSorted();
}

/** The entitlements that an access ref stands for, directly and through access profiles and roles. */
function* entitlementsOf({ type, id }: AccessRef, { roles, accessProfiles }: HeldGraph): Generator<string> {
  if (type === 'ENTITLEMENT') yield id;
  const role = type === 'ROLE' ? roles.get(id) : undefined;
  yield* role?.entitlements ?? [];
  const profiles = type === 'ACCESS_PROFILE' ? [id] : (role?.accessProfiles ?? []);
  for (const profile of profiles) yield* accessProfiles.get(profile)?.entitlements ?? [];
}
