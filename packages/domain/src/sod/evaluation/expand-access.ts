import type { AccessRef } from '../../access/model/records.ts';
import { rowAt } from '../collections/csr-rows.ts';
import { findId } from '../collections/id-dictionary.ts';
import type { SodBundles, SodCatalogue } from '../rulebook/catalogue.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import { scratchOf, startAccess } from './scratch.ts';

/** The entitlements that access refs stand for. */
export interface ExpandedAccess {
  /** Numbers of the index, sorted and unique. */
  readonly entitlements: Uint32Array;
  /** The refs that the catalogue does not have, each once, in the order given. */
  readonly unresolved: readonly AccessRef[];
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
    if (part !== undefined) parts.push(part);
    else if (!unresolved.has(`${ref.type} ${ref.id}`)) unresolved.set(`${ref.type} ${ref.id}`, ref);
  }
  return { entitlements: unite(catalogue, parts), unresolved: [...unresolved.values()] };
}

/** Numbers of a catalogue, ascending, each once. */
export type Entitlements = ArrayLike<number>;

/** The entitlements that one access ref stands for; undefined when the catalogue does not have it. */
export function entitlementsOf(catalogue: SodCatalogue, { type, id }: AccessRef): Entitlements | undefined {
  if (type === 'ROLE') return bundleOf(catalogue.roles, id);
  if (type === 'ACCESS_PROFILE') return bundleOf(catalogue.accessProfiles, id);
  const number = findId(catalogue.numbers, id);
  return number === undefined ? undefined : [number];
}

/** The entitlements that are in any of the parts, sorted and unique. */
export function unite(catalogue: SodCatalogue, parts: readonly Entitlements[]): Uint32Array {
  const { marks, heldMark } = startAccess(scratchOf(catalogue));
  const found: number[] = [];
  for (const part of parts) {
    for (let at = 0; at < part.length; at++) {
      const entitlement = part[at] ?? 0;
      if (marks[entitlement] === heldMark) continue;
      marks[entitlement] = heldMark;
      found.push(entitlement);
    }
  }
  const united = Uint32Array.from(found);
  if (united.length <= SORTED_MAX) return united.sort();
  let length = 0;
  for (let entitlement = 0; entitlement < marks.length; entitlement++)
    if (marks[entitlement] === heldMark) united[length++] = entitlement;
  return united;
}

// With more it takes less time to collect all marked ones in order.
const SORTED_MAX = 4_096;

function bundleOf({ numbers, entitlements }: SodBundles, id: string): Uint32Array | undefined {
  const number = findId(numbers, id);
  return number === undefined ? undefined : rowAt(entitlements, number);
}
