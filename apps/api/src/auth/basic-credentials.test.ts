import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseBasic, readBasicCredentials } from './basic-credentials.ts';

/** What a client sends that follows RFC 6749, section 2.3.1. */
const encode = (text: string) => new URLSearchParams({ '': text }).toString().slice(1);

const SECRETS = [
  'abc-_DEF',
  'YWJj+/+/==',
  'a%b',
  '100%',
  'a%41b',
  '%41',
  'x:y',
  'a & b',
  'pass wörd',
  '%',
  '+%20+',
  'a+b',
];

test.each(SECRETS)('the secret %j is read both form-encoded and as it is', (secret) => {
  for (const id of ['client', 'a:b']) {
    expect(readBasicCredentials(encode(id), encode(secret))).toContainEqual([id, secret]);
  }
  expect(readBasicCredentials('client', secret)).toContainEqual(['client', secret]);
});

test.each(['YWJj+/+/==', 'a b', '100%', 'a%b', 'a%41&', '%c3%28', '%ff', 'abc'])(
  'the secret %j has one reading',
  (secret) => {
    expect(readBasicCredentials('client', secret)).toEqual([['client', secret]]);
  },
);

test('what has an escape is more likely encoded, and what has a plus alone is not', () => {
  expect(readBasicCredentials('a%3Ab', 'two+words')[0]).toEqual(['a:b', 'two words']);
  expect(readBasicCredentials('a', 'two+words')[0]).toEqual(['a', 'two+words']);
});

const LINE = fc.string({ unit: 'binary' }).filter((text) => !/[\n\r\u2028\u2029]/.test(text));

test('Basic has any id without a colon and any secret of one line, in both alphabets of Base64', () => {
  const id = LINE.filter((text) => !text.includes(':'));
  fc.assert(
    fc.property(id, LINE, fc.constantFrom('base64', 'base64url'), (user, secret, encoding) => {
      const token = Buffer.from(`${user}:${secret}`).toString(encoding);
      expect(parseBasic(`Basic ${token}`)).toEqual([user, secret]);
      expect(parseBasic(` bAsIC  ${token.replace(/=+$/, '')} `)).toEqual([user, secret]);
      expect(parseBasic(`Basic ${token} ${token}`)).toBeNull();
      expect(parseBasic(`Bearer ${token}`)).toBeNull();
    }),
  );
});

test.each([
  '',
  'Basic',
  'Basic ',
  'Basic !',
  'Basic eA==',
  'Basic Zm86Cg==x',
  'BasicYTpi',
  'Basic\tYTpi',
  'x Basic YTpi',
])('%j is no Basic header with credentials', (header) => {
  expect(parseBasic(header)).toBeNull();
});
