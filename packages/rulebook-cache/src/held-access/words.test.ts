import fc from 'fast-check';
import { expect, test } from 'vitest';
import { areTimed, packHeld, unpackTimed } from './words.ts';

const numbers = fc.uint32Array({ maxLength: 5, max: 2 ** 32 - 2 });
const end = fc.oneof(fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 }), fc.constantFrom(-0.5, 0));
const timed = fc.array(
  fc.record({
    startMs: fc.oneof(end, fc.constant(Number.NEGATIVE_INFINITY)),
    endMs: fc.oneof(end, fc.constant(Number.POSITIVE_INFINITY)),
    entitlements: numbers,
  }),
  { maxLength: 4 },
);

test('access with windows is decoded as it was encoded', () => {
  fc.assert(
    fc.property(numbers, timed, (held, windows) => {
      const words = packHeld({ held, timed: windows });
      expect(areTimed(words)).toBe(true);
      expect(unpackTimed(words)).toEqual({ held, timed: windows });
      // Wherever they are kept.
      const kept = new Uint32Array(words.length + 3);
      kept.set(words, 3);
      expect(unpackTimed(kept.subarray(3))).toEqual({ held, timed: windows });
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
