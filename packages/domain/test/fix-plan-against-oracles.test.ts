import { atDepth, coverage, seeds } from '@access-admin/test-depth';
import highsLoader, { type Highs } from 'highs';
import { expect, test } from 'vitest';
import { type FixPlan, type FixProblem, planFixes } from '../src/sod/index.ts';
import { bestBySolver, bestByTrying, outcomeOf } from './fix-plan-oracle.ts';
import { createRandomFixWorld } from './random-fix-world.ts';

function planOf(problem: FixProblem): FixPlan {
  const steps = planFixes(problem);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

const takenBy = ({ identities }: FixPlan) => identities.map(({ taken }) => taken);
const endedBy = ({ identities }: FixPlan) =>
  identities.flatMap(({ reasons }) => reasons.filter((each) => each === null)).length;

const TINY = { identities: 3, entitlements: 5, bundles: 2, policies: 3, refsMax: 4 };
const TINY_WORLDS = 3_000;

test(`in ${atDepth(TINY_WORLDS)} tiny worlds plans are the best ones that trying all of them finds`, () => {
  const seen = { revoked: 0, several: 0, left: 0, lastHolder: 0, self: 0, protected: 0 };
  for (const seed of seeds(TINY_WORLDS)) {
    const world = createRandomFixWorld(seed, TINY);
    const plan = planOf(world);
    const best = bestByTrying(world);
    expect(takenBy(plan), `seed ${seed}`).toEqual(best);
    const outcome = outcomeOf(world, best);
    expect({ isOptimal: plan.isOptimal, lowerBound: plan.lowerBound, ended: endedBy(plan) }, `seed ${seed}`).toEqual({
      isOptimal: true,
      lowerBound: outcome?.revocations,
      ended: outcome?.ended,
    });
    const reasons = plan.identities.flatMap((identity) => identity.reasons);
    if (plan.lowerBound > 0) seen.revoked++;
    if (plan.lowerBound > 2) seen.several++;
    if (reasons.some((reason) => reason !== null)) seen.left++;
    if (reasons.includes('LAST_HOLDER')) seen.lastHolder++;
    if (reasons.includes('ROLE_VIOLATES_ITSELF')) seen.self++;
    if (reasons.includes('PROTECTED')) seen.protected++;
  }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(coverage(TINY_WORLDS / 100));
});

const WORLDS = 200;
const SIZES = [
  { identities: 40, entitlements: 24, bundles: 8, policies: 12, refsMax: 8 },
  { identities: 60, entitlements: 16, bundles: 10, policies: 10, refsMax: 6 },
  { identities: 12, entitlements: 40, bundles: 12, policies: 24, refsMax: 16 },
  { identities: 150, entitlements: 60, bundles: 20, policies: 20, refsMax: 9 },
];

test(`in ${atDepth(WORLDS)} random worlds plans are within 2 % of what an independent solver finds, and equal where they are said to be the best`, async () => {
  // Its types describe the default export of a CommonJS module.
  const load = highsLoader as unknown as () => Promise<Highs>;
  const highs = await load();
  const seen = { optimal: 0, scarce: 0 };
  for (let seed = 1; seed <= atDepth(WORLDS); seed++) {
    const world = createRandomFixWorld(seed, SIZES[seed % SIZES.length] ?? TINY);
    const plan = planOf(world);
    const outcome = outcomeOf(world, takenBy(plan));
    const best = bestBySolver(highs, world);
    if (outcome === null) throw new Error(`Seed ${seed}: the plan is not permitted.`);
    const of = `seed ${seed}: ${JSON.stringify({ outcome, best, bound: plan.lowerBound, optimal: plan.isOptimal })}`;
    expect(endedBy(plan), of).toBe(outcome.ended);
    expect(plan.lowerBound, of).toBeLessThanOrEqual(best.revocations);
    expect(outcome.ended, of).toBeGreaterThanOrEqual(Math.ceil(best.ended * 0.98));
    if (outcome.ended === best.ended)
      expect(outcome.revocations, of).toBeLessThanOrEqual(Math.floor(best.revocations * 1.02));
    if (plan.isOptimal) expect(outcome, of).toMatchObject(best);
    if (plan.isOptimal) seen.optimal++;
    if (plan.identities.some(({ reasons }) => reasons.includes('LAST_HOLDER'))) seen.scarce++;
  }
  expect(seen.optimal).toBeGreaterThan(atDepth(WORLDS) * 0.8);
  expect(seen.scarce).toBeGreaterThan(atDepth(WORLDS) / 10);
});
