import { expect, test } from 'vitest';
import type { SlowKind, SlowSocket } from './slow-socket.ts';
import { verifySockets } from './verify-sockets.ts';

interface Fate {
  readonly startMs?: number | null;
  readonly endMs: number | null;
  readonly hasWholeAnswer?: boolean;
}

const socket = (kind: SlowKind, { startMs = 0, endMs, hasWholeAnswer = false }: Fate): SlowSocket => ({
  kind,
  startMs,
  endMs,
  hasWholeAnswer,
  readAll: () => {},
  end: () => {},
});

test.each<[string, SlowKind, Fate, number]>([
  ['closed in time', 'silent', { endMs: 15_000 }, 0],
  ['closed late', 'silent', { endMs: 15_001 }, 1],
  ['measured from its start', 'silent', { startMs: 9_000, endMs: 24_000 }, 0],
  ['never closed', 'bodies a byte at a time', { endMs: null }, 1],
  ['never connected', 'silent', { startMs: null, endMs: null }, 0],
  ['idle for its minute', 'idle after an answer', { endMs: 68_000 }, 0],
  ['idle for too long', 'empty lines after an answer', { endMs: 71_000 }, 1],
  ['cut in its answer', 'answers not taken', { endMs: 26_000 }, 0],
  ['sent its whole answer', 'answers not taken', { endMs: 26_000, hasWholeAnswer: true }, 1],
  ['neither cut nor at its end', 'answers taken a little at a time', { endMs: null }, 1],
])('verifies the end of a socket that was %s', (_, kind, fate, late) => {
  expect(verifySockets([socket(kind, fate)])).toEqual([expect.objectContaining({ kind, sockets: 1, late })]);
});
