import { describe, expect, test } from 'vitest';
import { type BystanderFigures, figuresOf } from '../bystander/figures.ts';
import { ROUGH, STRICT, verifyFigures, verifyMemory } from './verify-row.ts';

const figures = (ms: { predict?: number; check?: number; scan?: number } = {}, failures: readonly string[] = []) => {
  const other = figuresOf([5]);
  const { predict = 10, check = 20, scan = 100 } = ms;
  const judged = { predict: figuresOf([predict]), check: figuresOf([check]), scan: figuresOf([scan]) };
  const flows = { ...judged, import: other, export: other, token: other };
  return { flows, failures, ownDelay: other } satisfies BystanderFigures;
};

describe('a bystander who', () => {
  test.each([
    ['feels nothing', figures(), []],
    ['feels all that is allowed', figures({ predict: 150, check: 2_000, scan: 5_500 }), []],
    ['predicts more slowly', figures({ predict: 151 }), ['its predict took 151 ms at p99 (limit 150)']],
    ['waits for checks', figures({ check: 2_001 }), ['its check took 2001 ms at p95 (limit 2000)']],
    ['waits for scans', figures({ scan: 5_501 }), ['its scan took 5501 ms at p95 (limit 5500)']],
    ['is refused', figures({}, ['import: 503', 'token: 503']), ['2 of its answers were wrong, such as import: 503']],
  ])('%s', (_, seen, broken) => {
    expect(verifyFigures(STRICT, figures(), seen)).toEqual(broken);
  });
});

test('on a busy machine, medians are judged', () => {
  expect(verifyFigures(ROUGH, figures(), figures({ predict: 1_050, check: 3_100, scan: 5_500 }))).toEqual([]);
  expect(verifyFigures(ROUGH, figures(), figures({ predict: 1_051, check: 3_101, scan: 5_501 }))).toEqual([
    'its predict took 1051 ms at p50 (limit 1050)',
    'its check took 3101 ms at p50 (limit 3100)',
    'its scan took 5501 ms at p50 (limit 5500)',
  ]);
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
