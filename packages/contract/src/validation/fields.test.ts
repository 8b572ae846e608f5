import { expect, test } from 'vitest';
import { toUtc } from './fields.ts';

test.each([
  '2026-11-21T09:30:00Z',
  '2026-11-21T09:30Z',
  '2026-11-21T09:30:00.5Z',
  '2026-11-21T09:30:00.123456Z',
  '2026-11-21T23:30:00-02:00',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
])('%s is converted to UTC as Date does', (text) => {
  expect(toUtc(text)).toBe(new Date(text).toISOString());
});
