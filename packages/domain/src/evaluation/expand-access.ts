import type { AccessRef } from '../access-model/records.ts';
import { rowAt } from '../collections/csr-rows.ts';
import { findId } from '../collections/id-dictionary.ts';
import type { SodBundles, SodCatalogue } from '../rulebook/catalogue.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import { releaseEvaluator, startAccess, takeEvaluator } from './evaluator.ts';

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
  return { entitlements: uniteEntitlements(catalogue, parts).sort(), unresolved: [...unresolved.values()] };
}

/** Numbers of a catalogue, each once. */
export type Entitlements = ArrayLike<number>;

/** The entitlements that one access ref stands for; undefined when the catalogue does not have it. */
export function entitlementsOf(catalogue: SodCatalogue, { type, id }: AccessRef): Entitlements | undefined {
  if (type === 'ROLE') return bundleOf(catalogue.roles, id);
  if (type === 'ACCESS_PROFILE') return bundleOf(catalogue.accessProfiles, id);
  const number = findId(catalogue.numbers, id);
  return number === undefined ? undefined : [number];
}

/** The entitlements that are in any of the parts and in none of `except`, each once, in the order in which they come first. */
export function uniteEntitlements(
  catalogue: SodCatalogue,
  parts: readonly Entitlements[],
  except: readonly Entitlements[] = [],
): Uint32Array {
  const evaluator = takeEvaluator(catalogue);
  const { marks, heldMark } = startAccess(evaluator);
  for (const part of except) for (let i = 0; i < part.length; i++) marks[part[i] ?? 0] = heldMark;
  const found: number[] = [];
  for (const part of parts) {
    for (let i = 0; i < part.length; i++) {
      const entitlement = part[i] ?? 0;
      if (marks[entitlement] === heldMark) continue;
      marks[entitlement] = heldMark;
      found.push(entitlement);
    }
  }
  releaseEvaluator(evaluator);
  return new Uint32Array(found);
}

function bundleOf({ numbers, entitlements }: SodBundles, id: string): Uint32Array | undefined {
  const number = findId(numbers, id);
  return number === undefined ? undefined : rowAt(entitlements, number);
}
