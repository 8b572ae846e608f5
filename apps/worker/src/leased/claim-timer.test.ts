import { expect, test } from 'vitest';
import { createClaimTimer } from './claim-timer.ts';

const IDLE_MS = 500;

/** A timer of a claim that has just ended. */
function open(idleMs = IDLE_MS) {
  const clock = { ms: 1_000 };
  const timer = createClaimTimer({ now: () => clock.ms, idleMs: () => idleMs });
  expect(timer.untilDueMs(true)).toBe(0);
  timer.begin();
  timer.end();
  return { clock, timer };
}

test.each([
  ['idle, after the time of its kind', false, IDLE_MS],
  ['busy, after a quarter of a second', true, 250],
])('a claim is due again: %s', (_, isBusy, ms) => {
  const { clock, timer } = open();
  expect(timer.untilDueMs(isBusy)).toBe(ms);
  clock.ms += 100;
  expect(timer.untilDueMs(isBusy)).toBe(ms - 100);
  clock.ms -= 200;
  expect(timer.untilDueMs(isBusy)).toBe(ms - 100);
  clock.ms += 10_000;
  expect(timer.untilDueMs(isBusy)).toBe(0);
});

test('new work is claimed at once by an idle process, and soon by a busy one', () => {
  const { clock, timer } = open();
  timer.notice();
  expect([timer.untilDueMs(false), timer.untilDueMs(true)]).toEqual([0, 25]);
  clock.ms += 25;
  expect(timer.untilDueMs(true)).toBe(0);
});

test('new work that is noticed during a claim is for the next one', () => {
  const { timer } = open();
  timer.notice();
  timer.begin();
  timer.notice();
  timer.end();
  expect([timer.untilDueMs(false), timer.untilDueMs(true)]).toEqual([0, 25]);
});

test('a busy process claims no later than an idle one', () => {
  const { timer } = open(100);
  expect(timer.untilDueMs(true)).toBe(100);
});

test('the pause may be left out', () => {
  const { timer } = open();
  timer.dueNow();
  expect([timer.untilDueMs(false), timer.untilDueMs(true)]).toEqual([0, 0]);
});
