import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ACCESS_REFS_MAX, METADATA_KEYS_MAX } from '../limits.ts';
import { identityWithNewAccess, identityWithNewAccessSchema } from '../schemas/predictions.ts';
import { validate } from '../validation/validate.ts';
import { parseNewAccess } from './parse.ts';

const RUNS = 3_000;

const digits = (length: number, max: number) =>
  fc.integer({ min: 0, max }).map((number) => String(number).padStart(length, '0'));

/** Instants near every rule: days that do not exist, leap years, seconds left out, fractions, offsets. */
const written = fc
  .record({
    date: fc.oneof(
      fc.tuple(fc.constantFrom('2024', '2023', '1900', '2000', '0000', '9999', '2026'), digits(2, 13), digits(2, 32)),
      fc.tuple(fc.constantFrom('2024', '2023', '1900', '2000'), fc.constant('02'), fc.constantFrom('28', '29', '30')),
    ),
    time: fc.tuple(digits(2, 25), digits(2, 61), fc.option(digits(2, 61), { nil: undefined })),
    fraction: fc.constantFrom('', '.5', '.123', '.000', '.123456', '.123456789', '.1234567890'),
    offset: fc.constantFrom('Z', 'Z', 'Z', '+02:00', '-23:59', '+24:00', '', 'z'),
  })
  .map(
    ({ date, time: [hour, minute, second], fraction, offset }) =>
      `${date.join('-')}T${hour}:${minute}${second === undefined ? '' : `:${second}${fraction}`}${offset}`,
  );
const legalInstant = fc.oneof(
  fc
    .date({ min: new Date(0), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
    .map((at) => at.toISOString()),
  fc.constantFrom(
    '2026-11-22T10:00:00Z',
    '2026-11-22T10:00:00.000Z',
    '2026-11-22T12:00:00+02:00',
    '2026-11-22T10:00:00.000001Z',
    '2026-11-22T10:00Z',
  ),
);
const instant = fc.oneof({ weight: 12, arbitrary: legalInstant }, written, fc.constantFrom('', 'today', null, 5));
const text = fc.oneof(
  { weight: 20, arbitrary: fc.string({ minLength: 1, maxLength: 9 }) },
  fc.constantFrom('', 'x'.repeat(256), 'x'.repeat(257), '𝄞'.repeat(256), '𝄞'.repeat(257), 'x'.repeat(513)),
);
const anything = fc.oneof(text, fc.constantFrom(null, 1, true, [], {}, ['x']));

const ref = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.record(
      {
        type: fc.oneof({ weight: 20, arbitrary: fc.constantFrom('ENTITLEMENT', 'ROLE', 'ACCESS_PROFILE') }, anything),
        id: fc.oneof({ weight: 20, arbitrary: fc.string({ minLength: 1 }) }, anything),
        name: fc.oneof({ weight: 20, arbitrary: text }, anything),
        start: instant,
        end: instant,
      },
      { requiredKeys: ['type', 'id'] },
    ),
  },
  fc.dictionary(fc.constantFrom('type', 'id', 'nam', '__proto__', 'constructor'), anything),
  anything,
);
const metadata = fc.oneof(
  { weight: 4, arbitrary: fc.dictionary(fc.string({ minLength: 1, maxLength: 5 }), text) },
  fc.dictionary(fc.constantFrom('', '__proto__', 'constructor', 'k'.repeat(64), 'k'.repeat(65), '𝄞'.repeat(64)), text),
  fc.dictionary(fc.string(), anything),
  fc.constant(Object.fromEntries(Array.from({ length: METADATA_KEYS_MAX }, (_, key) => [`${key}`, '']))),
  fc.constant(Object.fromEntries(Array.from({ length: METADATA_KEYS_MAX + 1 }, (_, key) => [`${key}`, '']))),
  anything,
);
const many = (length: number) => fc.constant(Array.from({ length }, () => ({ type: 'ROLE', id: 'r' })));
const document = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record(
      {
        identityId: fc.oneof({ weight: 20, arbitrary: fc.string({ minLength: 1 }) }, anything),
        accessRefs: fc.oneof(
          { weight: 30, arbitrary: fc.array(ref, { maxLength: 4 }) },
          many(ACCESS_REFS_MAX),
          many(ACCESS_REFS_MAX + 1),
          anything,
        ),
        clientMetadata: metadata,
        at: instant,
      },
      { requiredKeys: ['identityId', 'accessRefs'] },
    ),
  },
  fc.dictionary(fc.constantFrom('identityId', 'accessRefs', 'extra', '__proto__'), fc.oneof(fc.array(ref), anything)),
  fc.array(ref),
  anything,
);
/** As it arrives: parsed from JSON, so that `__proto__` is a property like any other. */
const sent = document.map((value) => JSON.parse(JSON.stringify(value)));

test('a parsed request equals the output of the schema, and an illegal one fails with the issues of the schema', () => {
  let parsed = 0;
  fc.assert(
    fc.property(sent, (value) => {
      const expected = validate(identityWithNewAccessSchema, value);
      expect(validate(identityWithNewAccess, value)).toEqual(expected);
      const taken = parseNewAccess(value);
      if (taken !== null) expect({ ok: true, value: taken }).toEqual(expected);
      parsed += taken === null ? 0 : 1;
    }),
    { numRuns: RUNS },
  );
  expect(parsed).toBeGreaterThan(RUNS / 20);
});

const legalRef = fc.record(
  {
    type: fc.constantFrom('ENTITLEMENT', 'ROLE', 'ACCESS_PROFILE'),
    id: fc.string({ minLength: 1 }),
    name: fc.option(fc.string({ maxLength: 20 })),
    window: fc.tuple(fc.option(legalInstant), fc.option(legalInstant)),
  },
  { requiredKeys: ['type', 'id'] },
);

test('no legal shape falls back to the schema', () => {
  const legal = fc.record(
    {
      identityId: fc.string({ minLength: 1 }),
      accessRefs: fc.array(
        legalRef.map(({ window, ...plain }) => {
          if (window === undefined) return plain;
          const [first, second] = window;
          const [start, end] =
            first !== null && second !== null && Date.parse(first) >= Date.parse(second) ? [second, null] : window;
          return { ...plain, start, end };
        }),
      ),
      clientMetadata: fc.option(fc.dictionary(fc.string({ minLength: 1, maxLength: 9 }), fc.string())),
      at: fc.option(legalInstant),
    },
    { requiredKeys: ['identityId', 'accessRefs'] },
  );
  fc.assert(
    fc.property(legal, (value) => {
      expect(parseNewAccess(value)).not.toBeNull();
    }),
    { numRuns: RUNS },
  );
});
