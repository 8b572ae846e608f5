import { expect, test } from 'vitest';
import { readBasicCredentials } from './basic-credentials.ts';

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
