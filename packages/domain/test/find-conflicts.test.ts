import { atDepth, coverage, seeds } from '@access-admin/test-depth';
import { describe, expect, test } from 'vitest';
import {
  type AccessRef,
  compileGrantingRefs,
  compileSodIndex,
  createAccessRefTable,
  createAssignmentIndexWriter,
  createConflictFinder,
  createFinderMemory,
  expandAccess,
  findRef,
  internRef,
  type SodIndex,
} from '../src/index.ts';
import { policySidesAt, refAt } from '../src/sod/index.ts';
import { createRandom } from './random-sod-world.ts';
import { catalogueOf, entitlement, kOfNPolicyOf, policyOf } from './sod-world.ts';

const compile = (policies: World['policies'], entitlements: number): SodIndex =>
  compileSodIndex(
    policies.map(({ id, sides, atLeast }) => {
      const [left = '', right = ''] = sides.map(idsOf);
      return atLeast === null
        ? policyOf(id, { left: left.split(' '), right: right.split(' ') })
        : kOfNPolicyOf(id, { atLeast, sides: sides.map(idsOf) });
    }),
    catalogueOf({ entitlements: Array.from({ length: entitlements }, (_, number) => `e-${number}`) }),
  );

const idsOf = (numbers: readonly number[]) => numbers.map((number) => `e-${number}`).join(' ');

interface Population {
  readonly holders: number;
  readonly entitlements: number;
  /** The number of entitlements that many identities hold. */
  readonly popular: number;
}

/** Sides of k-of-n policies may share items; the low numbers are held by many. */
function drawWorld(random: (end: number) => number, { holders, entitlements, popular }: Population) {
  const draw = () => (random(3) === 0 ? random(popular) : random(entitlements));
  const some = (countMax: number) => [...new Set(Array.from({ length: 1 + random(countMax) }, draw))];
  const policies = Array.from({ length: 30 }, (_, number) => {
    const id = `p-${String(number).padStart(2, '0')}`;
    if (number % 3 > 0) {
      const items = some(12);
      const left = Math.max(1, random(items.length));
      return { id, sides: [items.slice(0, left), items.slice(left)], atLeast: null };
    }
    const sides = Array.from({ length: 1 + random(10) }, () => some(4));
    return { id, sides, atLeast: sides.length === 1 ? 1 : 2 + random(sides.length - 1) };
  }).filter(({ sides }) => sides.every((side) => side.length > 0));
  const held = Array.from({ length: holders }, () => Array.from({ length: random(8) }, draw));
  return { policies, held };
}

type World = ReturnType<typeof drawWorld>;

/** A direct reading of the rule: `[holder, items]`. */
function conflictsOf(
  { sides, atLeast }: World['policies'][number],
  held: readonly (readonly number[])[],
  gained: Gained,
) {
  return held.flatMap((numbers, holder) => {
    const all = new Set([...numbers, ...(gained.holders.has(holder) ? gained.entitlements : [])]);
    const sorted = sides.map((side) => side.toSorted((a, b) => (`e-${a}` < `e-${b}` ? -1 : 1)));
    if (sorted.filter((side) => side.some((item) => all.has(item))).length < (atLeast ?? 2)) return [];
    const items = sorted.flat().flatMap((item, place) => {
      if (!all.has(item)) return [];
      return [place * 2 + (numbers.includes(item) ? 1 : 0)];
    });
    return [[holder, items]];
  });
}

interface Gained {
  readonly entitlements: readonly number[];
  readonly holders: ReadonlySet<number>;
}

const NO_GAIN: Gained = { entitlements: [], holders: new Set() };

function holdingsOf({ catalogue }: SodIndex, held: World['held']) {
  const refs = createAccessRefTable();
  const writer = createAssignmentIndexWriter(1);
  for (const numbers of held) {
    for (const number of numbers) {
      const id = `e-${number}`;
      writer.add(internRef(refs, 'ENTITLEMENT', { text: id, start: 0, end: id.length }));
    }
    writer.endHolder();
  }
  return { holdings: writer.finish(refs.count), grantingRefs: compileGrantingRefs(refs, catalogue) };
}

describe('the conflicts with a policy', () => {
  test.each([
    [40, { holders: 700, entitlements: 60, popular: 4 }],
    [40, { holders: 3, entitlements: 6, popular: 2 }],
    // Holder numbers above 16 bits.
    [1, { holders: 70_000, entitlements: 300, popular: 3 }],
  ])('are those of a direct reading of the rule, in %i populations of %o', (populations, size) => {
    let found = 0;
    // In one batch, and in several.
    const memories = [createFinderMemory(), createFinderMemory(size.holders / 2)];
    for (const seed of seeds(populations)) {
      const random = createRandom(seed);
      const { policies, held } = drawWorld(random, size);
      const index = compile(policies, size.entitlements);
      const gained = {
        entitlements: [random(size.entitlements), random(size.popular)],
        holders: new Set(Array.from(held.keys()).filter(() => random(4) === 0)),
      };
      const gain = {
        entitlements: new Set(
          expandAccess(
            index,
            gained.entitlements.map((number) => entitlement(`e-${number}`)),
          ).entitlements,
        ),
        holders: Uint32Array.from(gained.holders),
      };
      const memory = memories[seed % 2] ?? createFinderMemory();
      const finder = createConflictFinder(holdingsOf(index, held), gain, memory);
      // One population is large: the plain rule takes seconds to evaluate all of its policies.
      const compared = populations > 1 ? policies.length : atDepth(policies.length);
      for (const [number, policy] of policies.slice(0, compared).entries()) {
        const sides = policySidesAt({ table: index.compiled, number });
        // The state after a search that failed half way.
        memory.pairCount = random(2);
        memory.sidesHeld.fill(random(2));
        const asList = (withGain: boolean) => {
          const all = [];
          do all.push(...finder.find(sides, withGain).map(({ holder, items }) => [holder, items]));
          while (finder.nextBatch());
          return all;
        };
        expect(asList(false), `seed ${seed}`).toEqual(conflictsOf(policy, held, NO_GAIN));
        expect(asList(true), `seed ${seed}`).toEqual(conflictsOf(policy, held, gained));
        found += asList(false).length;
      }
    }
    expect(found).toBeGreaterThan(coverage(populations * 10));
  });
});

test('a table of refs gives each ref one number', () => {
  const refs = createAccessRefTable();
  const types = ['ENTITLEMENT', 'ACCESS_PROFILE', 'ROLE'] as const;
  const all = Array.from({ length: 20_000 }, (_, number): AccessRef => {
    const id = number % 7 === 0 ? `é\u{1F600}${number}` : `${'x'.repeat(number % 90)}${Math.floor(number / 3)}`;
    return { type: types[number % 3] ?? 'ROLE', id };
  });
  const distinct = [...new Map(all.map((ref) => [`${ref.type} ${ref.id}`, ref])).values()];
  expect(findRef(refs, { type: 'ROLE', id: '' })).toBe(-1);
  for (let round = 0; round < 2; round++) {
    for (const [number, { type, id }] of distinct.entries())
      expect(internRef(refs, type, { text: `[${id}]`, start: 1, end: id.length + 1 })).toBe(number);
  }
  expect(refs.count).toBe(distinct.length);
  for (const [number, ref] of distinct.entries()) {
    expect(refAt(refs, number)).toEqual(ref);
    expect(findRef(refs, ref)).toBe(number);
  }
  expect(findRef(refs, { type: 'ROLE', id: 'none' })).toBe(-1);
});
