import { describe, expect, test } from 'vitest';
import { isDate, looksLikeDate, parseWindow } from '../src/conversion/dates.ts';

const windowOf = (start: string, end: string, forms = {}) => {
  const parsed = parseWindow(start, end, forms);
  return 'window' in parsed ? parsed.window : parsed.fault;
};

test.each([
  ['', '', {}],
  ['20260101', '99991231', { start: '2026-01-01T00:00:00.000Z' }],
  ['00000000', '31.12.2026', { end: '2027-01-01T00:00:00.000Z' }],
  ['00.00.0000', '00.00.0000', {}],
  ['0000-00-00', '0000-00-00 00:00:00', {}],
  ['1.2.2026', '31.12.2026 00:00:00', { start: '2026-02-01T00:00:00.000Z', end: '2027-01-01T00:00:00.000Z' }],
  ['2026-01-01 00:00:00.000', '2026-01-01', { start: '2026-01-01T00:00:00.000Z', end: '2026-01-02T00:00:00.000Z' }],
  ['2026-01-01T08:00:00+02:00', '', { start: '2026-01-01T06:00:00.000Z' }],
  ['', '2026-12-31T00:00:00Z', { end: '2026-12-31T00:00:00.000Z' }],
  ['', '31.12.2026 18:30', { end: '2026-12-31T18:30:00.000Z' }],
  ['20260101120000Z', '20261231235959.0Z', { start: '2026-01-01T12:00:00.000Z', end: '2026-12-31T23:59:59.000Z' }],
  // Fractions of seconds that have nines are no year.
  ['', '2025-12-31T23:59:59.9999999Z', { end: '2025-12-31T23:59:59.999Z' }],
])('the dates %j and %j are the window %j', (start, end, window) => {
  expect(windowOf(start, end)).toEqual(window);
});

test.each([
  '9999-12-31',
  '99991231',
  '31.12.9999',
  '31.12.9999 00:00:00',
  '9999-12-31T23:59:59.9999999Z',
  '9999-12-31 23:59:59',
  '99991231235959Z',
])('%s is no end, and a start all the same', (text) => {
  expect(windowOf('', text)).toEqual({});
  expect(windowOf(text, '')).toEqual({ start: expect.stringMatching(/^9999-12-31T/) });
});

test.each([
  ['9999-12-30', '9999-12-31T00:00:00.000Z'],
  ['31.12.9998', '9999-01-01T00:00:00.000Z'],
  ['9999-01-31', '9999-02-01T00:00:00.000Z'],
])('%s is an end', (text, end) => {
  expect(windowOf('', text)).toEqual({ end });
});

test.each([
  '2026-13-01',
  '31.02.2026',
  'yesterday',
  '9999',
  '31.12.26',
  '2026-01-31T25:00:00Z',
  '20260131 x',
  'n/a',
  '0.9999',
])('%j is no date', (text) => {
  expect([windowOf(text, ''), isDate(text)]).toEqual([expect.stringMatching(/^not a date: /), false]);
});

test.each([
  '2026-12-31',
  '31.12.2026 23:59',
  '12/31/2026',
  '31/12/2026',
  '31.12.26',
  '12/31/26',
  '31-12-2026',
  '2026/12/31',
  '2026.12.31 08:00',
  '31-DEC-2026',
  '31-DEC-26 11.59.59 PM',
  '31DEC2026:23:59:59',
  '2026-Dec-31',
  '31. Dezember 2026',
  '31 décembre 2026',
  '1. März 2026',
  '5. Jänner 2027',
  'Dec 31, 2026',
  'December 31st, 2026 11:59 PM',
  'Thu Dec 31 2026 23:59:59 GMT+0100',
  'Do, 31. Dez. 2026',
  '31 tháng 12, 2026',
  'ngày 31 tháng 12 năm 2026',
  'bis 31.12.2026',
  'gültig bis zum 31. Dezember 2026',
])('%j looks like a date', (text) => {
  expect(looksLikeDate(text)).toBe(true);
});

test.each([
  '',
  '0',
  '0000',
  '46387',
  '1.2.3',
  '10.0.0.1',
  '99.99.2026',
  '2026-13-32',
  '13.13.26',
  '31-XYZ-2026',
  'Room 12 2026',
  '+49 30 12 12 26',
  'DE-10-12345',
  '3 maids 2026',
  'Created on 31.12.2026 by the import of the old system',
])('%j does not look like a date', (text) => {
  expect(looksLikeDate(text)).toBe(false);
});

test.each([
  ['2026-02-01', '2026-01-31'],
  ['20260101', '31.12.2025'],
  ['2026-01-01T10:00:00Z', '2026-01-01T10:00:00Z'],
  ['9999-12-31', '2026-01-01'],
])('from %s to %s ends before it starts', (start, end) => {
  expect(windowOf(start, end)).toBe(`ends before it starts: ${start} to ${end}`);
});

describe('dates with slashes', () => {
  test('have no order but the given one', () => {
    expect(windowOf('03/04/2026', '')).toBe(
      'not a date: 03/04/2026; in a mapping, `dates: DMY` or `dates: MDY` says what comes first',
    );
    expect(windowOf('03/04/2026', '', { order: 'MDY' })).toEqual({ start: '2026-03-04T00:00:00.000Z' });
    expect(windowOf('03/04/2026', '12/31/9999', { order: 'DMY' })).toMatch(/^not a date: 12\/31\/9999/);
    expect(windowOf('', '12/31/9999 00:00:00', { order: 'MDY' })).toEqual({});
  });
});

test('an end whose day is excluded is that midnight', () => {
  expect(windowOf('', '31.12.2026', { endExcluded: true })).toEqual({ end: '2026-12-31T00:00:00.000Z' });
});
