import { hasWindow, type Interval, intervalOf } from '../../access/model/interval.ts';
import type { AccessRef, AccessType, TimedAccessRef } from '../../access/model/records.ts';
import { rowAt } from '../collections/csr-rows.ts';
import { findId } from '../collections/id-dictionary.ts';
import type { SodCatalogue } from '../rulebook/catalogue.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import { type Entitlements, entitlementsOf, unite } from './expand-access.ts';

/** A ref of the catalogue by number, which holds for every index with the same catalogue. */
export interface NumberedRef {
  readonly type: AccessType;
  readonly number: number;
}

/** Access that is held in windows: one ref, with all of its windows. */
export interface TimedEntitlements extends NumberedRef {
  /** Numbers of the index, each once; a view of the catalogue where that has a list of them. */
  readonly entitlements: Entitlements;
  readonly windows: readonly Interval[];
}

/** What an identity holds. */
export interface HeldAccess {
  /** The entitlements of the assignments without a window, as numbers of the index, sorted and unique. */
  readonly held: Uint32Array;
  /** Those of the assignments with a window; null where there is none, as for most identities: then `held` is everything, at any time. */
  readonly timed: readonly TimedEntitlements[] | null;
}

/** Expands assignments. Refs that the catalogue lacks are left out. Access with windows takes memory for its windows alone. */
export function expandAssignments(
  { catalogue }: Pick<SodIndex, 'catalogue'>,
  assignments: readonly TimedAccessRef[],
): HeldAccess {
  const always = new Map<string, Entitlements>();
  const timed = new Map<string, NumberedRef & { readonly windows: Interval[] }>();
  let isTimed = false;
  for (const assignment of assignments) {
    const key = `${assignment.type} ${assignment.id}`;
    if (!hasWindow(assignment)) {
      if (!always.has(key)) always.set(key, entitlementsOf(catalogue, assignment) ?? []);
      continue;
    }
    isTimed = true;
    const ref = timed.get(key) ?? numberRef(catalogue, assignment);
    if (ref === null) continue;
    ref.windows.push(intervalOf(assignment));
    timed.set(key, ref);
  }
  const held = unite(catalogue, [...always.values()]);
  return { held, timed: isTimed ? [...timed.values()].map((ref) => withEntitlements(catalogue, ref)) : null };
}

/** Access that is held in windows, with its entitlements. */
export const withEntitlements = (
  catalogue: SodCatalogue,
  { type, number, windows }: NumberedRef & Pick<TimedEntitlements, 'windows'>,
): TimedEntitlements => ({ type, number, entitlements: entitlementsAt(catalogue, { type, number }), windows });

function entitlementsAt({ roles, accessProfiles }: SodCatalogue, { type, number }: NumberedRef): Entitlements {
  if (type === 'ENTITLEMENT') return [number];
  return rowAt((type === 'ROLE' ? roles : accessProfiles).entitlements, number);
}

function numberRef({ numbers, roles, accessProfiles }: SodCatalogue, { type, id }: AccessRef) {
  const dictionary = type === 'ENTITLEMENT' ? numbers : (type === 'ROLE' ? roles : accessProfiles).numbers;
  const number = findId(dictionary, id);
  const windows: Interval[] = [];
  return number === undefined ? null : { type, number, windows };
}
