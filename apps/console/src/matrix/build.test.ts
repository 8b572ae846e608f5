import type { SodPolicy } from '@access-admin/client';
import { expect, test } from 'vitest';
import { buildMatrix } from './build.ts';
import { countOf, policyOf as policyWith } from './policies-for-tests.ts';

const policyOf = (id: string, names: readonly (string | null)[], state: SodPolicy['state'] = 'ENFORCED') =>
  policyWith(
    id,
    names.map(() => []),
    { names, state },
  );

test('policies that name the same sides share a cell, whatever their order', () => {
  const policies = [
    policyOf('a', ['pay', 'order']),
    policyOf('b', ['order', 'pay']),
    policyOf('c', ['pay', 'post'], 'NOT_ENFORCED'),
  ];
  const { sides, cells } = buildMatrix(policies, { byPolicy: [countOf('a', 2), countOf('b', 3)] });
  expect(sides).toEqual(['pay', 'order']);
  expect(cells).toMatchObject([
    {
      row: 1,
      column: 0,
      open: 5,
      policies: [
        { id: 'a', open: 2 },
        { id: 'b', open: 3 },
      ],
    },
  ]);
});

test('several sides are all pairs of them, one side is a cell with itself, and sides without a name get one', () => {
  const { sides, cells } = buildMatrix(
    [policyOf('k', ['x', 'y', 'z']), policyOf('one', [null]), policyOf('two', [null, null])],
    { byPolicy: [] },
  );
  expect(sides).toEqual(['x', 'y', 'z', 'Policy one', 'Policy two (1)', 'Policy two (2)']);
  expect(cells.map(({ row, column, open }) => [row, column, open])).toEqual([
    [1, 0, 0],
    [2, 0, 0],
    [2, 1, 0],
    [3, 3, 0],
    [5, 4, 0],
  ]);
});

test('where the counts end at a thousand policies, the others have to be counted', () => {
  const policies = [policyOf('0', ['pay', 'order']), policyOf('other', ['order', 'pay'])];
  const byPolicy = (length: number) => Array.from({ length }, (_, at) => countOf(String(at), 7));
  const cellOf = (count: number) => buildMatrix(policies, { byPolicy: byPolicy(count) }).cells[0];
  expect(cellOf(1000)).toMatchObject({ open: 7, uncounted: ['other'] });
  expect(cellOf(999)).toMatchObject({ open: 7, uncounted: [] });
});
