import { expect, test } from 'vitest';
import { parseApiDocument } from '../http/api-document.ts';
import { jsonAnswer, problem } from '../http/problem-sample.ts';
import type { Caller } from './callers.ts';
import type { DrawnRequest } from './draw-request.ts';
import { createVerifier } from './verify-exchange.ts';

const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const document = parseApiDocument({
  paths: {
    '/things/v1': { get: { responses: { 200: { content: { 'application/json': { schema } } } } } },
    '/oauth/token': { post: { security: [], responses: { default: {} } } },
  },
});
const verify = createVerifier({
  document,
  callers: { canaries: ['canary-a', 'canary-b'], secrets: ['secret'], own: 'own' },
});

const insider: Caller = { name: 'insider', authorization: () => null, isPowerless: false, canary: 'canary-a' };
const outsider: Caller = { name: 'outsider', authorization: () => null, isPowerless: true, canary: null };
const request = (change: Partial<DrawnRequest> = {}): DrawnRequest => ({
  method: 'GET',
  target: '/things/v1',
  headers: [['Host', 'x']],
  body: null,
  bytesMax: 0,
  inChunks: false,
  isRaw: false,
  caller: insider,
  ...change,
});
const refusal = (status: number, text = 'No.') =>
  jsonAnswer(status, problem(String(status), { messages: [{ locale: 'en-US', localeOrigin: 'DEFAULT', text }] }));

test('documented answers are valid, and texts of a tenant are valid for its own callers', () => {
  expect(verify(request(), jsonAnswer(200, { name: 'canary-a own' }))).toEqual([]);
  expect(verify(request({ target: '/nowhere' }), refusal(404))).toEqual([]);
});

test.each([
  ['no answer', request(), null, ['no answer']],
  ['a status of the service', request(), refusal(500), ['500 is invalid: its status']],
  ['a status that is not listed', request(), refusal(403), ['403, which the document does not list']],
  [
    'a value against its schema',
    request(),
    jsonAnswer(200, {}),
    ["200 against its schema:  must have required property 'name'"],
  ],
  ['a success without rights', request({ caller: outsider }), jsonAnswer(200, { name: '' }), ['200 for outsider']],
  [
    'a success from nowhere',
    request({ target: '/x' }),
    jsonAnswer(200, {}),
    ['200 where the document has no operation'],
  ],
  ['the name of another tenant', request(), jsonAnswer(200, { name: 'canary-b' }), ['200 leaks a canary']],
  ['a secret in a header', request(), jsonAnswer(200, { name: '' }, { x: 'a secret' }), ['200 leaks a canary']],
  ['a text that the caller sent', request({ target: '/x' }), refusal(404, 'own'), ['404 leaks a canary']],
])('reports %s', (_, asked, given, faults) => {
  expect(verify(asked, given)).toEqual(faults);
});

test('the parser may refuse raw requests only', () => {
  const bare = { status: 400, headers: new Map([['connection', 'close']]), body: Buffer.alloc(0) };
  expect(verify(request({ isRaw: true }), bare)).toEqual([]);
  expect(verify(request(), bare)).toEqual(['refused by the parser']);
});

test('refusals of the token endpoint have the shape of OAuth 2.0, unless the Host header is invalid', () => {
  const asked = request({ method: 'POST', target: '/oauth/token' });
  const shape = jsonAnswer(400, problem('400.1'));
  expect(verify(asked, jsonAnswer(400, { error: 'invalid_request' }))).toEqual([]);
  expect(verify(asked, shape)).toEqual(["400 is invalid:  must have required property 'error'"]);
  expect(verify({ ...asked, headers: [['Host', 'a b']] }, shape)).toEqual([]);
});
