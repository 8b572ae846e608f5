import { hasWindow, type Interval, intervalOf } from '../../access/model/interval.ts';
import type { AccessRef, AccessType, TimedAccessRef } from '../../access/model/records.ts';
import { countBefore } from '../../basics/order/count-before.ts';
import { rowAt } from '../collections/rows.ts';
import type { SodBundles, SodCatalogue } from '../rulebook/catalogue.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';

/** Numbers of a catalogue, ascending, each once. */
export type Entitlements = ArrayLike<number>;

/** The entitlements that access refs stand for. */
export interface ExpandedAccess {
  /** Numbers of the index, sorted and unique. */
  readonly entitlements: Uint32Array;
  /** The refs that the catalogue does not have, each once, in the order given. */
  readonly unresolved: readonly AccessRef[];
}

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

/** The entitlements that one access ref stands for; undefined when the catalogue does not have it. */
export function entitlementsOf(catalogue: SodCatalogue, { type, id }: AccessRef): Entitlements | undefined {
  const number = numbersOf(catalogue, type).get(id);
  if (number === undefined) return undefined;
  return type === 'ENTITLEMENT' ? [number] : rowAt(bundlesOf(catalogue, type).entitlements, number);
}

/**
 * Expands access refs to entitlements, directly and through access profiles and roles. The numbers hold for every index
 * with the same `catalogue`.
 */
export function expandAccess({ catalogue }: SodIndex, refs: readonly AccessRef[]): ExpandedAccess {
  const parts: Entitlements[] = [];
  const unresolved = new Map<string, AccessRef>();
  for (const ref of refs) {
    const part = entitlementsOf(catalogue, ref);
    const key = `${ref.type} ${ref.id}`;
    if (part !== undefined) parts.push(part);
    else if (!unresolved.has(key)) unresolved.set(key, ref);
  }
  return { entitlements: unite(catalogue, parts), unresolved: [...unresolved.values()] };
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
    const { type, id } = assignment;
    const key = `${type} ${id}`;
    if (!hasWindow(assignment)) {
      if (!always.has(key)) always.set(key, entitlementsOf(catalogue, assignment) ?? []);
      continue;
    }
    isTimed = true;
    const number = numbersOf(catalogue, type).get(id);
    if (number === undefined) continue;
    const ref = timed.get(key) ?? { type, number, windows: [] };
    ref.windows.push(intervalOf(assignment));
    timed.set(key, ref);
  }
  const held = unite(catalogue, always.values());
  return { held, timed: isTimed ? Array.from(timed.values(), (ref) => withEntitlements(catalogue, ref)) : null };
}

/** Access that is held in windows, with its entitlements. */
export const withEntitlements = (
  catalogue: SodCatalogue,
  { type, number, windows }: NumberedRef & Pick<TimedEntitlements, 'windows'>,
): TimedEntitlements => ({
  type,
  number,
  entitlements: type === 'ENTITLEMENT' ? [number] : rowAt(bundlesOf(catalogue, type).entitlements, number),
  windows,
});

/** Whether an entitlement is among some. */
export const hasEntitlement = (entitlements: Entitlements, number: number): boolean =>
  entitlements[countBefore(entitlements.length, (at) => (entitlements[at] ?? 0) < number)] === number;

const bundlesOf = ({ accessProfiles, roles }: SodCatalogue, type: AccessType): SodBundles =>
  type === 'ROLE' ? roles : accessProfiles;

const numbersOf = (catalogue: SodCatalogue, type: AccessType): ReadonlyMap<string, number> =>
  type === 'ENTITLEMENT' ? catalogue.numbers : bundlesOf(catalogue, type).numbers;

/** The entitlements that are in any of the parts, sorted and unique. */
function unite({ entitlements }: SodCatalogue, parts: Iterable<Entitlements>): Uint32Array {
  const isFound = new Uint8Array(entitlements.length);
  const found: number[] = [];
  for (const part of parts)
    for (let at = 0; at < part.length; at++) {
      const number = part[at] ?? 0;
      if (isFound[number] === 0) found.push(number);
      isFound[number] = 1;
    }
  return Uint32Array.from(found).sort();
}
