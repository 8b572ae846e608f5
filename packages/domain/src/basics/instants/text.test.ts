import { expect, test } from 'vitest';
import { createInstantText } from './text.ts';

test('each instant has its own text, also after one that has none', () => {
  const textOf = createInstantText();
  expect([0, 0, 1, 0].map(textOf)).toEqual([
    '1970-01-01T00:00:00.000Z',
    '1970-01-01T00:00:00.000Z',
    '1970-01-01T00:00:00.001Z',
    '1970-01-01T00:00:00.000Z',
  ]);
  expect(() => textOf(Number.POSITIVE_INFINITY)).toThrow(RangeError);
  expect(() => textOf(Number.POSITIVE_INFINITY)).toThrow(RangeError);
  expect(textOf(0)).toBe('1970-01-01T00:00:00.000Z');
});
