import { describe, expect, test } from 'vitest';
import { catalogueOf, kOfNPolicyOf, policyOf } from '../../../test/sod-world.ts';
import { byId } from '../../access/model/sort-by-id.ts';
import type { Rows } from '../collections/rows.ts';
import { createCatalogueCompiler } from './catalogue.ts';
import { createPolicyCompiler, sideNamesAt } from './policy-table.ts';
import { compileSodIndex, createSodIndex } from './sod-index.ts';

const rowsOf = ({ starts, values }: Rows) =>
  Array.from({ length: starts.length - 1 }, (_, row) => [...values.slice(starts[row], starts[row + 1])]);

const idsOf = (all: readonly { readonly id: string }[]) => all.map(({ id }) => id);

describe('compileSodIndex', () => {
  const catalogue = catalogueOf({ entitlements: ['b', 'a', 'B'] });
  const policies = [
    policyOf('p-2', { left: ['a', 'b', 'a'], right: ['B'] }),
    policyOf('p-off', { left: ['a'], right: ['b'] }, { state: 'NOT_ENFORCED' }),
    policyOf('P-1', { left: ['b'], right: ['deleted', 'a'] }),
  ];
  const index = compileSodIndex(policies, catalogue);

  test('numbers entitlements and enforced policies in code-unit order of their ids', () => {
    expect(idsOf(index.catalogue.entitlements)).toEqual(['B', 'a', 'b']);
    expect(idsOf(index.compiled.policies)).toEqual(['P-1', 'p-2']);
  });

  test('keeps the sides sorted and unique, without what the catalogue lacks', () => {
    expect(rowsOf(index.compiled.sides)).toEqual([[2], [1], [1, 2], [0]]);
  });

  test('leads from each entitlement to the sides opposite its own, times two', () => {
    expect(rowsOf(index.compiled.entries)).toEqual([[4], [0, 6], [2, 6]]);
  });

  test('has k-of-n policies among the two-sided ones, and leads to them as a whole', () => {
    const mixed = [
      ...policies,
      kOfNPolicyOf('k-2', { atLeast: 3, sides: ['a', 'B', 'b deleted'] }),
      kOfNPolicyOf('k-off', { atLeast: 2, sides: ['a', 'b'] }, { state: 'NOT_ENFORCED' }),
      kOfNPolicyOf('k-1', { atLeast: 2, sides: ['n: b a b', ': a'] }),
    ];
    const table = compileSodIndex(mixed, catalogue).compiled;
    expect(idsOf(table.policies)).toEqual(['P-1', 'k-1', 'k-2', 'p-2']);
    expect([...table.atLeast]).toEqual([2, 2, 3, 2]);
    expect([...table.kOfN]).toEqual([0, 1, 1, 0]);
    expect([...table.sideStarts]).toEqual([0, 2, 4, 7, 9]);
    expect([...table.policyBySide]).toEqual([0, 0, 1, 1, 2, 2, 2, 3, 3]);
    expect(rowsOf(table.sides)).toEqual([[2], [1], [1, 2], [1], [1], [0], [2], [1, 2], [0]]);
    // `k-1` is violated on both of two sides, so it is a pair; `k-2` is policy 2.
    expect(rowsOf(table.entries)).toEqual([
      [5, 14],
      [0, 6, 4, 5, 16],
      [2, 6, 5, 16],
    ]);
    expect([0, 1].map((number) => sideNamesAt({ table, number }))).toEqual([
      [null, null],
      ['n', ''],
    ]);
  });

  test('does not change its arguments', () => {
    expect(catalogue.entitlements.map(({ id }) => id)).toEqual(['b', 'a', 'B']);
    expect(policies.map(({ id }) => id)).toEqual(['p-2', 'p-off', 'P-1']);
  });

  test('compiles in parts to the same index, whatever the order of its arguments', () => {
    const ids = Array.from({ length: 300 }, (_, at) => `e-${at}`).sort();
    const many = ids.map((id, at) => policyOf(`p-${at}`, { left: [id], right: ids.slice(at, at + 20) })).sort(byId);
    const { entitlements, accessProfiles, roles } = catalogueOf({
      entitlements: ids,
      accessProfiles: { 'ap-1': ids.slice(0, 3), 'ap-2': ['e-7', 'deleted'] },
      roles: {
        'r-1': { accessProfiles: ['ap-2'], entitlements: ['e-9'] },
        'r-2': { accessProfiles: ['ap-1', 'ap-2'] },
      },
    });
    const parts = createCatalogueCompiler();
    for (const each of entitlements) parts.addEntitlements([each]);
    for (const each of accessProfiles) parts.addAccessProfiles([each]);
    for (const each of roles) parts.addRoles([each]);
    const compiled = parts.finish();
    const compiler = createPolicyCompiler(compiled);
    for (const each of many) compiler.add([each]);
    const reversed = {
      entitlements: entitlements.toReversed(),
      accessProfiles: accessProfiles.toReversed(),
      roles: roles.toReversed(),
    };
    expect(createSodIndex(compiled, compiler.finish())).toEqual(compileSodIndex(many.toReversed(), reversed));
  });
});
