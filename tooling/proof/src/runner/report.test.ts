import { describe, expect, test } from 'vitest';
import { describeReport, isAsExpected, type Report, summaryOf, tableOf, verdictOf } from './report.ts';

const HELD: Report = {
  id: 'F1',
  title: 'processes killed',
  engine: 'sqlite',
  seed: 7,
  control: false,
  seconds: 61,
  counts: { kills: 200, acknowledged: 5210, lost: 0 },
  broken: [],
  error: null,
};

describe('a verdict', () => {
  test.each<[string, Partial<Report>, string, boolean]>([
    ['a promise that held', {}, 'holds', true],
    [
      'a broken one',
      { broken: ['2 checks lost', 'a result changed'] },
      'BROKEN: 2 checks lost; a result changed',
      false,
    ],
    ['a control that broke the promise', { control: true, broken: ['1 lost'] }, 'broken, as it must be: 1 lost', true],
    ['a control that broke nothing', { control: true }, 'BLIND: the control broke nothing', false],
    ['a skipped run', { counts: { skipped: 'no compiler' } }, 'skipped', true],
    ['a run without an outcome', { error: 'no port' }, 'FAILED: no port', false],
    ['a control without an outcome', { control: true, error: 'no port' }, 'FAILED: no port', false],
  ])('of %s', (_, change, verdict, good) => {
    const report = { ...HELD, ...change };
    expect(verdictOf(report)).toBe(verdict);
    expect(isAsExpected(report)).toBe(good);
  });
});

test('the summary counts passed, failed and skipped runs', () => {
  const skipped = { ...HELD, counts: { skipped: 'no compiler' } };
  expect(summaryOf([HELD, HELD])).toBe('2 passed, 0 failed\n');
  expect(summaryOf([HELD, { ...HELD, broken: ['1 lost'] }, skipped])).toBe('1 passed, 1 failed, 1 skipped\n');
});

test('the description of a run has all values needed to repeat it', () => {
  expect(describeReport(HELD)).toBe(
    'F1: processes killed\n  engine sqlite, seed 7, 61 s\n  200 kills, 5,210 acknowledged, 0 lost\n  holds\n',
  );
});

test('the table escapes bars and line ends in a reason', () => {
  expect(tableOf([{ ...HELD, control: true, broken: ['a|b\n  c'] }])).toBe(
    '| campaign | engine | seed | counts | duration | verdict |\n' +
      '| --- | --- | --- | --- | --- | --- |\n' +
      '| F1 control: processes killed | sqlite | 7 | 200 kills, 5,210 acknowledged, 0 lost | 61 s | broken, as it must be: a\\|b c |\n',
  );
});
