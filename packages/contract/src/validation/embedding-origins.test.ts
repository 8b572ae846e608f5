import { isIPv6 } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { embeddingOriginsIssues } from './embedding-origins.ts';

const label63 = 'a'.repeat(63);
const host253 = `${label63}.${label63}.${label63}.${'a'.repeat(61)}`;

describe('an origin is accepted', () => {
  test.each([
    'https://example.com',
    'http://example.com',
    'example.com',
    'localhost',
    'localhost:3000',
    'https://intranet',
    'https://example.com:1',
    'https://example.com:65535',
    'example.com:8443',
    '192.0.2.1',
    'https://0.0.0.0:80',
    'http://255.255.255.255',
    '[::1]',
    'https://[2001:db8::1]:8443',
    '[::]',
    '[1:2:3:4:5:6:7:8]',
    '[::ffff:192.0.2.1]',
    '[1:2:3:4:5:6:192.0.2.1]',
    '*.example.com',
    'https://*.example.com:443',
    '*.a.b',
    'xn--bcher-kva.example',
    'a-b.c--d.e1',
    '1a.2b',
    '1.example',
    'HTTPS://Example.COM',
    label63,
    host253,
    'http:80',
  ])('%s', (origin) => {
    expect(embeddingOriginsIssues(origin)).toEqual([]);
  });
});

describe('a text that is not an origin is an illegal value', () => {
  test.each([
    ['a path', 'https://example.com/'],
    ['a longer path', 'example.com/a'],
    ['a query', 'https://example.com?a'],
    ['a fragment', 'example.com#a'],
    ['userinfo', 'https://user@example.com'],
    ['userinfo with password', 'https://user:pw@example.com'],
    ['another scheme', 'ftp://example.com'],
    ['a websocket scheme', 'wss://example.com'],
    ['data:', 'data:'],
    ['a scheme alone', 'https:'],
    ['a scheme without host', 'https://'],
    ['a relative scheme', '//example.com'],
    ['* alone', '*'],
    ['* with scheme', 'https://*'],
    ['* with port', '*:443'],
    ['*. over one label', '*.com'],
    ['*. over one label with scheme', 'https://*.com'],
    ['*. over nothing', '*.'],
    ['* inside a label', 'a*.example.com'],
    ['* further right', 'a.*.example.com'],
    ['two *', '*.*.example.com'],
    ['*. over an address', '*.192.0.2.1'],
    ['*. over numbers', '*.2.1'],
    ['a comma', 'https://a.com,https://b.com'],
    ['a semicolon', 'https://a.com;'],
    ['a quote', "'self'"],
    ['a newline inside', 'https://a.com\nb.com'],
    ['a newline at the end', 'https://a.com\n'],
    ['a tab', 'https://a.com\tb.com'],
    ['NUL', 'a\u0000.com'],
    ['port 0', 'example.com:0'],
    ['port 65536', 'example.com:65536'],
    ['a port with leading zero', 'example.com:080'],
    ['an empty port', 'example.com:'],
    ['a port that is no number', 'example.com:http'],
    ['the port *', 'example.com:*'],
    ['two ports', 'example.com:80:80'],
    ['an empty label', 'a..com'],
    ['a leading dot', '.example.com'],
    ['a trailing dot', 'example.com.'],
    ['a leading hyphen', '-a.com'],
    ['a trailing hyphen', 'a-.com'],
    ['a hyphen at the end of the host', 'a.com-'],
    ['an underscore', 'a_b.com'],
    ['a label of 64', `${label63}a.com`],
    ['a host of 254', `${host253}a`],
    ['an address of three numbers', '1.2.3'],
    ['a number', '127'],
    ['a last label of digits', 'example.1'],
    ['an octet of 256', '192.0.2.256'],
    ['an octet with leading zero', '192.0.2.01'],
    ['five octets', '1.2.3.4.5'],
    ['an IPv6 address without brackets', '::1'],
    ['empty brackets', '[]'],
    ['an open bracket', '[::1'],
    ['a bracket alone', '['],
    ['nine groups', '[1:2:3:4:5:6:7:8:9]'],
    ['seven groups', '[1:2:3:4:5:6:7]'],
    ['eight groups and ::', '[1:2:3:4::5:6:7:8]'],
    ['two ::', '[1::2::3]'],
    [':::', '[:::]'],
    ['a group of five', '[::12345]'],
    ['a zone', '[fe80::1%25eth0]'],
    ['an IPv4 address that is not last', '[192.0.2.1::]'],
    ['a name in brackets', '[example.com]'],
    ['what follows a bracket', '[::1]a'],
    ['an IDN that is no A-label', 'bücher.example'],
    ['a look-alike that upper-cases to K', '\u212A.example'],
    ['a full-width dot', 'a\uFF0Ecom'],
    ['percent encoding', 'a%2Ecom'],
  ])('%s', (_, origin) => {
    expect(embeddingOriginsIssues(origin)).toMatchObject([{ type: 'IllegalValue', index: 0 }]);
  });
});

describe('a list of origins', () => {
  test('is separated by single spaces, and may repeat an origin', () => {
    expect(embeddingOriginsIssues('https://B.com a.com https://B.com')).toEqual([]);
  });

  test.each([
    ['a leading space', ' a.com', [0]],
    ['a trailing space', 'a.com ', [1]],
    ['a double space', 'a.com  b.com', [1]],
    ['a space alone', ' ', [0, 1]],
    ['another directive', 'https://a.com; script-src *', [0, 2]],
    ['faults here and there', 'a.com * b.com ftp://c.com', [1, 3]],
  ])('names the positions of illegal origins: %s', (_, text, positions) => {
    const result = embeddingOriginsIssues(text);
    expect(result.map(({ type, index }) => [type, index])).toEqual(positions.map((index) => ['IllegalValue', index]));
    expect(JSON.stringify(result)).not.toMatch(/a\.com|script-src|ftp/);
  });

  test('has at most 100 entries, valid or not', () => {
    expect(embeddingOriginsIssues(Array(100).fill('a.com').join(' '))).toEqual([]);
    for (const entry of ['a.com', '*', '']) {
      expect(embeddingOriginsIssues(Array(101).fill(entry).join(' '))).toMatchObject([{ type: 'LimitExceeded' }]);
    }
  });
});

test('brackets accept exactly the IPv6 addresses without zone that Node accepts', () => {
  const part = fc.constantFrom('', '0', '1', 'ffff', 'ABCD', '12345', 'g', '192.0.2.1', '1.2.3');
  const address = fc.array(part, { minLength: 1, maxLength: 9 }).map((parts) => parts.join(':'));
  fc.assert(
    fc.property(address, (text) => {
      expect(embeddingOriginsIssues(`[${text}]`).length === 0).toBe(isIPv6(text));
    }),
    { numRuns: 5000 },
  );
});

test('every accepted origin is only a host for a URL parser too', () => {
  const piece = fc.constantFrom(
    'a',
    'b1',
    '-',
    '.',
    '*',
    ':',
    '8',
    '1',
    '/',
    '@',
    '[',
    ']',
    '::',
    'https://',
    'http://',
  );
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (pieces) => {
      const text = pieces.join('');
      if (text === '' || embeddingOriginsIssues(text).length > 0) return;
      const url = new URL(/^https?:\/\//.test(text) ? text : `https://${text}`);
      expect([url.pathname, url.search, url.hash, url.username, url.password]).toEqual(['/', '', '', '', '']);
    }),
    { numRuns: 5000 },
  );
});
