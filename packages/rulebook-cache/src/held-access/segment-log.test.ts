import { expect, test } from 'vitest';
import { createSegmentLog } from './segment-log.ts';

test('drops its oldest segment whole, with the ids of its entries in order', () => {
  const log = createSegmentLog(4);
  const places = ['a', 'b', 'c', 'd'].map((id) => log.append(id, 2));
  expect(places).toEqual([0, 2, 4, 6]);
  for (const [number, place] of places.entries())
    log.wordsAt(place).fill(number, log.offset(place), log.offset(place) + 2);
  const before = log.bytes;
  const oldest = log.takeOldest();
  expect(oldest).toEqual({ words: Uint32Array.of(0, 0, 1, 1), place: 0, ids: ['a', 'b'] });
  expect(log.bytes).toBe(before / 2);
  // Its slot is used again, its words are not.
  expect(log.append('e', 3)).toBe(0);
  log.wordsAt(0).fill(9);
  expect(oldest.words).toEqual(Uint32Array.of(0, 0, 1, 1));
  expect(log.takeOldest()).toMatchObject({ place: 4, ids: ['c', 'd'] });
  expect(log.takeOldest()).toMatchObject({ place: 0, ids: ['e'] });
  expect(log.bytes).toBe(0);
  expect(log.takeOldest()).toMatchObject({ ids: [] });
});

test('an entry longer than a segment has its own segment', () => {
  const log = createSegmentLog(4);
  const places = [log.append('a', 1), log.append('long', 10), log.append('b', 1)];
  expect(places).toEqual([0, 4, 8]);
  expect(places.map((place) => log.wordsAt(place).length)).toEqual([4, 10, 4]);
  expect(log.segmentBytes(1)).toBe(16);
  expect(log.segmentBytes(10)).toBe(40);
});
