import { describe, expect, test } from 'vitest';
import { type CloseReason, type ConnectionState, createConnectionWatch } from './connection-watch.ts';
import { CONNECTION_LIMITS } from './serve.ts';

const SENT = { response: { headersSent: true }, isEventStream: false };
const NOT_SENT = { response: { headersSent: false }, isEventStream: false };
const STREAM = { response: { headersSent: true }, isEventStream: true };

/** The number of the first check that closes the connection, and why; null if none of 2,000 does. */
function closedAt(stateOf: (check: number) => ConnectionState): readonly [number, CloseReason] | null {
  const findCloseReason = createConnectionWatch(CONNECTION_LIMITS);
  for (let check = 1; check <= 2000; check++) {
    const reason = findCloseReason(stateOf(check));
    if (reason !== null) return [check, reason];
  }
  return null;
}

const RATE = 65_536;

describe('a stream of events', () => {
  test('may last longer than other responses', () => {
    expect(closedAt((check) => ({ waiting: 0, taken: check, ...STREAM }))).toBeNull();
  });

  test('is reset when its client takes nothing', () => {
    expect(closedAt(() => ({ waiting: 1, taken: 500, ...STREAM }))).toEqual([17, 'stalled']);
  });
});

describe('a response that waits for its client', () => {
  test('is reset when the client takes nothing for more than 15 s', () => {
    expect(closedAt(() => ({ waiting: 1, taken: 500, ...SENT }))).toEqual([17, 'stalled']);
  });

  test('is reset when less than 64 KiB a second are taken over 30 s', () => {
    const at = (rate: number) => closedAt((check) => ({ waiting: 1, taken: check * rate, ...SENT }));
    expect(at(RATE - 1)).toEqual([31, 'slow']);
    expect(at(RATE)).toEqual([602, 'overdue']);
  });

  test('may be taken in bursts that are fast enough together', () => {
    const burst = (bytes: number) =>
      closedAt((check) => ({ waiting: 1, taken: Math.floor(check / 9) * bytes, ...SENT }));
    expect(burst(10 * RATE)).toEqual([602, 'overdue']);
    expect(burst(4 * RATE)?.[1]).toBe('slow');
  });

  test('is reset when the client becomes slow later', () => {
    const taken = (check: number) => (check < 100 ? check * 10 * RATE : 1000 * RATE + check);
    expect(closedAt((check) => ({ waiting: 1, taken: taken(check), ...SENT }))).toEqual([128, 'slow']);
  });
});

describe('a response that the service is slow to make', () => {
  test('stays within its ten minutes, because its client is not slow', () => {
    const state = (check: number) => ({ waiting: check % 20 === 0 ? 1 : 0, taken: check, ...SENT });
    expect(closedAt(state)).toEqual([602, 'overdue']);
  });

  test('has no limit here before its head', () => {
    expect(closedAt(() => ({ waiting: 0, taken: 0, ...NOT_SENT }))).toBeNull();
  });
});

test('each response of a connection has its own ten minutes', () => {
  const responses = Array.from({ length: 4 }, () => ({ headersSent: true }));
  const state = (check: number) => ({
    waiting: 0,
    taken: check,
    response: responses[Math.floor(check / 590)] ?? SENT.response,
    isEventStream: false,
  });
  expect(closedAt(state)).toBeNull();
});

test('a connection without a response is closed when it is idle', () => {
  expect(closedAt(() => ({ waiting: 0, taken: 7, response: null, isEventStream: false }))).toEqual([68, 'idle']);
});
