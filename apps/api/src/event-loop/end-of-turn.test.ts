import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createEndOfTurn } from './end-of-turn.ts';

/** An end of turn whose clock the test moves, and the work that it has done. */
function openEndOfTurn() {
  const clock = { nowMs: 0 };
  const done: string[] = [];
  const { add, doLate } = createEndOfTurn(() => clock.nowMs);
  return { clock, done, doLate, add: (name: string) => add(() => done.push(name)) };
}

test('work is done together, in its order, when the turn ends', async () => {
  const { done, add, doLate } = openEndOfTurn();
  for (const name of ['a', 'b']) {
    add(name);
    doLate();
  }
  expect(done).toEqual([]);
  await setImmediate();
  expect(done).toEqual(['a', 'b']);
});

test('in a long turn, work waits for 5 ms at most until something else arrives', async () => {
  const { clock, done, add, doLate } = openEndOfTurn();
  add('a');
  clock.nowMs = 4;
  doLate();
  add('b');
  expect(done).toEqual([]);
  clock.nowMs = 5;
  doLate();
  expect(done).toEqual(['a', 'b']);
  clock.nowMs = 20;
  doLate();
  add('c');
  clock.nowMs = 24;
  doLate();
  expect(done).toEqual(['a', 'b']);
  await setImmediate();
  expect(done).toEqual(['a', 'b', 'c']);
});
