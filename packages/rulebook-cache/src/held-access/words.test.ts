import { compileSodIndex, type NumberedRef, withEntitlements } from '@access-admin/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { areTimed, packHeld, unpackTimed } from './words.ts';

const numbers = fc.uint32Array({ maxLength: 5, max: 2 ** 32 - 2 });
const end = fc.oneof(fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 }), fc.constantFrom(-0.5, 0));
const window = fc.record({
  startMs: fc.oneof(end, fc.constant(Number.NEGATIVE_INFINITY)),
  endMs: fc.oneof(end, fc.constant(Number.POSITIVE_INFINITY)),
});
const windows = fc.array(window, { minLength: 1, maxLength: 4 });
const index = compileSodIndex([], {
  entitlements: ['a', 'b', 'c'].map((id) => ({ id, name: id, source: null })),
  accessProfiles: ['ap', 'bp'].map((id) => ({ id, name: id, entitlements: ['a', 'c'] })),
  roles: [{ id: 'r', name: 'r', accessProfiles: ['bp'], entitlements: ['b'] }],
});
const ref = fc.constantFrom(
  ...([0, 1, 2].map((number) => ({ type: 'ENTITLEMENT', number })) satisfies readonly NumberedRef[]),
  ...([0, 1].map((number) => ({ type: 'ACCESS_PROFILE', number })) satisfies readonly NumberedRef[]),
  ...([{ type: 'ROLE', number: 0 }] satisfies readonly NumberedRef[]),
);
const timed = fc.array(
  fc.tuple(ref, windows).map(([numbered, its]) => withEntitlements(index.catalogue, { ...numbered, windows: its })),
  { maxLength: 4 },
);

test('access with windows is decoded as it was encoded', () => {
  fc.assert(
    fc.property(numbers, timed, (held, its) => {
      const words = packHeld({ held, timed: its });
      expect(areTimed(words)).toBe(true);
      expect(unpackTimed(words, index)).toEqual({ held, timed: its });
      // Wherever they are kept.
      const kept = new Uint32Array(words.length + 3);
      kept.set(words, 3);
      expect(unpackTimed(kept.subarray(3), index)).toEqual({ held, timed: its });
    }),
  );
});

test('access without windows is its held set, unchanged', () => {
  fc.assert(
    fc.property(numbers, (held) => {
      expect(packHeld({ held, timed: null })).toBe(held);
      expect(areTimed(held)).toBe(false);
    }),
  );
});
