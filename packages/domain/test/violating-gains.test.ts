import { coverage, seeds } from '@access-admin/test-depth';
import { expect, test } from 'vitest';
import type { AccessRef } from '../src/index.ts';
import {
  compileSodIndex,
  createGainSearch,
  expandAccess,
  findViolatingHolders,
  findViolatingRefs,
} from '../src/sod/index.ts';
import { predictByOracle } from './predict-oracle.ts';
import { createRandomSodWorld, type RandomSodWorld } from './random-sod-world.ts';

const WORLDS = 5_000;

const refsOf = ({ catalogue: { entitlements, accessProfiles, roles } }: RandomSodWorld): readonly AccessRef[] => [
  ...entitlements.map(({ id }) => ({ type: 'ENTITLEMENT', id }) as const),
  ...accessProfiles.map(({ id }) => ({ type: 'ACCESS_PROFILE', id }) as const),
  ...roles.map(({ id }) => ({ type: 'ROLE', id }) as const),
];

test('holders and refs judged together are those that the rule in plain words finds one by one', () => {
  let violating = 0;
  for (const seed of seeds(WORLDS)) {
    const world = createRandomSodWorld(seed);
    const index = compileSodIndex(world.policies, world.catalogue);
    const search = createGainSearch(index, () => true);
    const refs = refsOf(world);
    const [first, second] = world.questions;
    if (first === undefined || second === undefined) continue;
    const isViolating = (held: readonly AccessRef[], requested: readonly AccessRef[]) =>
      predictByOracle(world, held, requested).length > 0;

    const holders = [first.held, second.held, [], first.requested, ...refs.map((ref) => [ref])];
    const gained = expandAccess(index, second.requested).entitlements;
    const foundHolders = findViolatingHolders(search, gained, holders);
    expect([seed, foundHolders]).toEqual([seed, holders.map((held) => isViolating(held, second.requested))]);

    const held = expandAccess(index, first.held).entitlements;
    const foundRefs = findViolatingRefs(search, held, refs);
    expect([seed, foundRefs]).toEqual([seed, refs.map((ref) => isViolating(first.held, [ref]))]);
    violating += [...foundHolders, ...foundRefs].filter(Boolean).length;
  }
  expect(violating).toBeGreaterThan(coverage(WORLDS));
});
