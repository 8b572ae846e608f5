import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import * as sdk from '../src/index.ts';
import { openStage, rejectionOf } from './fixtures.ts';
import { empty, hangUp, json, message, refusal } from './scripted-server.ts';

const LINE = 'GET /auth-users/v1/i-1';

test.each([
  [400, sdk.InvalidRequestError],
  [401, sdk.UnauthenticatedError],
  [403, sdk.ForbiddenError],
  [404, sdk.NotFoundError],
  [405, sdk.ApiError],
  [409, sdk.ConflictError],
  [412, sdk.PreconditionFailedError],
  [428, sdk.PreconditionRequiredError],
  [413, sdk.InvalidRequestError],
  [414, sdk.InvalidRequestError],
  [415, sdk.InvalidRequestError],
  [429, sdk.RateLimitedError],
  [500, sdk.ApiError],
  [503, sdk.UnavailableError],
])('%s is its own class of ApiError and AccessAdminError', async (status, errorClass) => {
  await using stage = await openStage({ retries: 0 });
  stage.server.script(LINE, refusal(status, `${status}`));
  const error = await rejectionOf(stage.admin.authUsers.get('i-1'));
  expect(error).toBeInstanceOf(errorClass);
  expect(error).toBeInstanceOf(sdk.ApiError);
  expect(error).toBeInstanceOf(sdk.AccessAdminError);
  expect(error.constructor).toBe(errorClass);
  expect(error).toMatchObject({ name: errorClass.name, status });
});

test('an error has the properties of the response', async () => {
  await using stage = await openStage();
  stage.server.script('POST /sod-violations/v1/predict', refusal(400, '400.1.3'));
  const call = stage.admin.sodViolations.predict({ identityId: 'i-1', accessRefs: [] });
  await expect(call).rejects.toMatchObject({
    status: 400,
    detailCode: '400.1.3',
    trackingId: '0123456789abcdef0123456789abcdef',
    messages: [message('It went wrong.')],
    causes: [{ ...message('accessRefs[3].type: must be known'), detailCode: '400.1.3' }],
    retryAfterMs: null,
    message:
      'POST /sod-violations/v1/predict: 400.1.3 It went wrong. accessRefs[3].type: must be known (tracking id 0123456789abcdef0123456789abcdef)',
  });
});

test.each([
  ['an empty response', empty(502, { 'x-request-id': 'abc' })],
  [
    'a page',
    (response: import('node:http').ServerResponse) => response.writeHead(502, { 'x-request-id': 'abc' }).end('<html>'),
  ],
  ['other JSON', json(502, [{ messages: 'none' }], { 'x-request-id': 'abc' })],
  ['null', json(502, null, { 'x-request-id': 'abc' })],
  ['messages of another shape', json(502, { messages: [null, 'x', {}], causes: 5 }, { 'x-request-id': 'abc' })],
])('an error of a proxy, %s, has no detail code', async (_, reaction) => {
  await using stage = await openStage({ retries: 0 });
  stage.server.script(LINE, reaction);
  await expect(stage.admin.authUsers.get('i-1')).rejects.toMatchObject({
    status: 502,
    detailCode: null,
    trackingId: 'abc',
    messages: [],
    causes: [],
    message: `${LINE}: 502 (tracking id abc)`,
  });
});

test.each([
  ['no JSON', 'not json'],
  ['nothing', ''],
])('a successful response with %s is an AccessAdminError that does not quote it', async (_, body) => {
  await using stage = await openStage();
  stage.server.script(LINE, (response) => response.writeHead(200).end(body));
  await expect(stage.admin.authUsers.get('i-1')).rejects.toMatchObject({
    name: 'AccessAdminError',
    message: `${LINE}: the response is not JSON`,
  });
});

test('a broken connection is a ConnectionError with its cause', async () => {
  await using stage = await openStage({ retries: 0 });
  stage.server.script(LINE, hangUp);
  await expect(stage.admin.authUsers.get('i-1')).rejects.toMatchObject({
    name: 'ConnectionError',
    notSent: false,
    message: `${LINE}: no complete response from ${new URL(stage.server.baseAddress).host} (UND_ERR_SOCKET)`,
    cause: { name: 'TypeError' },
  });
});

test('a refused connection is a ConnectionError with `notSent`', async () => {
  const stage = await openStage();
  await stage[Symbol.asyncDispose]();
  const admin = stage.clientWith({ token: 'mine', retries: 0 });
  await expect(admin.authUsers.get('i-1')).rejects.toMatchObject({ name: 'ConnectionError', notSent: true });
});

test('a service that cannot be reached is named with the cause, by a token request too', async () => {
  const baseAddress = 'http://127.0.0.1:1';
  const said = 'no complete response from 127.0.0.1:1 (ECONNREFUSED)';
  const fetch = () => Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));
  const withToken = sdk.createClient({ baseAddress, token: 'x', retries: 0, fetch });
  expect((await rejectionOf(withToken.authUsers.get('i-1'))).message).toBe(`${LINE}: ${said}`);
  const withSecret = sdk.createClient({ baseAddress, clientId: 'c', clientSecret: 's', retries: 0, fetch });
  expect((await rejectionOf(withSecret.authUsers.get('i-1'))).message).toBe(`No token: POST /oauth/token: ${said}`);
  const unknown = sdk.createClient({
    baseAddress,
    token: 'x',
    retries: 0,
    fetch: () => Promise.reject(new Error('odd')),
  });
  expect((await rejectionOf(unknown.authUsers.get('i-1'))).message).toContain('from 127.0.0.1:1');
});

test.each(['localhost:8080', 'api.example.com', '127.0.0.1:8080', 'api.example.com/path'])(
  'the base address %s is refused with the scheme that it lacks',
  (baseAddress) => {
    expect(() => sdk.createClient({ baseAddress, token: 'x' })).toThrow(
      new TypeError(`baseAddress must begin with https:// or http://, such as https://${baseAddress}`),
    );
  },
);

test.each(['', 'ftp://example.com', 'https://user:secret@example.com', 'user:secret@example.com'])(
  'the base address %j is refused without being repeated',
  (baseAddress) => {
    expect(() => sdk.createClient({ baseAddress, token: 'x' })).toThrow(TypeError);
    expect(() => sdk.createClient({ baseAddress, token: 'x' })).not.toThrow(/secret/);
  },
);

test.each([
  ['a response', refusal(403, '403')],
  ['a broken connection', hangUp],
])('an error after %s contains neither secret nor token, nor does the client', async (_, reaction) => {
  await using stage = await openStage({ retries: 0 });
  stage.server.script(LINE, reaction);
  const error = await rejectionOf(stage.admin.authUsers.get('i-1'));
  const all = { depth: null, showHidden: true };
  expect(inspect(error, all) + inspect(stage.admin, all)).not.toMatch(/geheim|token-1|Basic |Bearer /);
});

test('a token that cannot be a header value is rejected without quoting it', async () => {
  await using stage = await openStage();
  const admin = stage.clientWith({ token: 'secret\ntoken' });
  const error = await rejectionOf(admin.authUsers.get('i-1'));
  expect(error).toMatchObject({ name: 'TokenError' });
  expect(inspect(error)).not.toContain('secret');
});
