import type { AccessRef, Catalogue, SodPolicy } from '../src/index.ts';
import { accessProfile, catalogueOf, entitlement, kOfNPolicyOf, policyOf, role } from './sod-world.ts';

export interface RandomSodWorld {
  readonly policies: readonly SodPolicy[];
  readonly catalogue: Catalogue;
  readonly questions: readonly { readonly held: readonly AccessRef[]; readonly requested: readonly AccessRef[] }[];
}

// Their order in code units differs from every alphabetical one.
const NAMES = ['a', 'B', 'b', '_', 'Z', 'z', 'a.1', 'a-1', 'a:1', 'a1', '10', '9', 'A', 'aa', '-', 'E:1'];

// None, an empty one and others.
const SIDE_NAMES = ['', ': ', 'Pay: ', '"é"\\😀\u2028: '];

/** A tiny tenant with bundles in bundles, repeated items and refs, policies of both forms, deleted entitlements and policies not enforced. */
export function createRandomSodWorld(seed: number): RandomSodWorld {
  const below = createRandom(seed);
  const some = <T>(countMax: number, draw: () => T): T[] => Array.from({ length: below(countMax + 1) }, draw);
  // One world in eight is wide enough for requests that take the path of wide requests.
  const isWide = below(8) === 0;
  const ids = isWide ? Array.from({ length: 40 }, (_, at) => `${NAMES[at % 16]}${at >> 4}`) : NAMES.slice(below(12));
  const existing = ids.slice(below(3));
  const anyOf = <T>(from: readonly T[]): T => {
    const drawn = from[below(from.length)];
    if (drawn === undefined) throw new Error('nothing to draw from');
    return drawn;
  };
  const itemMax = isWide ? 60 : 3;
  const accessProfiles = Object.fromEntries(
    some(2, () => anyOf(NAMES)).map((id) => [id, some(itemMax, () => anyOf(existing))]),
  );
  const profileIds = Object.keys(accessProfiles);
  const roles = Object.fromEntries(
    some(2, () => anyOf(NAMES)).map((id) => [
      id,
      {
        accessProfiles: profileIds.length > 0 ? some(2, () => anyOf(profileIds)) : [],
        entitlements: some(2, () => anyOf(existing)),
      },
    ]),
  );
  const side = () => [anyOf(ids), ...some(2, () => anyOf(ids))];
  // Items may stand on several sides, and even twice on one: no rule depends on what an import refuses.
  const anyPolicy = (id: string): SodPolicy => {
    const state = below(5) === 0 ? 'NOT_ENFORCED' : 'ENFORCED';
    if (below(3) > 0) return policyOf(id, { left: side(), right: side() }, { state });
    if (below(4) === 0) return kOfNPolicyOf(id, { atLeast: 1, sides: [sideText(side())] }, { state });
    const sides = Array.from({ length: 2 + below(below(4) === 0 ? 9 : 3) }, () => sideText(side()));
    return kOfNPolicyOf(id, { atLeast: 2 + below(sides.length - 1), sides }, { state });
  };
  const sideText = (ids: readonly string[]) => `${anyOf(SIDE_NAMES)}${ids.join(' ')}`;
  const policies = some(6, () => anyOf(NAMES)).map(anyPolicy);
  const refs = [...existing.map(entitlement), ...profileIds.map(accessProfile), ...Object.keys(roles).map(role)];
  const bundles = refs.slice(existing.length);
  const someRefs = () => some(4, () => anyOf(bundles.length > 0 && below(3) === 0 ? bundles : refs));
  return {
    policies: [...new Map(policies.map((policy) => [policy.id, policy])).values()],
    catalogue: catalogueOf({ entitlements: existing, accessProfiles, roles }),
    questions: [
      { held: someRefs(), requested: someRefs() },
      { held: someRefs(), requested: someRefs() },
    ],
  };
}

/** Whole numbers from 0 up to, and without, `end`: the same ones for the same seed (mulberry32). */
export function createRandom(seed: number): (end: number) => number {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0;
  return (end) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) % end;
  };
}
