import { setImmediate } from 'node:timers/promises';
import type { Steps, TextSteps } from '@access-admin/domain';
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
  const work = (name: string, count: number): TextSteps => {
    const sink = { text: '' };
    const write = function* (): Steps<void> {
      for (let step = 0; step < count; step++) {
        steps.push(name);
        sink.text += `${name}${step} `;
        yield;
      }
    };
    return { sink, steps: write() };
  };
  const texts = Promise.all([textOf(pace.text(work('a', 3))), textOf(pace.text(work('b', 2)))]);
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
  let isEnded = false;
  const sink = { text: '' };
  const write = function* (): Steps<void> {
    try {
      for (;;) {
        steps += 1;
        sink.text += 'x'.repeat(65_536);
        yield;
      }
    } finally {
      isEnded = true;
    }
  };
  const pieces = pace.text({ sink, steps: write() })[Symbol.asyncIterator]();
  await pieces.next();
  for (let turn = 0; turn < 10; turn++) await setImmediate();
  expect(steps).toBe(1);
  await pieces.next();
  await pieces.return?.();
  expect([steps, isEnded]).toEqual([2, true]);
});

test('work without text returns its outcome, one step in each turn', async () => {
  let steps = 0;
  const count = function* (): Steps<string> {
    for (; steps < 3; steps++) yield;
    return 'done';
  };
  const outcome = createPace().run(count());
  expect(steps).toBe(0);
  expect([await outcome, steps]).toEqual(['done', 3]);
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
