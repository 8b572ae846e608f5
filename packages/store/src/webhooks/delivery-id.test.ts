import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createDeliveryIds, leastDeliveryId } from './delivery-id.ts';

test('ids of deliveries are UUIDs of version 7 that ascend with the time', () => {
  const newDeliveryId = createDeliveryIds(randomUUID);
  const startMs = Date.parse('2026-11-21T09:30:00.000Z');
  const ids = Array.from({ length: 1000 }, (_, count) => newDeliveryId(startMs + Math.floor(count / 100)));
  expect(ids.toSorted()).toEqual(ids);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const [first = ''] = ids;
  expect([leastDeliveryId(startMs) <= first, leastDeliveryId(startMs + 1) > first]).toEqual([true, true]);
});
