import { expect, test } from 'vitest';
import { catalogueOf } from '../../test/sod-world.ts';
import { compileSodIndex } from '../sod/index.ts';
import { givingRefs } from './search.ts';

const { catalogue } = compileSodIndex(
  [],
  catalogueOf({
    entitlements: ['e-1', 'e-2', 'e-3'],
    accessProfiles: { 'ap-1': ['e-1'], 'ap-2': ['e-2'] },
    roles: { 'r-1': { accessProfiles: ['ap-1'] }, 'r-2': { entitlements: ['e-2'] }, 'r-3': { entitlements: ['e-3'] } },
  }),
);

const idsFor = (type: 'ENTITLEMENT' | 'ACCESS_PROFILE' | 'ROLE', id: string) =>
  givingRefs(catalogue, { kind: 'hold', ref: { type, id } }).map((ref) => ref.id);

test('an item is given by itself and by what contains it', () => {
  expect(idsFor('ENTITLEMENT', 'e-1')).toEqual(['e-1', 'ap-1', 'r-1']);
  expect(idsFor('ENTITLEMENT', 'e-3')).toEqual(['e-3', 'r-3']);
  expect(idsFor('ACCESS_PROFILE', 'ap-1')).toEqual(['ap-1', 'r-1']);
  expect(idsFor('ROLE', 'r-1')).toEqual(['r-1']);
});
