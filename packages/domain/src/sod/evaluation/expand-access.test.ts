import { describe, expect, test } from 'vitest';
import { accessProfile, catalogueOf, entitlement, role } from '../../../test/sod-world.ts';
import { entitlementAt } from '../rulebook/catalogue.ts';
import { compileSodIndex } from '../rulebook/sod-index.ts';
import { expandAccess } from './access.ts';

const index = compileSodIndex(
  [],
  catalogueOf({
    entitlements: ['b', 'a', 'C', 'd'],
    accessProfiles: { 'ap-1': ['d', 'b', 'd'], 'ap-2': ['a'], same: [] },
    roles: { 'r-1': { accessProfiles: ['ap-1', 'ap-2'], entitlements: ['C', 'b'] }, same: { entitlements: ['a'] } },
  }),
);

describe('expandAccess', () => {
  test.each([
    ['nothing', [], []],
    ['an entitlement', [entitlement('b')], ['b']],
    [
      'entitlements in the order of their ids, once',
      [entitlement('b'), entitlement('C'), entitlement('b')],
      ['C', 'b'],
    ],
    ['an access profile', [accessProfile('ap-1')], ['b', 'd']],
    ['a role, directly and through access profiles', [role('r-1')], ['C', 'a', 'b', 'd']],
    ['refs that overlap', [accessProfile('ap-1'), entitlement('d'), accessProfile('ap-2')], ['a', 'b', 'd']],
    ['the kind that is named where two share an id', [role('same'), accessProfile('same')], ['a']],
  ])('expands %s', (_, refs, ids) => {
    const { entitlements, unresolved } = expandAccess(index, refs);
    expect([...entitlements].map((number) => entitlementAt(index.catalogue, number).id)).toEqual(ids);
    expect(unresolved).toEqual([]);
  });

  test('names each unknown ref once, in the order given, and expands the others', () => {
    const refs = [role('x'), entitlement('ap-1'), entitlement('a'), accessProfile('x'), role('x'), entitlement('r-1')];
    const { entitlements, unresolved } = expandAccess(index, refs);
    expect([...entitlements]).toEqual([1]);
    expect(unresolved).toEqual([role('x'), entitlement('ap-1'), accessProfile('x'), entitlement('r-1')]);
  });

  test.each(['constructor', '__proto__', 'toString'])('does not take %s for known', (id) => {
    expect(expandAccess(index, [entitlement(id), accessProfile(id), role(id)]).unresolved).toHaveLength(3);
  });
});
