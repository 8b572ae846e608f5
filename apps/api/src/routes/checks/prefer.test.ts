import { expect, test } from 'vitest';
import { parsePreferWait } from './prefer.ts';

test.each([
  [undefined, 0],
  ['wait=5', 5],
  ['WAIT=5', 5],
  ['respond-async, wait=5', 5],
  ['wait=5; x=1, respond-async', 5],
  ['wait="7"', 7],
  ['wait=31', 30],
  ['wait=999999999', 30],
  ['wait=0', 0],
  ['wait', 0],
  ['wait=-1', 0],
  ['wait=1.5', 0],
  ['wait=1 2', 0],
  ['await=5', 0],
])('Prefer %s waits %s s', (header, seconds) => {
  expect(parsePreferWait(header)).toBe(seconds);
});
