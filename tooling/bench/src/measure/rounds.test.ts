import { expect, test } from 'vitest';
import { measureInterleaved, ROUNDS, ratioOf, spreadOf, takeTurns } from './rounds.ts';

test('contestants take turns, and the results of the first round are left out', async () => {
  const played: string[] = [];
  const results = await takeTurns(['a', 'b'], (name, round) => {
    played.push(`${name}${round}`);
    return round;
  });
  expect(played.slice(0, 4)).toEqual(['a0', 'b0', 'a1', 'b1']);
  const counted = Array.from({ length: ROUNDS }, (_, at) => at + 1);
  expect(results).toEqual([counted, counted]);
});

test('a slow call is made once per round, after the one before has ended', async () => {
  const turns: number[] = [];
  let isUnderWay = false;
  await measureInterleaved(
    [
      async (turn) => {
        expect(isUnderWay).toBe(false);
        isUnderWay = true;
        await new Promise(setImmediate);
        isUnderWay = false;
        turns.push(turn);
      },
    ],
    0,
  );
  expect(turns).toEqual(Array.from({ length: ROUNDS + 1 }, (_, turn) => turn));
});

test('a ratio compares values of the same round', () => {
  expect(ratioOf([10, 40, 90], [1, 2, 3])).toEqual({ median: 20, min: 10, max: 30 });
  expect(spreadOf([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3 });
});
