import { hasEntitlement } from '../evaluation/access.ts';
import type { PlannedIdentity, PlannedViolation, SpareHolders } from './model.ts';

/** Entitlements that an identity loses once it has lost all of some refs. */
export interface Loss {
  /** Places of refs, ascending. */
  readonly refs: readonly number[];
  /** The number of the entitlements. */
  readonly count: number;
  /** Those of them of which fewer holders can be spared than there are identities in the plan. */
  readonly tight: readonly number[];
  /** Whether one of them has no holder to spare. */
  readonly isForbidden: boolean;
}

/** A violation that permitted revocations can end. */
export interface OpenViolation {
  /** Its place among those of the identity. */
  readonly at: number;
  /** The sets of refs, as ascending places, each of which ends it; none contains another one. */
  readonly choices: readonly (readonly number[])[];
}

/** An identity without what no plan changes. */
export interface ReducedIdentity {
  readonly violations: readonly OpenViolation[];
  readonly losses: readonly Loss[];
}

/** The catalogue, the identities and the holders that a plan must respect. */
export interface ReducerLimits {
  /** The number of entitlements in the catalogue. */
  readonly entitlementCount: number;
  readonly identityCount: number;
  readonly spareOf: SpareHolders;
}

/** Returns what reduces the identities of a plan to their choices. */
export function createReducer({ entitlementCount, identityCount, spareOf }: ReducerLimits) {
  const grantCounts = new Uint32Array(entitlementCount);

  return (identity: PlannedIdentity): ReducedIdentity => {
    const { refs } = identity;
    for (const { entitlements } of refs) count(entitlements, 1);
    // Without any holder to spare, what only one ref grants keeps that ref.
    const isTakeable = refs.map(
      ({ entitlements, isProtected }) =>
        !isProtected &&
        !some(entitlements, (entitlement) => grantCounts[entitlement] === 1 && spareOf(entitlement) < 1),
    );
    const open = openViolations(identity, (ref) => isTakeable[ref] === true);
    const losses = lossesOf(identity, new Set(open.flatMap(({ choices }) => choices.flat())));
    for (const { entitlements } of refs) count(entitlements, 0);
    return { violations: open, losses };

    function count(entitlements: ArrayLike<number>, by: 0 | 1): void {
      for (let at = 0; at < entitlements.length; at++) {
        const entitlement = entitlements[at] ?? 0;
        grantCounts[entitlement] = by === 0 ? 0 : (grantCounts[entitlement] ?? 0) + 1;
      }
    }

    /** What the identity would lose with some refs, by the refs that grant it. */
    function lossesOf({ refs }: PlannedIdentity, movable: ReadonlySet<number>): readonly Loss[] {
      const granting = new Map<number, number[]>();
      for (const ref of [...movable].sort((left, right) => left - right)) {
        const { entitlements } = refs[ref] ?? NO_REF;
        for (let at = 0; at < entitlements.length; at++) {
          const entitlement = entitlements[at] ?? 0;
          const others = granting.get(entitlement);
          if (others === undefined) granting.set(entitlement, [ref]);
          else others.push(ref);
        }
      }
      const losses = new Map<string, { readonly refs: readonly number[]; readonly entitlements: number[] }>();
      for (const [entitlement, by] of granting) {
        if (by.length < (grantCounts[entitlement] ?? 0)) continue;
        const key = by.join();
        const loss = losses.get(key);
        if (loss === undefined) losses.set(key, { refs: by, entitlements: [entitlement] });
        else loss.entitlements.push(entitlement);
      }
      return Array.from(losses.values(), (loss) => ({
        refs: loss.refs,
        count: loss.entitlements.length,
        tight: loss.entitlements.filter((entitlement) => spareOf(entitlement) < identityCount),
        isForbidden: loss.entitlements.some((entitlement) => spareOf(entitlement) < 1),
      }));
    }
  };
}

const NO_REF = { entitlements: [] };

/** The violations that can end if some refs may be taken, whatever else is lost with them. */
export function openViolations(
  { refs, violations }: PlannedIdentity,
  isTakeable: (ref: number) => boolean,
): readonly OpenViolation[] {
  return violations.flatMap((violation, at): OpenViolation[] => {
    const clearable = violation.sides.flatMap((items) => {
      const granting = refs.flatMap(({ entitlements }, ref) =>
        items.some((item) => hasEntitlement(entitlements, item)) ? [ref] : [],
      );
      return granting.every(isTakeable) ? [granting] : [];
    });
    const choices = smallest(unions(clearable, sidesToClear(violation)));
    return choices.length === 0 ? [] : [{ at, choices }];
  });
}

/** How many sides of a violation are not to be held any more, so that it ends. */
export const sidesToClear = ({ sides, atLeast }: PlannedViolation): number => sides.length - atLeast + 1;

/** The unions of each `count` of some sets. */
function unions(sets: readonly (readonly number[])[], count: number): readonly (readonly number[])[] {
  if (count === 0) return [[]];
  return sets.flatMap((set, at) =>
    unions(sets.slice(at + 1), count - 1).map((rest) => [...new Set([...set, ...rest])].sort((a, b) => a - b)),
  );
}

/** The sets that contain no other one, the smallest first. */
function smallest(sets: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const kept: (readonly number[])[] = [];
  for (const set of sets.toSorted((left, right) => left.length - right.length || compareLists(left, right)))
    if (!kept.some((other) => other.every((ref) => set.includes(ref)))) kept.push(set);
  return kept;
}

/** Compares ascending lists; one that goes on comes before one that ends. */
export function compareLists(left: readonly number[], right: readonly number[]): number {
  for (let at = 0; ; at++) {
    const one = left[at] ?? Number.POSITIVE_INFINITY;
    const other = right[at] ?? Number.POSITIVE_INFINITY;
    if (one !== other) return one - other;
    if (one === Number.POSITIVE_INFINITY) return 0;
  }
}

function some(numbers: ArrayLike<number>, meets: (number: number) => boolean): boolean {
  for (let at = 0; at < numbers.length; at++) if (meets(numbers[at] ?? 0)) return true;
  return false;
}
