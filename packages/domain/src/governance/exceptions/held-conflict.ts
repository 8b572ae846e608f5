import { type Interval, intervalOf } from '../../access/model/interval.ts';
import type { TimedAccessRef } from '../../access/model/records.ts';
import type { AccessGraph } from '../../predictions/reasons.ts';
import { type Grant, placeItems, sweepViolations } from '../../sod/index.ts';
import { atLeastOf, type SodPolicy, sidesOf } from '../policies/model.ts';

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
  const items = placeItems(sides);
  const grants = grantsOf(graph, items.places);
  const rule = { sidesOf: items.sidesOf, sideCount: sides.length, atLeast: atLeastOf(criteria) };
  const { shown } = sweepViolations({ ...rule, grants }, nowMs);
  return [...items.places].flatMap(([id, place]) => (shown[place] === 1 ? [id] : [])).sort();
}

/** When each access ref gives which items. A ref is expanded once, however many windows it has. */
function grantsOf(
  { assignments, roles, accessProfiles }: HeldGraph,
  places: ReadonlyMap<string, number>,
): readonly Grant[] {
  const grants = new Map<string, Grant & { readonly intervals: Interval[] }>();
  const bundles = { roles, accessProfiles };
  for (const assignment of assignments) {
    const key = `${assignment.type}:${assignment.id}`;
    let grant = grants.get(key);
    if (grant === undefined) {
      grant = { items: itemsOf(assignment, { places, ...bundles }), intervals: [] };
      grants.set(key, grant);
    }
    if (grant.items.length > 0) grant.intervals.push(intervalOf(assignment));
  }
  return [...grants.values()];
}

interface Bundles extends Pick<AccessGraph, 'roles' | 'accessProfiles'> {
  readonly places: ReadonlyMap<string, number>;
}

/** The items that an access ref stands for, directly and through access profiles and roles. */
function itemsOf({ type, id }: TimedAccessRef, { places, roles, accessProfiles }: Bundles): readonly number[] {
  const found = new Set<number>();
  const role = type === 'ROLE' ? roles.get(id) : undefined;
  const profiles = type === 'ACCESS_PROFILE' ? [id] : (role?.accessProfiles ?? []);
  const own = type === 'ENTITLEMENT' ? [id] : (role?.entitlements ?? []);
  for (const entitlements of listsOf(own, profiles, accessProfiles))
    for (const entitlement of entitlements) {
      const place = places.get(entitlement);
      if (place !== undefined) found.add(place);
    }
  return [...found];
}

function* listsOf(
  own: readonly string[],
  profiles: readonly string[],
  accessProfiles: AccessGraph['accessProfiles'],
): Generator<readonly string[]> {
  yield own;
  for (const id of profiles) yield accessProfiles.get(id)?.entitlements ?? [];
}
