import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTurnOfLoop } from './turn-of-loop.ts';

test('a turn of the event loop has one number, which no other one has', async () => {
  const turnOfLoop = createTurnOfLoop();
  const numbers: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    numbers.push(turnOfLoop());
    await Promise.resolve();
    await new Promise<void>((resolve) => process.nextTick(resolve));
    expect(turnOfLoop()).toBe(numbers.at(-1));
    await nextTurn();
  }
  expect(new Set(numbers).size).toBe(3);
});
