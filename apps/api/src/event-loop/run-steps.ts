import type { Pace } from './pace.ts';

/** Runs steps to their end, one in each turn of the event loop that is free. */
export async function runSteps<T>(steps: Generator<void, T>, pace: Pace): Promise<T> {
  let step = steps.next();
  const rest = function* () {
    for (; step.done !== true; step = steps.next()) yield '';
  };
  for await (const _ of pace(rest()));
  if (step.done !== true) throw new Error('The steps have not come to their end.');
  return step.value;
}
