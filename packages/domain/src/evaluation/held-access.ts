import { hasWindow, type Interval, intervalOf } from '../access-model/interval.ts';
import type { TimedAccessRef } from '../access-model/records.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import { type Entitlements, entitlementsOf, expandAccess, uniteEntitlements } from './expand-access.ts';

/** Entitlements that are held in one window, as numbers of the index, each once. */
export interface TimedEntitlements extends Interval {
  readonly entitlements: Uint32Array;
}

/** What an identity holds. */
export interface HeldAccess {
  /** The entitlements of the assignments without a window, as numbers of the index, sorted and unique. */
  readonly held: Uint32Array;
  /** Those of the assignments with a window; null where there is none, as for most identities: then `held` is everything, at any time. */
  readonly timed: readonly TimedEntitlements[] | null;
}

/** Expands assignments, those with the same window together. Refs that the catalogue lacks are left out. */
export function expandAssignments(index: SodIndex, assignments: readonly TimedAccessRef[]): HeldAccess {
  if (!assignments.some(hasWindow)) return { held: expandAccess(index, assignments).entitlements, timed: null };
  const byWindow = new Map<string, Interval & { readonly parts: Entitlements[] }>();
  for (const assignment of assignments.filter(hasWindow)) {
    const window = `${assignment.start} ${assignment.end}`;
    const same = byWindow.get(window) ?? { ...intervalOf(assignment), parts: [] };
    same.parts.push(entitlementsOf(index.catalogue, assignment) ?? []);
    byWindow.set(window, same);
  }
  const always = assignments.filter((assignment) => !hasWindow(assignment));
  const timed = [...byWindow.values()].map(({ parts, ...window }) => ({
    ...window,
    entitlements: uniteEntitlements(index.catalogue, parts),
  }));
  return { held: expandAccess(index, always).entitlements, timed };
}
