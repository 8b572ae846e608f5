import type { SodViolation } from '@access-admin/client';
import { expect, test } from 'vitest';
import { type State, verifyMoment } from './verify-moment.ts';

const START_MS = Date.parse('2026-03-01T12:00:00.000Z');
const at = (ms: number) => new Date(START_MS + ms).toISOString();
const state = (begun: number, answered: number, solos: readonly string[], crowd = 0): State => ({
  begunMs: START_MS + begun,
  answeredMs: START_MS + answered,
  expected: { solos: new Set(solos), crowd },
});
const STATES = [
  state(-10, -5, []),
  state(10, 20, ['a']),
  state(30, 40, ['a', 'b'], 5),
  state(50, Number.POSITIVE_INFINITY, ['b'], 5),
];
const row = (fields: Partial<SodViolation>): SodViolation =>
  ({ id: 'v', created: at(0), modified: at(0), closed: null, lastEvaluatedDate: at(25), ...fields }) as SodViolation;
const verify = (asOf: number | null, seen: object, { before = at(-100) } = {}) =>
  verifyMoment(
    { operation: 'list', asOf: asOf === null ? null : at(asOf), violations: [], ...seen },
    { states: STATES, before },
  );

test.each([
  ['before a change began', 9, { solos: [] }],
  ['while a change is under way, without it', 15, { solos: [] }],
  ['while a change is under way, with it', 15, { solos: ['a'] }],
  ['when its answer has just come', 20, { solos: [] }],
  ['after its answer', 25, { solos: ['a'], crowd: 0, present: 1 }],
  ['of many at once', 45, { solos: ['b', 'a'], crowd: 5, present: 7 }],
  ['while a change has no answer', 1_000, { crowd: 5 }],
])('an answer is right: %s', (_, asOf, seen) => {
  expect(verify(asOf, seen)).toEqual([]);
});

test.each([
  ['a change is missing', 25, { solos: [] }, 'shows another state'],
  ['a change is too early', 9, { solos: ['a'] }, 'shows another state'],
  ['a part of a change', 45, { solos: ['a', 'b'], crowd: 3 }, 'shows what never was'],
  ['the sum is another', 45, { present: 4 }, 'shows what never was'],
  ['no moment', null, {}, 'has no moment'],
  ['a row is later', 25, { violations: [row({ modified: at(26) })] }, 'has a row'],
  ['a row is of another moment', 25, { violations: [row({ lastEvaluatedDate: at(24) })] }, 'says that v is of'],
])('an answer is found to be wrong: %s', (_, asOf, seen, text) => {
  expect(verify(asOf, seen).join()).toContain(text);
});

test('a moment that goes back is found', () => {
  expect(verify(25, { solos: ['a'] }, { before: at(26) }).join()).toContain('came after one of');
});
