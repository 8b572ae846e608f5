import { expect, test } from 'vitest';
import { createLruMap } from './lru-map.ts';

test('keeps entries up to a weight and drops the least recently used', () => {
  const forgotten: number[] = [];
  const map = createLruMap<string, number>(2, (value) => forgotten.push(value));
  map.set('a', 1, 1);
  map.set('b', 2, 1);
  expect(map.get('a')).toBe(1);
  map.set('c', 3, 1);
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3]);
  map.set('a', 4, 1);
  map.set('d', 5, 1);
  expect([map.get('a'), map.get('c'), map.get('d')]).toEqual([4, undefined, 5]);
  expect(forgotten).toEqual([2, 3]);
  map.delete('a');
  map.set('e', 6, 1);
  expect([map.get('a'), map.get('d'), map.get('e')]).toEqual([undefined, 5, 6]);
  expect(forgotten).toEqual([2, 3]);
});

test('makes room by weight, but never drops the entry last set', () => {
  const map = createLruMap<string, number>(10, () => {});
  for (const [place, key] of ['a', 'b', 'c'].entries()) map.set(key, place, 3);
  expect(map.weight).toBe(9);
  map.set('d', 4, 5);
  expect([map.get('a'), map.get('b'), map.get('c'), map.get('d')]).toEqual([undefined, undefined, 2, 4]);
  map.set('e', 5, 100);
  expect([map.get('c'), map.get('d'), map.get('e'), map.weight]).toEqual([undefined, undefined, 5, 100]);
  map.set('e', 6, 1);
  expect([map.get('e'), map.weight]).toEqual([6, 1]);
});
