import { expect, test } from 'vitest';
import { createScheduler } from './scheduler.ts';

/** Two workers that share the event loop, whose units take so many milliseconds. */
async function interleave(unitMs: Readonly<Record<string, number>>): Promise<string> {
  const clock = { ms: 100 };
  const { yieldIfDue } = createScheduler({ elapsed: () => clock.ms, dueAfterMs: 5 });
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
  const { yieldIfDue } = createScheduler({ elapsed: () => clock.ms, dueAfterMs: 5 });
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
  const { yieldIfDue } = createScheduler({ elapsed: () => clock.ms, dueAfterMs: 5 });
  await yieldIfDue();
  clock.ms += 4;
  expect(yieldIfDue()).toBeUndefined();
  clock.ms += 1;
  expect(yieldIfDue()).toBeInstanceOf(Promise);
});

test('tenants go on in turn, and the callers of one in the order of yielding', async () => {
  const scheduler = createScheduler({ elapsed: () => 0, dueAfterMs: 5 });
  const order: string[] = [];
  const work = async (name: string, tenant: string) => {
    for (let piece = 0; piece < 2; piece++) {
      await scheduler.yield(tenant);
      order.push(name);
    }
  };
  await Promise.all([work('a1', 'a'), work('a2', 'a'), work('a3', 'a'), work('b', 'b')]);
  expect(order.join(' ')).toBe('a1 b a2 b a3 a1 a2 a3');
});
