import { expect, test } from 'vitest';
import { figuresOf } from './figures.ts';

test('takes percentiles of the durations, in any order', () => {
  const durations = Array.from({ length: 200 }, (_, at) => 200 - at);
  expect(figuresOf(durations)).toEqual({ calls: 200, p50Ms: 100, p95Ms: 190, p99Ms: 198, maxMs: 200 });
  expect(figuresOf([7])).toEqual({ calls: 1, p50Ms: 7, p95Ms: 7, p99Ms: 7, maxMs: 7 });
});

test('without calls all figures are zero', () => {
  expect(figuresOf([])).toEqual({ calls: 0, p50Ms: 0, p95Ms: 0, p99Ms: 0, maxMs: 0 });
});
