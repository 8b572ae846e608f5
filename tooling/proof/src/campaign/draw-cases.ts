import fc from 'fast-check';
import type { CampaignRun } from './campaign.ts';
import { type Random, shrinkingRandom } from './random.ts';

/** Attempts to find a smaller case that fails as well. */
const SHRINKS_MAX = 100;

/** Tries one drawn case; returns the text of its failure, or null. `number` counts from 1; it is null for a shrunk case. */
export type TryCase = (random: Random, number: number | null) => Promise<string | null>;

/** Tries `count` drawn cases. A case that fails is shrunk; the failures of the smallest cases are returned. */
export async function drawCases(
  { seed, count, signal }: Pick<CampaignRun, 'seed' | 'count' | 'signal'>,
  tryCase: TryCase,
): Promise<readonly string[]> {
  const failures: string[] = [];
  let tried = 0;
  let failure: string | null = null;
  let shrinks = 0;
  const property = fc.asyncProperty(fc.gen(), async (generator) => {
    signal.throwIfAborted();
    if (failure === null) tried++;
    else if (++shrinks > SHRINKS_MAX) return;
    const found = await tryCase(shrinkingRandom(generator), failure === null ? tried : null);
    if (found === null) return;
    failure = found;
    throw new Error(found);
  });
  while (tried < count) {
    [failure, shrinks] = [null, 0];
    const { failed, errorInstance } = await fc.check(property, { numRuns: count - tried, seed: (seed + tried) | 0 });
    signal.throwIfAborted();
    if (failed && failure === null) throw errorInstance;
    if (failure !== null) failures.push(failure);
  }
  return failures;
}
