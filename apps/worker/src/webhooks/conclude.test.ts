import type { DueDelivery } from '@access-admin/store';
import { describe, expect, test } from 'vitest';
import { concludeAttempt, healthAfter } from './conclude.ts';

const START = Date.parse('2026-11-21T09:30:00.000Z');
const DAY_MS = 86_400_000;
const DELIVERY: DueDelivery = {
  id: 'd-1',
  eventId: 'e-1',
  sequence: 7,
  type: 'sod.check.completed',
  created: '2026-11-21T09:30:00.000Z',
  failures: 0,
  attempts: [],
  body: null,
};
const ended = (status: number | null, retryAfter: string | null = null) => ({
  answer: { status, retryAfter, error: status === null ? 'gone' : null },
  startedMs: START,
  endedMs: START + 20,
  random: 0,
});

describe('an attempt', () => {
  test('succeeds with 2xx', () => {
    for (const status of [200, 201, 204, 299])
      expect(concludeAttempt(DELIVERY, ended(status))).toMatchObject({
        state: 'SUCCEEDED',
        nextMs: null,
        failures: 0,
        attempts: [{ time: '2026-11-21T09:30:00.000Z', status, duration: 20, error: null }],
      });
  });

  test('is repeated after anything else, and fails for good after the tenth', () => {
    let delivery = DELIVERY;
    for (const status of [500, 301, 404, null, 199, 429, 400, 503, 300]) {
      const concluded = concludeAttempt(delivery, ended(status));
      expect(concluded.state).toBe('PENDING');
      delivery = concluded;
    }
    expect(concludeAttempt(delivery, ended(500))).toMatchObject({ state: 'FAILED', nextMs: null, failures: 10 });
  });

  test('waits as long as Retry-After says', () => {
    expect(concludeAttempt(DELIVERY, ended(503, '60')).nextMs).toBe(START + 20 + 60_000);
    expect(concludeAttempt(DELIVERY, ended(503)).nextMs).toBe(START + 20 + 5_000);
  });

  test('is the last with 410, and of a test', () => {
    expect(concludeAttempt(DELIVERY, ended(410)).state).toBe('FAILED');
    expect(concludeAttempt({ ...DELIVERY, type: 'webhook.test' }, ended(500)).state).toBe('FAILED');
  });

  test('is shown among the last twenty', () => {
    const attempts = Array.from({ length: 20 }, () => ({ time: 'earlier', status: 500, duration: 1, error: null }));
    const shown = concludeAttempt({ ...DELIVERY, attempts }, ended(200)).attempts;
    expect([shown.length, shown.at(-1)?.status]).toEqual([20, 200]);
  });
});

describe('a webhook', () => {
  const HEALTHY = { failingSinceMs: null, failures: 0, isDisabled: false };
  test('is disabled by 410 at once', () => {
    expect(healthAfter(HEALTHY, ended(410))).toEqual({ failingSinceMs: START, failures: 1, isDisabled: true });
  });

  test('is disabled when all attempts of five days have failed', () => {
    const since = (days: number, failures = 9) => ({
      failingSinceMs: START - days * DAY_MS,
      failures,
      isDisabled: false,
    });
    expect(healthAfter(HEALTHY, ended(500))).toEqual({ failingSinceMs: START, failures: 1, isDisabled: false });
    expect(healthAfter(since(4.9), ended(500)).isDisabled).toBe(false);
    expect(healthAfter(since(5), ended(null)).isDisabled).toBe(true);
    expect(healthAfter(since(5), ended(200))).toEqual(HEALTHY);
  });

  test('is not disabled by a clock that jumps: ten attempts must have failed', () => {
    const before = healthAfter(HEALTHY, ended(500));
    const jumped = { ...ended(500), endedMs: START + 400 * DAY_MS };
    expect(healthAfter(before, jumped)).toEqual({ failingSinceMs: START, failures: 2, isDisabled: false });
    expect(healthAfter({ ...before, failures: 9 }, jumped).isDisabled).toBe(true);
  });
});
