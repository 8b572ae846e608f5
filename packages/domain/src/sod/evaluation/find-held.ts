import { intervalOf, isWithin } from '../../access/model/interval.ts';
import type { TimedAccessRef } from '../../access/model/records.ts';
import type { PolicyPlace } from '../rulebook/policy-table.ts';
import { policyPlaceAt, type SodIndex } from '../rulebook/sod-index.ts';
import { type Entitlements, entitlementsOf } from './expand-access.ts';
import { findAtInstant } from './find-at-instant.ts';
import type { ChooseItem } from './shown-items.ts';

const NOTHING_HELD = new Uint32Array();

/** What assignments violate at an instant. */
export interface FoundHeld {
  /** In order of ids. */
  readonly policies: readonly PolicyPlace[];
  /** Whether an item is held. Valid until the next search in an index of the same catalogue. */
  readonly isHeld: ChooseItem;
}

/**
 * Finds what assignments violate at an instant (milliseconds since 1970): what a prediction would find if an identity without
 * access requested all of them.
 */
export function findHeld(index: SodIndex, assignments: readonly TimedAccessRef[], ms: number): FoundHeld {
  const parts: Entitlements[] = [];
  for (const assignment of assignments) {
    if (!isWithin(intervalOf(assignment), ms)) continue;
    const part = entitlementsOf(index.catalogue, assignment);
    if (part !== undefined) parts.push(part);
  }
  const { policies, access } = findAtInstant(index, { kind: 'instant', ms, held: NOTHING_HELD, parts });
  const { marks, heldMark } = access;
  return {
    policies: policies.map((policy) => policyPlaceAt(index, policy)),
    isHeld: (_, entitlement) => (marks[entitlement] ?? 0) >= heldMark,
  };
}
