import { describe, expect, test } from 'vitest';
import { type BystanderFigures, figuresOf } from '../bystander/figures.ts';
import { STRICT, verifyFigures, verifyMemory } from './verify-row.ts';

const figures = (ms: { predict?: number; check?: number; scan?: number } = {}, failures: readonly string[] = []) => {
  const [other, { predict = 10, check = 20, scan = 100 }] = [figuresOf([5]), ms];
  const judged = { predict: figuresOf([predict]), check: figuresOf([check]), scan: figuresOf([scan]) };
  const flows = { ...judged, import: other, export: other, token: other };
  return { flows, failures, ownDelay: other } satisfies BystanderFigures;
};

describe('a bystander who', () => {
  test.each([
    ['feels nothing', figures(), []],
    ['feels all that is allowed', figures({ predict: 70, check: 1_000, scan: 300 }), []],
    ['predicts more slowly', figures({ predict: 71 }), ['p99 of its predictions was 71 ms (limit 70)']],
    ['waits for checks', figures({ check: 1_001 }), ['p95 of its checks was 1001 ms (limit 1000)']],
    ['waits for scans', figures({ scan: 301 }), ['p95 of its scans was 301 ms (limit 300)']],
    ['is refused', figures({}, ['import: 503', 'token: 503']), ['2 of its answers were wrong, such as import: 503']],
  ])('%s', (_, seen, broken) => {
    expect(verifyFigures(STRICT, figures(), seen)).toEqual(broken);
  });
});

test('finds the processes that hold much more memory than before', () => {
  const mib = (count: number) => count * 2 ** 20;
  const before = { 'api 0': mib(200), 'worker 0': mib(90) };
  expect(verifyMemory(STRICT, before, { 'api 0': mib(300), 'worker 0': mib(80) })).toEqual([]);
  expect(verifyMemory(STRICT, before, { 'api 0': mib(301), 'worker 0': mib(191) })).toEqual([
    'api 0 holds 101 MiB more than before',
    'worker 0 holds 101 MiB more than before',
  ]);
});
