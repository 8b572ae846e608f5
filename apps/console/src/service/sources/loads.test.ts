import { expect, test } from 'vitest';
import { endsMs, isToConfirm } from './loads.ts';

test('a load that was refused for what it deletes can be confirmed for a day', () => {
  const created = '2026-11-28T12:00:00.000Z';
  const completed = '2026-11-29T12:00:00.000Z';
  const day = Date.parse('2026-11-30T12:00:00.000Z');
  const refused = { reason: 'DELETES_ABOVE_THRESHOLD', created, completed } as const;
  expect(isToConfirm(refused, day - 1)).toBe(true);
  expect(isToConfirm(refused, day)).toBe(false);
  expect(isToConfirm({ ...refused, reason: 'FAULTS' }, day - 1)).toBe(false);
});

test('a load takes parts for a day', () => {
  const created = '2026-11-29T12:00:00.000Z';
  expect(endsMs({ created, completed: null })).toBe(Date.parse('2026-11-30T12:00:00.000Z'));
});
