import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createOrderedIds, leastOrderedId } from './ordered-ids.ts';

const START_MS = Date.parse('2026-11-21T09:30:00.000Z');

test('ids are UUIDs of version 7 in the order in which they were made', () => {
  const newOrderedId = createOrderedIds(randomUUID);
  const ids = Array.from({ length: 1000 }, (_, count) => newOrderedId(START_MS + Math.floor(count / 100)));
  expect(ids.toSorted()).toEqual(ids);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const [first = ''] = ids;
  expect([leastOrderedId(START_MS) <= first, leastOrderedId(START_MS + 1) > first]).toEqual([true, true]);
});

test('more ids than a millisecond has numbers are in order too', () => {
  const newOrderedId = createOrderedIds(randomUUID);
  const ids = Array.from({ length: 10_000 }, () => newOrderedId(START_MS));
  ids.push(newOrderedId(START_MS + 1));
  expect(ids.toSorted()).toEqual(ids);
});

test('after the clock was set back, ids have its time', () => {
  const newOrderedId = createOrderedIds(randomUUID);
  newOrderedId(START_MS + 3_600_000);
  expect(newOrderedId(START_MS) < leastOrderedId(START_MS + 1)).toBe(true);
});
