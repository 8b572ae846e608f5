import { expect, test } from 'vitest';
import { createAtAnswerStep } from './answer-steps.ts';

/** The time at which work of this length is answered. */
async function answeredAt(workMs: number, fails = false) {
  let nowMs = 1_000;
  const atStep = createAtAnswerStep(
    () => nowMs,
    async (ms) => {
      nowMs += ms;
    },
  );
  const work = async () => {
    nowMs += workMs;
    if (fails) throw new Error('failed');
    return 'done';
  };
  const outcome = await atStep(work).catch((error: Error) => error.message);
  return [outcome, nowMs - 1_000];
}

test.each([
  [0, 500],
  [1, 500],
  [499.5, 500],
  [500, 1_000],
  [501, 1_000],
  [1_250, 1_500],
])('work of %s ms is answered after %s ms', async (workMs, ms) => {
  expect(await answeredAt(workMs)).toEqual(['done', ms]);
});

test('work that fails takes the same time', async () => {
  expect(await answeredAt(120, true)).toEqual(['failed', 500]);
});
