import {
  type AccessRef,
  type AccessRefTable,
  enforcedPlaces,
  type PlannedIdentity,
  type PlannedRef,
  type PolicyPlace,
  type Protection,
  placeOfItem,
  policySidesAt,
  refAt,
  type SodIndex,
} from '@access-admin/domain';
import type { Violator } from './fix-plan-violators.ts';

/** A ref that an identity holds, by name. */
export interface HeldRef extends PlannedRef {
  readonly ref: AccessRef;
}

/** A violator as a problem to be solved. */
export interface ViolatorProblem extends PlannedIdentity {
  readonly violator: Violator;
  readonly refs: readonly HeldRef[];
}

/** Returns what makes problems of violators. */
export function createProblemMaker(index: SodIndex, table: AccessRefTable, { givenBy, isProtected }: Protection) {
  const places = enforcedPlaces(index);
  const known = new Map<number, (HeldRef & { readonly key: string }) | null>();
  const heldRefOf = (number: number) => {
    const found = known.get(number);
    if (found !== undefined) return found;
    const ref = refAt(table, number);
    const entitlements = givenBy(ref);
    const key = keyOf(ref);
    // What the catalogue lacks grants nothing.
    const held =
      entitlements === undefined
        ? null
        : { ref, key, entitlements, isBundle: ref.type !== 'ENTITLEMENT', isProtected: isProtected(ref) };
    known.set(number, held);
    return held;
  };
  return (violator: Violator): ViolatorProblem => ({
    violator,
    refs: [...violator.refs]
      .flatMap((ref) => heldRefOf(ref) ?? [])
      .sort((one, other) => (one.key < other.key ? -1 : 1)),
    violations: violator.violations.map(({ policy, items }) => violationOf(places[policy], items)),
  });
}

/** In order of ids. */
const keyOf = ({ type, id }: AccessRef): string => `${id} ${type}`;

function violationOf(place: PolicyPlace | undefined, items: readonly number[]): PlannedIdentity['violations'][number] {
  if (place === undefined) throw new Error('A violation is of a policy of the plan.');
  const { rows, first, sideCount, atLeast } = policySidesAt(place);
  const held = new Set(items.map(placeOfItem));
  const start = rows.starts[first] ?? 0;
  const sides = Array.from({ length: sideCount }, (_, side) => {
    const from = rows.starts[first + side] ?? 0;
    return [...rows.values.subarray(from, rows.starts[first + side + 1])].filter((_, at) =>
      held.has(from - start + at),
    );
  });
  return { sides: sides.filter((side) => side.length > 0), atLeast };
}
