import { expect, test } from 'vitest';
import { cause, jsonAnswer, problem, TRACKING_ID } from './problem-sample.ts';
import { codeOf, isOfParser, verifyRefusal } from './verify-refusal.ts';

const verify = (status: number, json: unknown, headers?: Readonly<Record<string, string>>) =>
  verifyRefusal(jsonAnswer(status, json, headers), { isHead: false, isToken: false });

test('accepts a refusal in the common error shape, with codes of their own for the causes', () => {
  expect(verify(404, problem('404'))).toBeNull();
  expect(verify(400, problem('400.1', { causes: [cause('400.1.404')] }))).toBeNull();
  expect(verify(405, problem('405'), { allow: 'GET' })).toBeNull();
  expect(verify(414, null)).toBeNull();
});

test.each([
  ['a status of the service itself', verify(500, problem('500.0')), 'its status'],
  ['a redirect', verify(302, problem('404')), 'its status'],
  ['no tracking id', verify(404, problem('404'), { 'x-request-id': 'x' }), 'its X-Request-Id'],
  ['another tracking id', verify(404, problem('404', { trackingId: TRACKING_ID.replace('0', 'f') })), 'its trackingId'],
  ['a code of another status', verify(404, problem('403')), 'its detailCode'],
  ['a code that does not exist', verify(400, problem('400.1.5')), '/detailCode must match'],
  ['another type', verify(404, problem('404'), { 'content-type': 'text/html' }), 'its Content-Type'],
  ['no JSON', verify(404, null), 'must be object'],
  ['an additional property', verify(404, problem('404', { stack: '' })), 'must NOT have additional properties'],
  ['no message', verify(404, problem('404', { messages: [] })), '/messages must NOT have fewer than 1 items'],
  [
    'another language',
    verify(404, problem('404', { messages: [{ locale: 'de', text: 'Nein.' }] })),
    '/messages/0 must have',
  ],
  ['a bad cause', verify(400, problem('400.1', { causes: [cause('9')] })), '/causes/0/detailCode must match'],
  ['a nested cause', verify(400, problem('400.1', { causes: [problem('400.1')] })), '/causes/0 must have'],
  ['405 without Allow', verify(405, problem('405')), 'no allow'],
  ['401 without a challenge', verify(401, problem('401')), 'no www-authenticate'],
  ['429 without a time', verify(429, problem('429')), 'no retry-after'],
  ['414 with a body', verify(414, problem('404')), 'a body'],
])('reports %s', (_, fault, expected) => {
  expect(fault).toContain(expected);
});

test('refusals of the token endpoint have the shape of OAuth 2.0', () => {
  const asked = { isHead: false, isToken: true };
  expect(verifyRefusal(jsonAnswer(400, { error: 'invalid_request' }), asked)).toBeNull();
  expect(verifyRefusal(jsonAnswer(400, problem('400.1')), asked)).toContain("must have required property 'error'");
  expect(verifyRefusal(jsonAnswer(405, problem('405'), { allow: 'POST' }), asked)).toBeNull();
});

test('refusals of the parser have no headers and no body of the service', () => {
  const bare = { status: 400, headers: new Map([['connection', 'close']]), body: Buffer.alloc(0) };
  expect(isOfParser(bare)).toBe(true);
  expect(isOfParser({ ...bare, status: 404 })).toBe(false);
  expect(isOfParser(jsonAnswer(400, null, { connection: 'close' }))).toBe(false);
  expect(codeOf(bare)).toBe('400');
  expect(codeOf(jsonAnswer(400, problem('400.1.3')))).toBe('400 400.1.3');
});
