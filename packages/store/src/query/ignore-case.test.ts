import { expect, test } from 'vitest';
import { smallText, startOf, toSmall } from './ignore-case.ts';

test.each([
  ['MÜLLER', 'müller'],
  ['Đặng', 'đặng'],
  ['Straße', 'straße'],
  ['İzmir', 'İzmir'],
])('%s is %s in small letters', (text, small) => {
  expect(toSmall(text)).toBe(small);
});

test('a text is changed as far as the other one needs it', () => {
  expect(smallText('JÜRGEN ÄMTLER', 'jür')).toBe('jürgen Ämtler');
});

test.each([
  ['anna', 'anna'],
  ['jürgen', 'j'],
  ['đặng', ''],
  ['aß-b', 'aß-b'],
])('what an index can find of %s begins with "%s"', (small, start) => {
  expect(startOf(small)).toBe(start);
});
