import { expect, test } from 'vitest';
import { compileSodIndex, entitlementIdsOf, expandAccess, predictViolations, violates } from '../src/index.ts';
import { createRandomSodWorld } from './random-sod-world.ts';

const WORLDS = 5_000;

test(`what is held violates what predict would say that granting it violates, in ${WORLDS} random worlds`, () => {
  const nothing = new Uint32Array();
  let violated = 0;
  for (let seed = 1; seed <= WORLDS; seed++) {
    const { policies, catalogue, questions } = createRandomSodWorld(seed);
    const index = compileSodIndex(policies, catalogue);
    const byId = <T extends { readonly id: string }>(all: readonly T[]) => new Map(all.map((one) => [one.id, one]));
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
  expect(violated).toBeGreaterThan(WORLDS / 10);
});
