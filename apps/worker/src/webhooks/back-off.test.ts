import { expect, test } from 'vitest';
import { createBackOff } from './back-off.ts';

const attempt = (ms: number, hasFailed: boolean) => ({ startedMs: 1_000, endedMs: 1_000 + ms, hasFailed });

test('a webhook that fails at once rests twice as long from batch to batch, two seconds at most', () => {
  const backOff = createBackOff();
  const rests = Array.from({ length: 8 }, () => backOff.after([attempt(0, true), attempt(0, true)]));
  expect(rests).toEqual([50, 100, 200, 400, 800, 1_600, 2_000, 2_000]);
});

test('one that has failed before goes on with long rests', () => {
  expect(createBackOff(12).after([attempt(0, true)])).toBe(2_000);
});

test('a success ends the rests', () => {
  const backOff = createBackOff();
  for (let batch = 0; batch < 5; batch++) backOff.after([attempt(0, true)]);
  expect(backOff.after([attempt(0, true), attempt(5, false)])).toBe(0);
  expect(backOff.after([attempt(0, true)])).toBe(50);
});

test('the time of a slow receiver is rest enough', () => {
  const backOff = createBackOff();
  expect(backOff.after([attempt(30, true), attempt(10, true)])).toBe(20);
  expect(backOff.after([attempt(15_000, true)])).toBe(0);
});

test('nothing was attempted', () => {
  expect(createBackOff().after([])).toBe(0);
});
