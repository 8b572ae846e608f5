import { atDepth, coverage, seeds } from '@access-admin/test-depth';
import { expect, test } from 'vitest';
import {
  compileSodIndex,
  entitlementIdsOf,
  expandAccess,
  isInConflict,
  predictViolations,
  violates,
} from '../src/index.ts';
import { createRandomSodWorld } from './random-sod-world.ts';
import { createRandomTimedWorld } from './random-timed-world.ts';
import { predictTemporalByOracle } from './timed-oracle.ts';

const WORLDS = 5_000;

const byId = <T extends { readonly id: string }>(all: readonly T[]) => new Map(all.map((one) => [one.id, one]));

test(`what is held violates what predict would say that granting it violates, in ${atDepth(WORLDS)} random worlds`, () => {
  const nothing = new Uint32Array();
  let violated = 0;
  for (const seed of seeds(WORLDS)) {
    const { policies, catalogue, questions } = createRandomSodWorld(seed);
    const index = compileSodIndex(policies, catalogue);
    const graph = { roles: byId(catalogue.roles), accessProfiles: byId(catalogue.accessProfiles) };
    for (const { held } of questions) {
      const expanded = expandAccess(index, held).entitlements;
      const expected = predictViolations(index, nothing, expanded).map(({ policy }) => policy.id);
      const ids = entitlementIdsOf(held, graph);
      const found = policies.filter((policy) => violates(ids, policy)).map(({ id }) => id);
      violated += found.length;
      expect([seed, found.toSorted()]).toEqual([seed, expected.toSorted()]);
    }
  }
  expect(violated).toBeGreaterThan(coverage(WORLDS / 10));
});

test('access with windows is in conflict if it violates the policy at any instant from now on', () => {
  let found = 0;
  for (const seed of seeds(500)) {
    const { policies, catalogue, timedQuestions } = createRandomTimedWorld(seed);
    const graph = { roles: byId(catalogue.roles), accessProfiles: byId(catalogue.accessProfiles) };
    for (const { held, now } of timedQuestions) {
      const question = { held: [], requested: held, now };
      const expected = predictTemporalByOracle({ policies, catalogue }, question).map(({ policy }) => policy.id);
      const nowMs = Date.parse(now);
      const given = policies.filter((policy) => isInConflict(policy, { ...graph, assignments: held }, nowMs));
      found += given.length;
      expect([seed, given.map(({ id }) => id).toSorted()]).toEqual([seed, expected.toSorted()]);
    }
  }
  expect(found).toBeGreaterThan(coverage(20));
});
