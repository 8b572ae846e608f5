import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { DAYS_MAX, dayIn, endOfDay, lengthOf, writeLength } from './limits.ts';

const DAY_MS = 86_400_000;
const nowMs = new Date(2026, 10, 23, 0, 30).getTime();

test('days are those of the calendar of the person', () => {
  expect(dayIn(0, nowMs)).toBe('2026-11-23');
  expect(dayIn(8, nowMs)).toBe('2026-12-01');
});

test('a day with 25 hours shifts no choice', () => {
  const file = JSON.stringify(fileURLToPath(new URL('limits.ts', import.meta.url)));
  // Half an hour after midnight, five days before summer time ends.
  const script = `import { dayIn } from ${file}; console.log(dayIn(8, new Date(2026, 9, 20, 0, 30).getTime()));`;
  const options = ['--input-type=module', '--eval', script];
  const said = execFileSync(process.execPath, options, { env: { TZ: 'Europe/Berlin' }, encoding: 'utf8' });
  expect(said.trim()).toBe('2026-10-28');
});

test('the longest choice is not longer than the service permits', () => {
  const end = Date.parse(endOfDay(dayIn(DAYS_MAX, nowMs)) ?? '');
  expect(end - nowMs).toBeLessThanOrEqual(366 * DAY_MS);
});

test('a day ends with its last instant, and a text that is no day has no end', () => {
  expect(endOfDay('2026-11-23')).toBe(new Date(2026, 10, 23, 23, 59, 59, 999).toISOString());
  expect(endOfDay('')).toBeNull();
});

test('the time of a control is read in hours and days', () => {
  expect(lengthOf('720h')).toEqual({ count: 720, unit: 'hour' });
  expect(lengthOf('20d')).toEqual({ count: 20, unit: 'day' });
  expect(lengthOf('soon')).toBeNull();
});

test('the length of a control is written in words', () => {
  expect([writeLength('1d', 'en'), writeLength('720h', 'de'), writeLength('soon', 'en')]).toEqual([
    '1 day',
    '720 Stunden',
    'soon',
  ]);
});
