import { expect, test } from 'vitest';
import { groupByTurn } from './group-by-turn.ts';

const nextTurn = () => new Promise(setImmediate);

test('items of one turn are stored together, and their callers wait for it', async () => {
  const groups: (readonly number[])[] = [];
  let finish = () => {};
  const store = groupByTurn<number>((items) => {
    groups.push(items);
    return new Promise<void>((resolve) => {
      finish = resolve;
    });
  });
  let answered = 0;
  const calls = [1, 2, 3].map((item) => store(item).then(() => answered++));
  await nextTurn();
  expect({ groups, answered }).toEqual({ groups: [[1, 2, 3]], answered: 0 });
  finish();
  await Promise.all(calls);
  expect(answered).toBe(3);
});

test('a later turn does not wait for an earlier group', async () => {
  const groups: (readonly number[])[] = [];
  const store = groupByTurn<number>((items) => {
    groups.push(items);
    return groups.length === 1 ? new Promise(() => {}) : Promise.resolve();
  });
  void store(1);
  await nextTurn();
  await store(2);
  expect(groups).toEqual([[1], [2]]);
});

test('a failed group rejects the promise of each caller', async () => {
  const store = groupByTurn<number>(() => Promise.reject(new Error('full')));
  const outcomes = await Promise.allSettled([store(1), store(2)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
