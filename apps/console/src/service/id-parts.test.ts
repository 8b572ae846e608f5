import { filter } from '@access-admin/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { partsOfIds } from './id-parts.ts';

/** What the longest other parameters of these requests leave of the 2,048 bytes of an address. */
const BYTES_MAX = 1_750;
const anId = fc.oneof(
  fc.uuid(),
  fc.stringMatching(/^[A-Za-z0-9:._-]{1,128}$/),
  fc.string({ minLength: 1, maxLength: 128 }),
);

test('each id is in one part, in order, and each part fits into an address', () => {
  fc.assert(
    fc.property(fc.array(anId, { maxLength: 120 }), (ids) => {
      const parts = partsOfIds(ids);
      expect(parts.flat()).toEqual([...new Set(ids)]);
      for (const part of parts) {
        expect(part.length).toBeGreaterThan(0);
        const { length } = new URLSearchParams({ filters: filter`id in ${part}` }).toString();
        if (part.length > 1) expect(length).toBeLessThanOrEqual(BYTES_MAX);
      }
    }),
  );
});

test('short ids share a request, as many as a page of a list has', () => {
  const ids = Array.from({ length: 300 }, (_, at) => `${at}`);
  expect(partsOfIds(ids).every((part) => part.length <= 250)).toBe(true);
  expect(partsOfIds(ids.slice(0, 100))).toHaveLength(1);
  expect(partsOfIds([])).toEqual([]);
});
