import type { SodPolicy } from '@access-admin/client';
import { expect, test } from 'vitest';
import { buildMatrix } from './build.ts';

const side = (name: string | null) => ({ name, criteriaList: [] });

const policyOf = (id: string, sides: readonly (string | null)[], state: SodPolicy['state'] = 'ENFORCED'): SodPolicy => {
  const [left = null, right = null] = sides;
  const criteria = sides.map(side);
  return {
    id,
    name: `Policy ${id}`,
    description: null,
    state,
    level: 'HIGH',
    type: 'CONFLICTING_ACCESS_BASED',
    conflictingAccessCriteria:
      sides.length === 2
        ? { leftCriteria: side(left), rightCriteria: side(right) }
        : { criteria, atLeast: sides.length },
    externalPolicyReference: null,
    compensatingControls: null,
    correctionAdvice: null,
    tags: [],
    attributes: {},
    externalId: null,
    scheduled: false,
    policyQuery: null,
    creatorId: null,
    modifierId: null,
    created: '2026-11-21T09:30:00.000Z',
    modified: '2026-11-21T09:30:00.000Z',
  };
};

const countOf = (id: string, open: number) => ({
  policy: { type: 'SOD_POLICY' as const, id, name: id },
  open,
  mitigated: 0,
  oldest: null,
});

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
