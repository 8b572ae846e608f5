import { type Arbitrary, array, constantFrom, integer, record, uniqueArray } from 'fast-check';
import type { Catalogue, SodPolicy } from '../src/index.ts';
import { catalogueOf, kOfNPolicyOf, policyOf } from './sod-world.ts';

type MakePolicy = (id: string, rest: Partial<SodPolicy>) => SodPolicy;

const state = constantFrom('ENFORCED', 'ENFORCED', 'ENFORCED', 'NOT_ENFORCED');

/** Two-sided policies over some items. */
export const twoSidedOf = (items: readonly string[]): Arbitrary<MakePolicy> =>
  uniqueArray(constantFrom(...items), { minLength: 2, maxLength: 4 }).chain((drawn) =>
    integer({ min: 1, max: Math.min(2, drawn.length - 1) }).map((cut) => (id: string, rest: Partial<SodPolicy>) => {
      const left = drawn.slice(0, cut);
      const right = drawn.slice(cut);
      return policyOf(id, { left, right }, rest);
    }),
  );

/** K-of-n policies over some items. */
export const kOfNOf = (items: readonly string[]): Arbitrary<MakePolicy> =>
  array(uniqueArray(constantFrom(...items), { minLength: 1, maxLength: 2 }), { minLength: 2, maxLength: 4 }).chain(
    (sides) =>
      integer({ min: 2, max: sides.length }).map(
        (atLeast) => (id: string, rest: Partial<SodPolicy>) =>
          kOfNPolicyOf(id, { atLeast, sides: sides.map((side) => side.join(' ')) }, rest),
      ),
  );

/** Critical-access policies over some items. */
export const criticalAccessOf = (items: readonly string[]): Arbitrary<MakePolicy> =>
  uniqueArray(constantFrom(...items), { minLength: 1, maxLength: 3 }).map(
    (drawn) => (id: string, rest: Partial<SodPolicy>) =>
      kOfNPolicyOf(id, { atLeast: 1, sides: [drawn.join(' ')] }, rest),
  );

/** Rulebooks of at least two policies with some of the ids, most of them enforced. */
export const policiesOf = (ids: readonly string[], form: Arbitrary<MakePolicy>): Arbitrary<SodPolicy[]> =>
  uniqueArray(record({ id: constantFrom(...ids), make: form, state }), {
    minLength: 2,
    selector: ({ id }) => id,
  }).map((drawn) => drawn.map(({ id, make, state: drawnState }) => make(id, { state: drawnState })));

/** Catalogues of some of the items with access profiles `ap` and `AP` and roles `r`, `R` and `none`. */
export function cataloguesOf(items: readonly string[]): Arbitrary<Catalogue> {
  const someItems = array(constantFrom(...items), { maxLength: 4 });
  return record({
    entitlements: uniqueArray(constantFrom(...items), { minLength: 2 }),
    ap: someItems,
    AP: someItems,
    r: someItems,
    R: someItems,
  }).map(({ entitlements, ap, AP, r, R }) => {
    const existing = (ids: readonly string[]) => ids.filter((id) => entitlements.includes(id));
    return catalogueOf({
      entitlements,
      accessProfiles: { ap: existing(ap), AP: existing(AP) },
      roles: {
        r: { accessProfiles: ['ap'], entitlements: existing(r) },
        R: { accessProfiles: ['AP', 'ap'], entitlements: existing(R) },
        none: {},
      },
    });
  });
}
