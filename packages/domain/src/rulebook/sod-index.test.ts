import { describe, expect, test } from 'vitest';
import { catalogueOf, kOfNPolicyOf, policyOf } from '../../test/sod-world.ts';
import type { CsrRows } from '../collections/csr-rows.ts';
import { type StringTable, textAt } from '../collections/string-table.ts';
import { sideNameAt } from './k-of-n-policies.ts';
import { packSodIndex } from './pack.ts';
import { compileSodIndex, compileSodIndexInSteps } from './sod-index.ts';

const rowsOf = ({ starts, values }: CsrRows) =>
  Array.from({ length: starts.length - 1 }, (_, row) => [...values.slice(starts[row], starts[row + 1])]);

const textsOf = (texts: StringTable) => Array.from({ length: texts.starts.length - 1 }, (_, row) => textAt(texts, row));

describe('compileSodIndex', () => {
  const catalogue = catalogueOf({ entitlements: ['b', 'a', 'B'] });
  const policies = [
    policyOf('p-2', { left: ['a', 'b', 'a'], right: ['B'] }),
    policyOf('p-off', { left: ['a'], right: ['b'] }, { state: 'NOT_ENFORCED' }),
    policyOf('P-1', { left: ['b'], right: ['deleted', 'a'] }),
  ];
  const index = compileSodIndex(policies, catalogue);

  test('numbers entitlements and enforced policies in code-unit order of their ids', () => {
    expect(textsOf(index.catalogue.numbers.ids)).toEqual(['B', 'a', 'b']);
    expect(textsOf(index.compiled.ids)).toEqual(['P-1', 'p-2']);
  });

  test('keeps the sides sorted and unique, without what the catalogue lacks', () => {
    expect(rowsOf(index.compiled.sides)).toEqual([[2], [1], [1, 2], [0]]);
  });

  test('leads from each entitlement to the sides opposite its own', () => {
    expect(rowsOf(index.compiled.oppositeSides)).toEqual([[2], [0, 3], [1, 3]]);
  });

  test('has no part for k-of-n policies where there is none', () => {
    expect(index.compiled.wide).toBeNull();
  });

  test('keeps the sides of k-of-n policies apart, their pairs empty', () => {
    const mixed = [
      ...policies,
      kOfNPolicyOf('k-2', { atLeast: 3, sides: ['a', 'B', 'b deleted'] }),
      kOfNPolicyOf('k-off', { atLeast: 2, sides: ['a', 'b'] }, { state: 'NOT_ENFORCED' }),
      kOfNPolicyOf('k-1', { atLeast: 2, sides: ['n: b a b', ': a'] }),
    ];
    const { ids, sides, oppositeSides, wide } = compileSodIndex(mixed, catalogue).compiled;
    if (wide === null) throw new Error('no k-of-n policies');
    expect(textsOf(ids)).toEqual(['P-1', 'k-1', 'k-2', 'p-2']);
    expect(rowsOf(sides)).toEqual([[2], [1], [], [], [], [], [1, 2], [0]]);
    expect(rowsOf(oppositeSides)).toEqual([[6], [0, 7], [1, 7]]);
    expect([[...wide.numbers], [...wide.atLeast], [...wide.sideStarts]]).toEqual([
      [1, 2],
      [2, 3],
      [0, 2, 5],
    ]);
    expect(rowsOf(wide.sides)).toEqual([[1, 2], [1], [1], [0], [2]]);
    expect(rowsOf(wide.sidesByEntitlement)).toEqual([[3], [0, 1, 2], [0, 4]]);
    expect([...wide.places]).toEqual([0, 0, 1, 1, 1]);
    expect([0, 1, 2].map((side) => sideNameAt(wide, side))).toEqual(['n', '', null]);
    expect(wide.sideCountMax).toBe(3);
  });

  test('leaves its arguments as they are', () => {
    expect(catalogue.entitlements.map(({ id }) => id)).toEqual(['b', 'a', 'B']);
    expect(policies.map(({ id }) => id)).toEqual(['p-2', 'p-off', 'P-1']);
  });

  test('compiles in steps of bounded work to the same index, whatever the order of its arguments', () => {
    const ids = Array.from({ length: 3_000 }, (_, at) => `e-${at}`);
    const many = ids.map((id, at) => policyOf(`p-${(at * 7) % 3_000}`, { left: [id], right: ids.slice(at, at + 20) }));
    const steps = compileSodIndexInSteps(many, catalogueOf({ entitlements: ids }));
    let pauses = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) pauses++;
    // 63,000 items to look up.
    expect(pauses).toBeGreaterThan(7);
    const sorted = compileSodIndex(many.toReversed(), catalogueOf({ entitlements: ids.toSorted() }));
    expect(packSodIndex(step.value)).toEqual(packSodIndex(sorted));
  });
});
