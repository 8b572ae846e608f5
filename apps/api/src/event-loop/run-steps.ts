import type { Pace } from './pace.ts';

/** Runs steps to their end, paced. */
export async function runSteps<T>(steps: Generator<void, T>, pace: Pace): Promise<T> {
  let step = steps.next();
  const rest = function* () {
    for (; step.done !== true; step = steps.next()) yield '';
  };
  for await (const _ of pace(rest()));
  if (step.done !== true) throw new Error('The steps ended early.');
  return step.value;
}
