import type { FixProblem } from '../src/sod/index.ts';
import { createRandom } from './random-sod-world.ts';

/** How large a random problem is, and how many holders each entitlement keeps. */
export interface FixWorldSize {
  readonly identities: number;
  readonly entitlements: number;
  readonly bundles: number;
  readonly policies: number;
  readonly refsMax: number;
}

/** A problem with the holders that each entitlement keeps. */
export interface FixWorld extends FixProblem {
  readonly keepHolders: number;
}

/** Identities that hold entitlements and bundles at random, and all their violations. */
export function createRandomFixWorld(seed: number, size: FixWorldSize): FixWorld {
  const below = createRandom(seed);
  const anyEntitlement = () => below(size.entitlements);
  const unique = (numbers: readonly number[]) => [...new Set(numbers)].sort((left, right) => left - right);
  const someEntitlements = (max: number) => unique(Array.from({ length: 1 + below(max) }, anyEntitlement));
  const bundles = Array.from({ length: size.bundles }, () => someEntitlements(4));
  const policies = Array.from({ length: size.policies }, () => {
    const sides = Array.from({ length: below(4) === 0 ? 1 + below(4) : 2 }, () => someEntitlements(3));
    return { sides, atLeast: sides.length === 1 ? 1 : 2 + below(sides.length - 1) };
  });
  const protectedRefs = new Set(Array.from({ length: below(3) }, () => below(size.entitlements + size.bundles)));
  const holders = Array.from({ length: size.identities }, () => {
    const held = Array.from({ length: 1 + below(size.refsMax) }, () => below(size.entitlements + size.bundles));
    return unique(held).map((ref) => ({
      entitlements: ref < size.entitlements ? [ref] : (bundles[ref - size.entitlements] ?? []),
      isBundle: ref >= size.entitlements,
      isProtected: protectedRefs.has(ref),
    }));
  });
  const counts = new Map<number, number>();
  for (const refs of holders)
    for (const entitlement of unique(refs.flatMap(({ entitlements }) => entitlements)))
      counts.set(entitlement, (counts.get(entitlement) ?? 0) + 1);
  const keepHolders = below(4);
  const identities = holders.flatMap((refs) => {
    const held = new Set(refs.flatMap(({ entitlements }) => entitlements));
    const violations = policies.flatMap(({ sides, atLeast }) => {
      const ofHeld = sides.map((side) => side.filter((item) => held.has(item))).filter((side) => side.length > 0);
      return ofHeld.length >= atLeast && below(8) > 0 ? [{ sides: ofHeld, atLeast }] : [];
    });
    return violations.length === 0 ? [] : [{ refs, violations }];
  });
  return {
    identities,
    entitlementCount: size.entitlements,
    spareOf: (entitlement) =>
      keepHolders === 0 ? Number.POSITIVE_INFINITY : Math.max(0, (counts.get(entitlement) ?? 0) - keepHolders),
    keepHolders,
    protectedEntitlements: new Set([...protectedRefs].filter((ref) => ref < size.entitlements)),
  };
}
