import { expect, test } from 'vitest';
import { createLruMap } from './lru-map.ts';

test('keeps at most so many entries and forgets those used longest ago', () => {
  const map = createLruMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  expect(map.get('a')).toBe(1);
  map.set('c', 3);
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3]);
  map.set('a', 4);
  map.set('d', 5);
  expect([map.get('a'), map.get('c'), map.get('d')]).toEqual([4, undefined, 5]);
  map.delete('a');
  map.set('e', 6);
  expect([map.get('a'), map.get('d'), map.get('e')]).toEqual([undefined, 5, 6]);
});
