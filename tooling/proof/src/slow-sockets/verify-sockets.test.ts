import { expect, test } from 'vitest';
import { SLOW_KINDS } from './slow-kinds.ts';
import { verifySockets } from './verify-sockets.ts';

test.each([
  ['closed in time', 'silent', { endMs: 15_000 }, 0],
  ['closed late', 'silent', { endMs: 15_001 }, 1],
  ['measured from its start', 'silent', { startMs: 9_000, endMs: 24_000 }, 0],
  ['never closed', 'bodies a byte at a time', { endMs: null }, 1],
  ['never connected', 'silent', { startMs: null, endMs: null }, 0],
  ['idle for its minute', 'idle after an answer', { endMs: 68_000 }, 0],
  ['idle for too long', 'empty lines after an answer', { endMs: 71_000 }, 1],
  ['cut in its answer', 'answers not read', { endMs: 26_000 }, 0],
  ['sent its whole answer', 'answers not read', { endMs: 26_000, hasWholeAnswer: true }, 1],
  ['neither cut nor at its end', 'answers read a little at a time', { endMs: null }, 1],
])('verifies the end of a socket that was %s', (_, name, fate, late) => {
  const kinds = SLOW_KINDS.filter((kind) => kind.name === name);
  const common = { startMs: 0, hasWholeAnswer: false, readAll: () => {}, end: () => {} };
  const reports = verifySockets(kinds.map((kind) => ({ kind, ...common, ...fate })));
  expect(reports).toEqual([expect.objectContaining({ sockets: 1, late })]);
});
