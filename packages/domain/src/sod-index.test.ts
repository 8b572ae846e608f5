import { describe, expect, test } from 'vitest';
import { catalogueOf, policyOf } from '../test/sod-world.ts';
import { compileSodIndex, type NumberRows, takeMarks } from './sod-index.ts';

const rowsOf = ({ starts, values }: NumberRows) =>
  Array.from({ length: starts.length - 1 }, (_, row) => [...values.slice(starts[row], starts[row + 1])]);

describe('compileSodIndex', () => {
  const catalogue = catalogueOf({ entitlements: ['b', 'a', 'B'] });
  const policies = [
    policyOf('p-2', { left: ['a', 'b', 'a'], right: ['B'] }),
    policyOf('p-off', { left: ['a'], right: ['b'] }, { state: 'NOT_ENFORCED' }),
    policyOf('P-1', { left: ['b'], right: ['deleted', 'a'] }),
  ];
  const index = compileSodIndex(policies, catalogue);

  test('numbers entitlements and enforced policies in code-unit order of their ids', () => {
    expect(index.entitlements.map(({ id }) => id)).toEqual(['B', 'a', 'b']);
    expect(index.policies.map(({ id }) => id)).toEqual(['P-1', 'p-2']);
  });

  test('keeps the sides sorted and unique, without what the catalogue lacks', () => {
    expect(rowsOf(index.sides)).toEqual([[2], [1], [1, 2], [0]]);
  });

  test('leads from each entitlement to the sides opposite its own', () => {
    expect(rowsOf(index.rivals)).toEqual([[2], [0, 3], [1, 3]]);
  });

  test('leaves its arguments as they are', () => {
    expect(catalogue.entitlements.map(({ id }) => id)).toEqual(['b', 'a', 'B']);
    expect(policies.map(({ id }) => id)).toEqual(['p-2', 'p-off', 'P-1']);
  });
});

test('marks taken are never left over from earlier calls', () => {
  const { scratch } = compileSodIndex([], catalogueOf({ entitlements: ['a', 'b'] }));
  for (let call = 0; call < 1_000; call++) {
    const mark = takeMarks(scratch);
    expect(scratch.marks.every((left) => left < mark)).toBe(true);
    scratch.marks[call % 2] = mark + (call % 3 === 0 ? 1 : 0);
    expect(scratch.marks[call % 2]).toBeGreaterThanOrEqual(mark);
  }
});
