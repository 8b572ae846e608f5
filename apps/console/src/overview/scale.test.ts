import { expect, test } from 'vitest';
import { scaleTo } from './scale.ts';

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [4, [0, 1, 2, 3, 4]],
  [5, [0, 2, 4, 6]],
  [39, [0, 10, 20, 30, 40]],
  [41, [0, 20, 40, 60]],
  [1000, [0, 500, 1000]],
  [123_456, [0, 50_000, 100_000, 150_000]],
])('a scale up to %i has few round numbers', (greatest, marks) => {
  expect(scaleTo(greatest)).toEqual(marks);
});
