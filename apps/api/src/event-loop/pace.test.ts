import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createFairTurns } from './fair-turns.ts';
import { createPace } from './pace.ts';

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

test('concurrent work is done in turns, one step in each turn of the event loop', async () => {
  const pace = createPace();
  const steps: string[] = [];
  function* work(name: string, count: number): Generator<string> {
    for (let step = 0; step < count; step++) {
      steps.push(name);
      yield `${name}${step} `;
    }
  }
  const texts = Promise.all([textOf(pace(work('a', 3))), textOf(pace(work('b', 2)))]);
  let turns = 0;
  const all = texts.then(() => true);
  while (!(await Promise.race([all, setImmediate(false)]))) {
    turns += 1;
    expect(steps.length).toBeLessThanOrEqual(turns + 2);
  }
  expect(await texts).toEqual(['a0 a1 a2 ', 'b0 b1 ']);
  expect(steps.join('')).toMatch(/^ab/);
});

test('no step is taken ahead of a slow reader, nor after one has left', async () => {
  const pace = createPace();
  let steps = 0;
  function* work(): Generator<string> {
    for (;;) {
      steps += 1;
      yield 'x'.repeat(65_536);
    }
  }
  const pieces = pace(work())[Symbol.asyncIterator]();
  await pieces.next();
  for (let turn = 0; turn < 10; turn++) await setImmediate();
  expect(steps).toBe(1);
  await pieces.next();
  await pieces.return?.();
  expect(steps).toBe(2);
});

test('waiting work rests for as long as the last step took, so that other work gets turns', async () => {
  let nowMs = 0;
  const turn = createFairTurns(() => nowMs);
  const order: string[] = [];
  const work = async (name: string) => {
    await turn();
    order.push(name);
    nowMs += 5;
  };
  const all = Promise.all([work('a'), work('b'), work('c')]).then(() => true);
  let turns = 0;
  while (!(await Promise.race([all, setImmediate(false)]))) turns += 1;
  expect(order).toEqual(['a', 'b', 'c']);
  expect(turns).toBeGreaterThan(10);
});
