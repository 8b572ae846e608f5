import { describe, expect, test } from 'vitest';
import { createCounts } from './counts.ts';
import { readSettings } from './read.ts';

describe('settings', () => {
  test('are a reduced depth and a random seed by default', () => {
    expect(readSettings({})).toEqual({ depth: 'reduced', seed: expect.any(Number), cases: null });
    expect(readSettings({ SEED: '' }).depth).toBe('reduced');
  });

  test('are taken from the environment', () => {
    expect(readSettings({ DEPTH: 'full', SEED: '17', CASES: '9' })).toEqual({ depth: 'full', seed: 17, cases: 9 });
  });

  test.each([{ DEPTH: 'deep' }, { SEED: 'x' }, { SEED: '-1' }, { SEED: '1.5' }, { CASES: 'x' }])(
    '%o is refused',
    (env) => {
      expect(() => readSettings(env)).toThrow('must be');
    },
  );
});

describe('counts', () => {
  test('are as given at full depth', () => {
    const { atDepth, coverage, runs, seeds } = createCounts({ depth: 'full', seed: 5, cases: null });
    expect([atDepth(1000), coverage(50), runs(20)]).toEqual([1000, 50, { numRuns: 20, seed: 5 }]);
    expect(seeds(3)).toEqual([5, 6, 7]);
  });

  test('are a tenth at reduced depth', () => {
    const { atDepth, coverage, runs, seeds } = createCounts({ depth: 'reduced', seed: 5, cases: null });
    expect([atDepth(1000), coverage(400), coverage(5), runs(25)]).toEqual([100, 9, -1, { numRuns: 3, seed: 5 }]);
    expect(seeds(3)).toEqual([5]);
  });

  test('of a list are all of it, or every tenth from where the seed begins', () => {
    const list = Array.from({ length: 25 }, (_, at) => at);
    expect(createCounts({ depth: 'full', seed: 13, cases: null }).sample(list)).toEqual(list);
    expect(createCounts({ depth: 'reduced', seed: 13, cases: null }).sample(list)).toEqual([3, 13, 23]);
  });

  test('of campaigns are those of CASES, else those of the depth', () => {
    const byDepth = { reduced: 10, full: 1000 };
    expect(createCounts({ depth: 'reduced', seed: 5, cases: null }).cases(byDepth)).toBe(10);
    expect(createCounts({ depth: 'full', seed: 5, cases: null }).cases(byDepth)).toBe(1000);
    expect(createCounts({ depth: 'full', seed: 5, cases: 7 }).cases(byDepth)).toBe(7);
  });
});
