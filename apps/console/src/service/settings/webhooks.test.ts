import { expect, test } from 'vitest';
import { disablingsOf, parseSequence } from './webhooks.ts';

test('the last disabling of each webhook counts', () => {
  const event = (id: string, reason: string, time: string) => ({ data: { id, reason }, time });
  expect(disablingsOf([event('a', 'one', '1'), event('b', 'two', '2'), event('a', 'three', '3')])).toEqual({
    a: { reason: 'three', time: '3' },
    b: { reason: 'two', time: '2' },
  });
});

test.each([
  ['00000000000000000042', '42'],
  ['0', '0'],
  [' 7 ', '7'],
  ['', null],
  ['-1', null],
  ['1.5', null],
])('the sequence %j is read as %j', (text, sequence) => {
  expect(parseSequence(text)).toBe(sequence);
});
