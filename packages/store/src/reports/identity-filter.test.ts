import { expect, test } from 'vitest';
import { createIdentityFilter, hashIdentityId, mayContain } from './identity-filter.ts';

const hashesOf = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, number) => hashIdentityId(`${prefix}${number}`));

test('a filter contains each of its ids, and few others', () => {
  for (const count of [0, 1, 7, 250]) {
    const own = hashesOf(count, 'i-');
    const filter = createIdentityFilter(own);
    expect(own.every((hash) => mayContain(filter, hash))).toBe(true);
    const others = hashesOf(20_000, 'i-9').filter((hash) => !own.includes(hash));
    const found = others.filter((hash) => mayContain(filter, hash)).length;
    expect(found / others.length).toBeLessThan(0.01);
  }
});

test('the hash of a part of a text is that of the part', () => {
  expect(hashIdentityId('["i-1",null,', 2, 5)).toBe(hashIdentityId('i-1'));
  expect(hashIdentityId('i-1')).not.toBe(hashIdentityId('i-2'));
});
