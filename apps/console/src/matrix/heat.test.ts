import { expect, test } from 'vitest';
import { buildHeat, namedEntitlements } from './heat.ts';
import { countOf, policyOf } from './policies-for-tests.ts';

const systemOf = (id: string) => id.split(':')[0] ?? '';

test('two systems share one cell, in whatever order a policy names them, and a policy counts once in it', () => {
  const policies = [
    policyOf('a', [['erp:pay', 'erp:post'], ['bank:release']]),
    policyOf('b', [['bank:approve'], ['erp:pay']]),
    policyOf('c', [['erp:pay'], ['erp:post']]),
    policyOf('d', [['hr:hire'], ['erp:pay']], { state: 'NOT_ENFORCED' }),
  ];
  const heat = buildHeat(policies, { byPolicy: [countOf('a', 2), countOf('b', 3)] }, { rows: 'system', systemOf });
  expect(heat.rows).toEqual(['bank', 'erp']);
  expect(heat.columns).toEqual(['bank', 'erp']);
  const told = heat.cells.map(({ row, column, open, policies: own }) => [row, column, open, own.map(({ id }) => id)]);
  expect(told).toEqual([
    ['erp', 'bank', 5, ['a', 'b']],
    ['erp', 'erp', 0, ['c']],
  ]);
});

test('some of several sides are all pairs of them, and a rule of one side is about its systems alone', () => {
  const policies = [policyOf('k', [['a:1'], ['b:1'], ['c:1']]), policyOf('one', [['a:1', 'c:2']])];
  const { cells } = buildHeat(policies, { byPolicy: [] }, { rows: 'system', systemOf });
  expect(cells.map(({ row, column }) => [row, column])).toEqual([
    ['b', 'a'],
    ['c', 'a'],
    ['c', 'b'],
    ['a', 'a'],
    ['c', 'c'],
  ]);
});

test('a tag has a cell with each system that its policies name', () => {
  const policies = [policyOf('a', [['erp:pay'], ['bank:release']], { tags: ['sox', 'cash'] })];
  const heat = buildHeat(policies, { byPolicy: [countOf('a', 4)] }, { rows: 'tag', systemOf });
  expect(heat.rows).toEqual(['cash', 'sox']);
  expect(heat.columns).toEqual(['bank', 'erp']);
  expect(heat.cells.map(({ open }) => open)).toEqual([4, 4, 4, 4]);
  expect(namedEntitlements(policies)).toEqual(['bank:release', 'erp:pay']);
});
