import type { AccessRef } from './access-model.ts';
import { type SodIndex, takeMarks } from './sod-index.ts';

/** What access refs come to. */
export interface ExpandedAccess {
  /** Numbers of the index, sorted and unique. */
  readonly entitlements: Uint32Array;
  /** The refs that the catalogue does not have, each once, in the order given. */
  readonly unknown: readonly AccessRef[];
}

/** Expands access refs to entitlements, directly and through access profiles and roles. */
export function expandAccess(index: SodIndex, refs: readonly AccessRef[]): ExpandedAccess {
  const { marks } = index.scratch;
  const mark = takeMarks(index.scratch);
  const found: number[] = [];
  const unknown = new Map<string, AccessRef>();
  for (const ref of refs) {
    const entitlements = entitlementsOf(index, ref);
    if (entitlements === undefined) {
      if (!unknown.has(`${ref.type} ${ref.id}`)) unknown.set(`${ref.type} ${ref.id}`, ref);
      continue;
    }
    for (let i = 0; i < entitlements.length; i++) {
      const entitlement = entitlements[i] ?? 0;
      if (marks[entitlement] === mark) continue;
      marks[entitlement] = mark;
      found.push(entitlement);
    }
  }
  return { entitlements: new Uint32Array(found).sort(), unknown: [...unknown.values()] };
}

/** The entitlement numbers that one access ref stands for; undefined when the catalogue does not have it. */
export function entitlementsOf(index: SodIndex, { type, id }: AccessRef): ArrayLike<number> | undefined {
  if (type === 'ROLE') return index.roles.get(id);
  if (type === 'ACCESS_PROFILE') return index.accessProfiles.get(id);
  const number = index.entitlementNumbers.get(id);
  return number === undefined ? undefined : [number];
}
