import { expect, test } from 'vitest';
import { decodeBasicCredentials } from './basic-credentials.ts';

/** What a client sends that follows RFC 6749, section 2.3.1. */
const encode = (text: string) => new URLSearchParams({ '': text }).toString().slice(1);

test.each(['abc-_DEF', 'YWJj+/+/==', 'a%b', '100%', 'a%41b', 'x:y', 'a & b', 'pass wörd', '%', '+%20+'])(
  'the secret %j, form-encoded, is decoded',
  (secret) => {
    expect(decodeBasicCredentials(encode('client'), encode(secret))).toEqual(['client', secret]);
    expect(decodeBasicCredentials(encode('a:b'), encode(secret))).toEqual(['a:b', secret]);
  },
);

test.each(['abc-_DEF', 'YWJj+/+/==', 'a+b', 'a b', '100%', 'a%b', 'a%41&', '%c3%28', '%ff'])(
  'the secret %j, sent as it is, stays as it is',
  (secret) => {
    expect(decodeBasicCredentials('client', secret)).toEqual(['client', secret]);
  },
);

test('an id that is encoded tells that the secret is too', () => {
  expect(decodeBasicCredentials('a%3Ab', 'two+words')).toEqual(['a:b', 'two words']);
  expect(decodeBasicCredentials('a', 'two+words')).toEqual(['a', 'two+words']);
});
