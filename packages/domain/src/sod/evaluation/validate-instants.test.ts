import { expect, test } from 'vitest';
import type { TimedAccessRef } from '../../access/model/records.ts';
import { EXPLAINED_INSTANTS_MAX, validateInstants } from './question.ts';

const NOW = Date.parse('2026-01-01T00:00:00.000Z');
const at = (days: number) => new Date(NOW + days * 86_400_000).toISOString();
const ref = (window: Partial<TimedAccessRef>): TimedAccessRef => ({ type: 'ROLE', id: 'r', ...window });
const window = (start: number, end: number) => ref({ start: at(start), end: at(end) });
const held = (start: number, end: number) => ({
  type: 'ENTITLEMENT' as const,
  number: 0,
  entitlements: [0],
  windows: [{ startMs: NOW + start * 86_400_000, endMs: NOW + end * 86_400_000 }],
});
const validate = (accessRefs: readonly TimedAccessRef[], timed: readonly ReturnType<typeof held>[] = [], when = {}) =>
  validateInstants(timed, { accessRefs, nowMs: NOW, ...when }, ['via', 'remediation']);

/** Windows with this many distinct starts and ends, two each. */
const windows = (count: number) =>
  Array.from({ length: count / 2 }, (_, number) => window(1 + number * 2, 2 + number * 2));

test('64 distinct starts and ends are explained, requested and held ones together', () => {
  expect(validate(windows(64)).ok).toBe(true);
  expect(validate([...windows(64), ref({})]).ok).toBe(true);
  expect(validate(windows(62), [held(1_000, 1_001)]).ok).toBe(true);
  expect(validate(windows(62), [held(1_000, Number.POSITIVE_INFINITY), held(1_000, 2_000)]).ok).toBe(true);
});

test.each([
  ['requested ones', validate([...windows(64), ref({ start: at(900) })])],
  [
    'held ones',
    validate(
      [],
      [...windows(64), window(901, 902)].map((_, number) => held(1 + number * 2, 2 + number * 2)),
    ),
  ],
  ['both', validate(windows(64), [held(1_000, 1_001)])],
])('more are refused, and the failure names what to drop: %s', (_, outcome) => {
  expect(outcome).toMatchObject({ ok: false, failure: { type: 'LimitExceeded', causes: [{ at: 'include' }] } });
  const text = outcome.ok ? '' : outcome.failure.causes[0]?.text;
  expect(text).toMatch(/at most 64 .* here are 6[56]: drop via and remediation/);
});

test('only instants from now on count, each once', () => {
  const same = Array.from({ length: 500 }, () => window(1, 2));
  const past = Array.from({ length: 500 }, (_, number) => window(-2_000 + number, -1_000 + number));
  const begun = Array.from({ length: 500 }, (_, number) => ref({ start: at(-number) }));
  const never = Array.from({ length: 500 }, (_, number) => window(10 + number, 10 + number));
  expect(validate([...windows(64), ...same, ...past, ...begun, ...never]).ok).toBe(true);
  const ending = Array.from({ length: 65 }, (_, number) => ref({ start: at(-number), end: at(number + 1) }));
  expect(validate(ending).ok).toBe(false);
});

test('any number is permitted at one instant, and without optional parts', () => {
  expect(validate(windows(500), [], { at: at(3) }).ok).toBe(true);
  expect(validateInstants(null, { accessRefs: windows(500), nowMs: NOW }, []).ok).toBe(true);
});

test('the limit is 64', () => {
  expect(EXPLAINED_INSTANTS_MAX).toBe(64);
});
