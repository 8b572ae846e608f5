import { describe, expect, test } from 'vitest';
import { createLimitRate } from './limit-rate.ts';

function open(requests: number, windowSeconds: number) {
  const clock = { nowMs: 0 };
  const limitRate = createLimitRate({ requests, windowSeconds }, () => clock.nowMs);
  const ask = (clientId = 'a', tenant = 't') => {
    const limited = limitRate?.({ tenant, clientId });
    return limited?.ok ? 'ok' : limited?.failure.retryAfterSeconds;
  };
  return { clock, ask };
}

describe('the rate limit', () => {
  test('is off if not configured', () => {
    expect(createLimitRate(null, () => 0)).toBeNull();
  });

  test('begins a window with the first request, and the next one after its end', () => {
    const { clock, ask } = open(2, 10);
    clock.nowMs = 3_000;
    expect([ask(), ask(), ask()]).toEqual(['ok', 'ok', 10]);
    clock.nowMs = 12_999;
    expect(ask()).toBe(1);
    clock.nowMs = 13_000;
    expect([ask(), ask(), ask()]).toEqual(['ok', 'ok', 10]);
  });

  test('names the seconds until the window ends, rounded up, one at least', () => {
    const { clock, ask } = open(1, 10);
    ask();
    const waits = [1, 1_000, 4_500, 9_000, 9_999].map((nowMs) => {
      clock.nowMs = nowMs;
      return ask();
    });
    expect(waits).toEqual([10, 9, 6, 1, 1]);
  });

  test('counts each client of each tenant separately', () => {
    const { clock, ask } = open(1, 10);
    expect([ask('a'), ask('b'), ask('a', 'u'), ask('a'), ask('b')]).toEqual(['ok', 'ok', 'ok', 10, 10]);
    clock.nowMs = 5_000;
    expect(ask('c')).toBe('ok');
    clock.nowMs = 10_000;
    expect([ask('a'), ask('c')]).toEqual(['ok', 5]);
  });
});
