import { assert, constantFrom, date, property, tuple } from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { instant } from './fields.ts';

const DIGITS = ['', ':07', ':07.5', ':07.05', ':07.123', ':07.1239', ':07.123999999'];
const ZONES = ['Z', '+00:00', '+05:30', '-11:00'];

test('an instant is converted as `Date` does, whatever digits and offset it has', () => {
  const days = date({
    min: new Date('0001-01-02T00:00:00Z'),
    max: new Date('9998-12-30T00:00:00Z'),
    noInvalidDate: true,
  });
  assert(
    property(tuple(days, constantFrom(...DIGITS), constantFrom(...ZONES)), ([day, digits, zone]) => {
      const text = `${day.toISOString().slice(0, 16)}${digits}${zone}`;
      expect(v.parse(instant, text)).toBe(new Date(text).toISOString());
    }),
  );
});

test.each(['2026-02-30T00:00Z', '2026-01-01T24:00:00Z', '2026-01-01T23:59:60Z', '0000-01-01T00:00:00+01:00'])(
  '%s does not exist',
  (text) => {
    expect(v.safeParse(instant, text).success).toBe(false);
  },
);
