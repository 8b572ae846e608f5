import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { predictJson } from '../../test/entries.ts';
import { createRandomSodWorld } from '../../test/random-sod-world.ts';
import { catalogueOf, entitlement, kOfNPolicyOf, policyOf } from '../../test/sod-world.ts';
import { changePolicies } from './change-policies.ts';
import { packSodIndex, unpackSodIndex, unpackSodIndexInSteps } from './pack.ts';
import { compileSodIndex } from './sod-index.ts';

const catalogue = catalogueOf({
  entitlements: ['a', 'b', 'c'],
  accessProfiles: { 'ap-1': ['a', 'b'] },
  roles: { 'r-1': { accessProfiles: ['ap-1'], entitlements: ['c'] } },
});
const index = compileSodIndex(
  [
    policyOf('p-1', { left: ['a'], right: ['b', 'c'] }),
    kOfNPolicyOf('p-2', { atLeast: 2, sides: ['pay: a', 'b c', 'c'] }),
  ],
  catalogue,
);
const pack = packSodIndex(index);
const refs = [entitlement('a'), { type: 'ROLE', id: 'r-1' }, { type: 'ACCESS_PROFILE', id: 'ap-1' }] as const;

describe('unpackSodIndex', () => {
  test('makes an index with the same answers and the same pack', () => {
    const unpacked = unpackSodIndex(pack);
    if (unpacked === null) throw new Error('not unpacked');
    expect(predictJson(unpacked, new Uint32Array([1]), refs)).toEqual(predictJson(index, new Uint32Array([1]), refs));
    expect(unpacked).toMatchObject({ policyCount: 2, changedPolicies: 0, overlay: null });
    expect(packSodIndex(unpacked)).toEqual(pack);
  });

  test.each([1, 2, 3])('takes bytes that begin %i bytes off a word, and leaves them alone', (offset) => {
    const shifted = new Uint8Array(pack.length + offset).subarray(offset);
    shifted.set(pack);
    const unpacked = unpackSodIndex(shifted);
    expect(unpacked && packSodIndex(unpacked)).toEqual(pack);
    expect(shifted).toEqual(pack);
  });

  test('is null for every truncation and for anything after the end', () => {
    for (let length = 0; length < pack.length; length++) expect(unpackSodIndex(pack.slice(0, length))).toBeNull();
    for (const more of [1, 4]) expect(unpackSodIndex(new Uint8Array([...pack, ...new Array(more).fill(0)]))).toBeNull();
  });

  test('is null for another version, another byte order and bytes of any kind', () => {
    const other = pack.slice();
    other[0] = (other[0] ?? 0) ^ 2;
    expect(unpackSodIndex(other)).toBeNull();
    expect(unpackSodIndex(pack.slice().reverse())).toBeNull();
    expect(unpackSodIndex(swapped(pack))).toBeNull();
    fc.assert(fc.property(fc.uint8Array(), (bytes) => unpackSodIndex(bytes) === null));
  });

  test('never throws for a damaged pack, nor does a prediction on what comes of it', () => {
    // A small world with policies of both forms.
    const worldPack = packSodIndex(compileSodIndex(...rulebookOf(WORLD)));
    const places = fc.array(fc.tuple(fc.nat(worldPack.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(places, (damages) => {
        const damaged = worldPack.slice();
        for (const [at, byte] of damages) damaged[at] = byte;
        const unpacked = unpackSodIndex(damaged);
        if (unpacked === null) return;
        const answer = predictJson(
          unpacked,
          new Uint32Array([0, 1]),
          createRandomSodWorld(WORLD).questions[0]?.requested ?? [],
        );
        if (answer.ok) JSON.parse(answer.value);
      }),
      { numRuns: 5_000 },
    );
  });
});

test('unpackSodIndexInSteps pauses on its way to the same index', () => {
  const policies = Array.from({ length: 50_000 }, (_, number) =>
    policyOf(`p-${number}`, { left: ['a'], right: ['b'] }),
  );
  const large = packSodIndex(compileSodIndex(policies, catalogue));
  const steps = unpackSodIndexInSteps(large);
  let pauses = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) pauses += 1;
  expect(step.value && packSodIndex(step.value)).toEqual(large);
  // One more after each of the two parts that are read whole.
  expect(pauses).toBeGreaterThan(2);
});

test('packSodIndex refuses an index with changed policies', () => {
  const changed = changePolicies(index, { upserts: [], deletes: ['p-1'] });
  expect(() => packSodIndex(changed)).toThrow('changed policies');
});

const WORLD = 8;

function rulebookOf(seed: number) {
  const { policies, catalogue: some } = createRandomSodWorld(seed);
  return [policies, some] as const;
}

function swapped(bytes: Uint8Array): Uint8Array {
  return bytes.map((_, at) => bytes[at ^ 3] ?? 0);
}
