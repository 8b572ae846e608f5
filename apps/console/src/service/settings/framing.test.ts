import { expect, test } from 'vitest';
import { decideFraming } from './framing.ts';

const OWN = 'https://access.example.com';
const LIST = 'https://intranet.example.com portal.example.com:8443 *.apps.example.com http://old.example.com';

test.each([
  ['https://intranet.example.com', 'ALLOWED'],
  ['https://INTRANET.example.com/a/page?x', 'ALLOWED'],
  ['intranet.example.com', 'ALLOWED'],
  ['http://intranet.example.com', 'REFUSED'],
  ['https://intranet.example.com:8443', 'REFUSED'],
  ['https://portal.example.com', 'REFUSED'],
  ['https://portal.example.com:8443', 'ALLOWED'],
  ['https://a.apps.example.com', 'ALLOWED'],
  ['https://a.b.apps.example.com', 'ALLOWED'],
  ['https://apps.example.com', 'REFUSED'],
  ['https://evilapps.example.com', 'REFUSED'],
  ['http://old.example.com', 'ALLOWED'],
  ['https://old.example.com', 'ALLOWED'],
  [OWN, 'ALLOWED'],
  ['', 'NO_ORIGIN'],
  ['https://', 'NO_ORIGIN'],
])('a page of %j is %s', (page, framing) => {
  expect(decideFraming(LIST, page, OWN)).toBe(framing);
});

test('without a list, not even our own pages may frame', () => {
  expect(decideFraming(null, OWN, OWN)).toBe('REFUSED');
  expect(decideFraming('not/an/origin', 'https://not', OWN)).toBe('REFUSED');
});
