import { expect, test } from 'vitest';
import { textOfKey } from './read-key.ts';

test('keys of two tenants never have the same text', () => {
  const pairs = [
    ['a', 'bc'],
    ['ab', 'c'],
    ['abc', ''],
    ['1 a', 'b'],
    ['a', '1 ab'],
    ['', '1 a'],
  ] as const;
  expect(new Set(pairs.map(([tenant, id]) => textOfKey(tenant, id))).size).toBe(pairs.length);
});
