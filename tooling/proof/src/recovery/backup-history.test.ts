import { describe, expect, test } from 'vitest';
import { type Chain, verifyHistory } from './backup-history.ts';

// Each write takes 5 ms; those of `b` begin 5 ms after those of `a`.
const chain = (name: string, offsetMs: number): Chain => ({
  name,
  sentMs: [10, 20, 30].map((ms) => ms + offsetMs),
  acknowledgedMs: [15, 25, 35].map((ms) => ms + offsetMs),
});
const chains = [chain('a', 0), chain('b', 5)];
const verify = (held: Readonly<Record<string, readonly number[]>>, begunMs: number) =>
  verifyHistory(chains, (name) => new Set(held[name]), begunMs);

describe('a database is a consistent state of the service', () => {
  test.each([
    ['with all writes', { a: [0, 1, 2], b: [0, 1, 2] }, 100],
    ['with no write, before the first write ended', { a: [], b: [] }, 12],
    ['with writes that were sent and not yet acknowledged', { a: [0, 1], b: [0] }, 21],
  ])('%s', (_, held, begunMs) => {
    expect(verify(held, begunMs)).toEqual([]);
  });

  test.each([
    ['a write acknowledged before the backup began', { a: [0], b: [0, 1] }, 26, 'a lost 1'],
    ['a write in between', { a: [0, 2], b: [0, 1] }, 0, 'a has write 2'],
    [
      'a write that was acknowledged before another one was sent',
      { a: [], b: [0, 1] },
      0,
      'a lost 1 writes acknowledged before the last of b was sent',
    ],
  ])('reports the lack of %s', (_, held, begunMs, reason) => {
    expect(verify(held, begunMs).join()).toContain(reason);
  });
});
