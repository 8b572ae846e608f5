import { expect, test } from 'vitest';
import { createAssignmentIndexWriter, holdersOf } from './assignment-index.ts';

test('the holders of several refs are each told once, in ascending order', () => {
  const writer = createAssignmentIndexWriter();
  for (const refs of [[2], [0, 1], [], [1, 1], [2, 0]]) {
    for (const ref of refs) writer.add(ref);
    writer.endHolder();
  }
  const index = writer.finish(4);
  expect([...holdersOf(index, [0])]).toEqual([1, 4]);
  expect([...holdersOf(index, [1])]).toEqual([1, 3]);
  expect([...holdersOf(index, [1, 2, 0])]).toEqual([0, 1, 3, 4]);
  expect([...holdersOf(index, [3])]).toEqual([]);
  expect([...holdersOf(index, [])]).toEqual([]);
});
