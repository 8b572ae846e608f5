import { expect, test } from 'vitest';
import { createYieldIfDue } from './yield.ts';

/** Two workers that share the event loop, whose units take so many milliseconds. */
async function interleave(unitMs: Readonly<Record<string, number>>): Promise<string> {
  const clock = { ms: 100 };
  const yieldIfDue = createYieldIfDue(() => clock.ms);
  const order: string[] = [];
  const work = async (name: string, ms: number) => {
    for (let unit = 0; unit < 6; unit++) {
      clock.ms += ms;
      order.push(name);
      await yieldIfDue();
    }
  };
  await yieldIfDue();
  await Promise.all(Object.entries(unitMs).map(([name, ms]) => work(name, ms)));
  return order.join('');
}

test('work yields after some milliseconds, and those who have yielded go on in that order', async () => {
  expect(await interleave({ a: 5, b: 5 })).toBe('abababababab');
  expect(await interleave({ a: 2, b: 2 })).toBe('ababaaabbbab');
});

test('between two units that have yielded the event loop turns', async () => {
  const clock = { ms: 0 };
  const yieldIfDue = createYieldIfDue(() => clock.ms);
  let turn = 0;
  const countTurns = () => {
    turn += 1;
    if (turn < 10) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  const work = async () => {
    clock.ms += 10;
    await yieldIfDue();
    return turn;
  };
  expect(await Promise.all([work(), work(), work()])).toEqual([1, 2, 3]);
});

test('nothing is waited for while the event loop has just turned', async () => {
  const clock = { ms: 0 };
  const yieldIfDue = createYieldIfDue(() => clock.ms);
  await yieldIfDue();
  clock.ms += 4;
  expect(yieldIfDue()).toBeUndefined();
  clock.ms += 1;
  expect(yieldIfDue()).toBeInstanceOf(Promise);
});
