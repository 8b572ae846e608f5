import { compileSodIndex, expandAssignments } from '@access-admin/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHeldAccessCache } from './held-access.ts';

const { catalogue } = compileSodIndex([], { entitlements: [], accessProfiles: [], roles: [] });
const numbers = (...held: readonly number[]) => Uint32Array.from(held);
const always = (...held: readonly number[]) => ({ held: numbers(...held), timed: null });
const holder = (identityId: string, revision: number, catalogueId = 1) => ({ catalogueId, identityId, revision });

test('access is known by catalogue, identity and revision', () => {
  const cache = createHeldAccessCache(1_000_000);
  cache.set(holder('i-1', 1), always(3, 5));
  cache.set(holder('i-2', 2 ** 32 + 1), always());
  expect(cache.get(holder('i-1', 1), catalogue)).toEqual(always(3, 5));
  expect(cache.get(holder('i-2', 2 ** 32 + 1), catalogue)).toEqual(always());
  for (const other of [holder('i-1', 2), holder('i-1', 1, 2), holder('i-2', 1), holder('i-3', 1)])
    expect(cache.get(other, catalogue)).toBeNull();
  cache.set(holder('i-1', 2), always(7));
  expect(cache.get(holder('i-1', 1), catalogue)).toBeNull();
  expect(cache.get(holder('i-1', 2), catalogue)).toEqual(always(7));
  cache.delete(holder('i-1', 2));
  expect(cache.get(holder('i-1', 2), catalogue)).toBeNull();
});

test('access that was read stays longer than other access', () => {
  const cache = createHeldAccessCache(64 * 1_024);
  cache.set(holder('used', 1), always(1, 2, 3));
  for (let round = 0; round < 10_000; round++) {
    expect(cache.get(holder('used', 1), catalogue)).not.toBeNull();
    cache.set(holder(`i-${round}`, 1), { held: new Uint32Array(50), timed: null });
  }
  expect(cache.get(holder('i-0', 1), catalogue)).toBeNull();
  expect(cache.get(holder('i-9999', 1), catalogue)?.held).toEqual(new Uint32Array(50));
});

test('what is larger than the cache is not kept', () => {
  const cache = createHeldAccessCache(2_000);
  cache.set(holder('small', 1), always(1));
  cache.set(holder('large', 1), { held: new Uint32Array(1_000), timed: null });
  expect(cache.get(holder('large', 1), catalogue)).toBeNull();
  expect(cache.get(holder('small', 1), catalogue)).toEqual(always(1));
  const none = createHeldAccessCache(0);
  none.set(holder('small', 1), always(1));
  expect(none.get(holder('small', 1), catalogue)).toBeNull();
});

test('access in windows is as it was, with the entitlements of its catalogue', () => {
  const index = compileSodIndex([], {
    entitlements: ['a', 'b', 'c'].map((id) => ({ id, name: id, source: null })),
    accessProfiles: ['ap', 'bp'].map((id) => ({ id, name: id, entitlements: ['a', 'c'] })),
    roles: [{ id: 'r', name: 'r', accessProfiles: ['bp'], entitlements: ['b'] }],
  });
  const day = fc.integer({ min: 1, max: 28 }).map((number) => `2027-01-${String(number).padStart(2, '0')}T00:00:00Z`);
  const assignment = fc.record(
    {
      ref: fc.constantFrom(
        { type: 'ENTITLEMENT', id: 'a' } as const,
        { type: 'ENTITLEMENT', id: 'b' } as const,
        { type: 'ACCESS_PROFILE', id: 'ap' } as const,
        { type: 'ROLE', id: 'r' } as const,
      ),
      start: day,
      end: day,
    },
    { requiredKeys: ['ref'] },
  );
  fc.assert(
    fc.property(fc.array(assignment, { maxLength: 6 }), (assignments) => {
      const access = expandAssignments(
        index,
        assignments.map(({ ref, ...window }) => ({ ...ref, ...window })),
      );
      const cache = createHeldAccessCache(1_000_000);
      cache.set(holder('i-1', 1), access);
      expect(cache.get(holder('i-1', 1), index.catalogue)).toEqual(access);
    }),
  );
});
