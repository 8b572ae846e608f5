import { OPERATIONS, PUBLIC_ENDPOINTS } from '@access-admin/contract';
import { OutcomeUnknown, StorageUnavailable } from '@access-admin/store';
import { beforeAll, describe, expect, test } from 'vitest';
import { openApi, openTestApi, WORLD } from './test-api.ts';

/** What clients send behind a media type. */
const MEDIA_TYPE_PARAMETERS = [
  '; charset=UTF-8',
  ';charset="utf-8"',
  '; charset=utf8',
  '; odata=verbose; charset=utf-8',
  '; version=1',
  '; profile="a;charset=latin1"',
  ';',
];
const TRACKING_ID = /^[0-9a-f]{32}$/;
const concrete = (path: string) => path.replace(/\{\w+\}/, 'some-id');

describe('every operation of the table', () => {
  // All that is sent is refused.
  let api: Awaited<ReturnType<typeof openTestApi>>;
  let identityToken = '';
  const tokens = new Map<string, string>();

  beforeAll(async () => {
    const opened = await openApi();
    api = opened.api;
    await api.importRecords(WORLD);
    // Some operations are for identities only.
    identityToken = await api.clientToken({ identityId: 'i-ada' });
    for (const scope of ['auth-users:read', 'ui-metadata:read'] as const)
      tokens.set(scope, await api.clientToken({ scopes: [scope] }));
    return opened.close;
  });

  test.each(OPERATIONS.map((operation) => [operation.id, operation] as const))(
    '%s is mounted and guarded',
    async (_, operation) => {
      const { call } = api;
      const path = concrete(operation.path);
      const body = operation.body === null ? undefined : '';
      const anonymous = await call(operation.method, path, { token: null, body });
      expect([anonymous.status, anonymous.json.detailCode]).toEqual([401, '401']);
      expect(anonymous.headers.get('www-authenticate')).toBe('Bearer realm="access-admin"');
      const needed: readonly string[] = operation.rights.scopes;
      const token = tokens.get(needed.includes('ui-metadata:read') ? 'auth-users:read' : 'ui-metadata:read') ?? null;
      const powerless = await call(operation.method, path, { token, body });
      expect([powerless.status, powerless.json.detailCode]).toEqual([403, '403']);
    },
  );

  test.each(OPERATIONS.filter(({ body }) => body !== null).map((operation) => [operation.id, operation] as const))(
    '%s validates header, media type, size, encoding and syntax in this order',
    async (_, { id, method, path, body, experimental, isAuthzen }) => {
      const { call } = api;
      const token = identityToken;
      const send = async (headers: Record<string, string>, content: string | Uint8Array) => {
        const answer = await call(method, concrete(path), {
          token,
          headers: { 'x-service-experimental': 'true', ...headers },
          body: content,
        });
        return [answer.status, answer.json.detailCode];
      };
      const { mediaType = '', bytesMax = 0 } = body ?? {};
      const type = { 'content-type': mediaType };
      const badType = isAuthzen ? [400, '400.1'] : [415, '415'];
      const tooLarge = ' '.repeat(bytesMax + 1);
      if (experimental)
        expect(await send({ 'content-type': 'text/plain', 'x-service-experimental': 'no' }, tooLarge)).toEqual([
          400,
          '400.1.0',
        ]);
      expect(await send({ 'content-type': 'text/plain' }, tooLarge)).toEqual(badType);
      expect(await send({ ...type, 'content-encoding': 'gzip' }, tooLarge)).toEqual(badType);
      for (const wrong of [
        `${mediaType}; charset=latin1`,
        `${mediaType}; version=1; charset=utf-16`,
        `${mediaType}x`,
        '/',
      ])
        expect([wrong, await send({ 'content-type': wrong }, '')]).toEqual([wrong, badType]);
      expect(await send(type, tooLarge)).toEqual([413, '413']);
      expect(await send(type, new Uint8Array([0xff]))).toEqual([400, '400.1']);
      // Each line of a batch is validated by itself, and those of a part of a load are faults that its commit tells.
      if (id === 'start-predict-sod-violations-batch-v1' || id === 'put-source-load-part-v1') return;
      expect(await send(type, '{"a":1,"a":2}')).toEqual([400, '400.1']);
      for (const parameters of MEDIA_TYPE_PARAMETERS)
        expect([parameters, await send({ 'content-type': `${mediaType}${parameters}` }, '{')]).toEqual([
          parameters,
          [400, '400.1'],
        ]);
    },
  );

  test('a 415 for a patch names the media type that is accepted', async () => {
    const { call } = await openTestApi();
    const answer = await call('PATCH', '/auth-users/v1/i-ada', {
      headers: { 'content-type': 'application/json' },
      body: '[]',
    });
    expect(answer.headers.get('accept-patch')).toBe('application/json-patch+json');
  });
});

describe('answers', () => {
  test('carry a tracking id that body, header and log line share', async () => {
    const { call, lines } = await openTestApi();
    const refused = await call('GET', '/auth-users/v1/nobody');
    expect(refused.json).toEqual({
      detailCode: '404',
      trackingId: expect.stringMatching(TRACKING_ID),
      messages: [{ locale: 'en-US', localeOrigin: 'DEFAULT', text: expect.any(String) }],
      causes: [{ locale: 'en-US', localeOrigin: 'DEFAULT', text: expect.any(String), detailCode: '404' }],
    });
    expect(refused.headers.get('content-type')).toBe('application/json');
    expect(refused.headers.get('x-request-id')).toBe(refused.json.trackingId);
    const line = lines.at(-1)?.fields;
    expect(line).toMatchObject({
      trackingId: refused.json.trackingId,
      operation: 'get-auth-user-v1',
      status: 404,
      tenant: 'default',
      clientId: 'root',
    });
    for (const path of ['/healthz', '/oauth-clients/v1', '/openapi.json', '/oauth/token'])
      expect((await call('GET', path)).headers.get('x-request-id')).toMatch(TRACKING_ID);
  });

  test('to unknown paths are 404 in the error shape, with or without a token', async () => {
    const { call } = await openTestApi();
    for (const path of [
      '/nope',
      '/auth-users/v2/x',
      '/auth-profiles/v1/',
      '/auth-profiles/v1/a/b',
      '/AUTH-PROFILES/v1',
      '/auth-users/v1/%2e%2e%2fx/y',
    ])
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const answer = await call(method, path, { token: null });
        expect([path, answer.status, answer.json?.detailCode]).toEqual([path, 404, '404']);
      }
  });

  test('to other methods are 405 with Allow, before the token is checked', async () => {
    const { call } = await openTestApi();
    for (const { path } of [...OPERATIONS, ...PUBLIC_ENDPOINTS]) {
      for (const method of ['OPTIONS', 'PROPFIND', 'LOCK']) {
        const answer = await call(method, concrete(path), { token: null });
        expect([path, answer.status, answer.json.detailCode]).toEqual([path, 405, '405']);
      }
    }
    expect((await call('DELETE', '/auth-users/v1/x')).headers.get('allow')).toBe('GET, HEAD, PATCH');
    expect((await call('GET', '/sod-violations/v1/predict')).headers.get('allow')).toBe('POST');
    expect((await call('POST', '/sod-policies/v1/lint')).headers.get('allow')).toBe('GET, HEAD, PUT, PATCH, DELETE');
    expect((await call('PUT', '/oauth-clients/v1')).headers.get('allow')).toBe('POST, GET, HEAD');
  });

  test('to HEAD are those to GET, without a body', async () => {
    const { call, importRecords } = await openTestApi();
    await importRecords(WORLD);
    const head = await call('HEAD', '/auth-users/v1/i-ada');
    const get = await call('GET', '/auth-users/v1/i-ada');
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', get.headers.get('etag')]);
    expect((await call('HEAD', '/auth-users/v1/nobody')).status).toBe(404);
  });

  test('to ids that are not valid after one decoding are 404', async () => {
    const { call, importRecords } = await openTestApi();
    await importRecords([WORLD[5], { kind: 'identity', id: 'a:b', uid: 'ab', identityProfile: 'ip-emp' }]);
    expect((await call('GET', '/auth-users/v1/a%3Ab')).json.id).toBe('a:b');
    for (const id of ['a%253Ab', 'a%2Fb', '%00', 'a%ZZ', '%E4', 'x'.repeat(129), '%20', "a'b"])
      expect([id, (await call('GET', `/auth-users/v1/${id}`)).status]).toEqual([id, 404]);
  });

  test('to a request target over 2 KiB are 414 without a body', async () => {
    const { call } = await openTestApi();
    const atTheLine = await call('GET', `/healthz?${'x'.repeat(2048 - '/healthz?'.length)}`, { token: null });
    const overIt = await call('GET', `/healthz?${'x'.repeat(2049 - '/healthz?'.length)}`, { token: null });
    expect([atTheLine.status, overIt.status, overIt.text]).toEqual([200, 414, '']);
  });

  test('to a page may have a target of up to 8 KiB', async () => {
    const { call } = await openTestApi();
    const statusOf = async (path: string, length: number) =>
      (await call('GET', `${path}?code=${'x'.repeat(length - `${path}?code=`.length)}`, { token: null })).status;
    for (const path of ['/', '/login', '/login/application/idp/callback', '/account', '/sign-in-link/x'])
      expect([path, await statusOf(path, 8192), await statusOf(path, 8193)]).toEqual([
        path,
        expect.toSatisfy((status: number) => status !== 414),
        414,
      ]);
    // No pages.
    for (const path of ['/logins', '/oauth/token', '/auth-users/v1/login', '/x'])
      expect([path, await statusOf(path, 2049)]).toEqual([path, 414]);
  });

  test('do not disclose to another tenant whether a resource exists', async () => {
    const { call, importRecords, clientToken } = await openTestApi();
    await importRecords(WORLD);
    const other = await clientToken({ tenant: 'other' });
    const bytes = async (id: string) => {
      const answer = await call('GET', `/auth-users/v1/${id}`, { token: other });
      return [answer.status, answer.text.replaceAll(answer.json.trackingId, '')];
    };
    expect(await bytes('i-ada')).toEqual(await bytes('i-unknown'));
  });

  test('to a bug contain nothing but the tracking id', async () => {
    const { call, store, lines } = await openTestApi();
    Object.assign(store.authProfiles, { find: () => Promise.reject(new Error('canary')) });
    const answer = await call('GET', '/auth-profiles/v1/x', { headers: { 'x-service-experimental': 'true' } });
    expect([answer.status, answer.json.detailCode, answer.json.causes]).toEqual([500, '500.0', []]);
    expect(answer.text).not.toContain('canary');
    expect(
      lines.some(({ fields, message }) => message === 'bug' && fields['trackingId'] === answer.json.trackingId),
    ).toBe(true);
  });
});

describe('a request during a failure of the storage', () => {
  test('is answered with 503 and Retry-After', async () => {
    const { call, store } = await openTestApi();
    Object.assign(store.authProfiles, { find: () => Promise.reject(new StorageUnavailable('canary')) });
    const answer = await call('GET', '/auth-profiles/v1/x', { headers: { 'x-service-experimental': 'true' } });
    expect([answer.status, answer.json.detailCode, answer.headers.get('retry-after')]).toEqual([503, '503', '1']);
    expect(answer.text).not.toContain('canary');
  });

  test('is answered with 503 without Retry-After if a write may have taken effect', async () => {
    const { call, store, importRecords } = await openTestApi();
    await importRecords(WORLD);
    Object.assign(store.checks, { enqueue: () => Promise.reject(new OutcomeUnknown('canary')) });
    const answer = await call('POST', '/sod-violations/v1/check', { body: { identityId: 'i-ada', accessRefs: [] } });
    expect([answer.status, answer.json.detailCode, answer.headers.get('retry-after')]).toEqual([503, '503', null]);
    expect(answer.text).not.toContain('canary');
  });

  test('a full backlog is answered with 429 and Retry-After', async () => {
    const { call, store, importRecords } = await openTestApi();
    await importRecords(WORLD);
    Object.assign(store.checks, { enqueue: async () => 'backlogFull' });
    const answer = await call('POST', '/sod-violations/v1/check', { body: { identityId: 'i-ada', accessRefs: [] } });
    expect([answer.status, answer.json.detailCode, answer.headers.get('retry-after')]).toEqual([429, '429', '5']);
  });
});

describe('the rate limit', () => {
  test('refuses the requests of a client above it with Retry-After, and of no other client', async () => {
    const { call, clientToken, rootToken } = await openTestApi({ rateLimit: { requests: 5, windowSeconds: 10 } });
    const token = await clientToken();
    await rootToken();
    const statuses = [];
    for (let at = 0; at < 6; at++) statuses.push((await call('GET', '/oauth-clients/v1', { token })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    const limited = await call('GET', '/oauth-clients/v1', { token });
    expect(limited.json.detailCode).toBe('429');
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await call('GET', '/oauth-clients/v1')).status).toBe(200);
  });
});

test('the metrics do not tell the version of Node', async () => {
  const { call } = await openTestApi();
  const { text } = await call('GET', '/metrics', { token: null });
  expect(text).toContain('process_cpu_seconds_total');
  expect(text).not.toContain(process.versions.node);
  expect(text).not.toContain('nodejs_version_info');
});

test.each(['debug', 'trace'])('at LOG_LEVEL=%s every answer tells how long it took', async (logLevel) => {
  const { call } = await openTestApi({ logLevel });
  for (const path of ['/healthz', '/oauth-clients/v1', '/nothing', '/login'])
    expect((await call('GET', path)).headers.get('server-timing')).toMatch(/^total;dur=\d+\.\d{3}$/);
});

test('else no answer tells it', async () => {
  const { call } = await openTestApi();
  expect((await call('GET', '/oauth-clients/v1')).headers.has('server-timing')).toBe(false);
});

test('the public port has no metrics where they have a port of their own', async () => {
  const { call } = await openTestApi({ metricsPort: 9464 });
  expect((await call('GET', '/metrics', { token: null })).status).toBe(404);
  expect((await call('GET', '/healthz', { token: null })).status).toBe(200);
});

test('the metrics need METRICS_TOKEN where it is set', async () => {
  const metricsToken = 'scrape-0123456789abcdef';
  const { call, rootToken } = await openTestApi({ metricsToken });
  const scrape = (token: string | null, method = 'GET') => call(method, '/metrics', { token });
  expect((await scrape(metricsToken)).text).toContain('process_cpu_seconds_total');
  expect((await scrape(metricsToken, 'HEAD')).status).toBe(200);
  const without = await scrape(null);
  expect([without.status, without.json.detailCode, without.headers.get('www-authenticate')]).toEqual([
    401,
    '401',
    'Bearer realm="access-admin"',
  ]);
  for (const token of [`${metricsToken}x`, metricsToken.slice(1), metricsToken.toUpperCase(), await rootToken()]) {
    const refused = await scrape(token);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="access-admin", error="invalid_token"',
    ]);
  }
  expect((await call('GET', '/metrics', { token: null, headers: { authorization: metricsToken } })).status).toBe(401);
  expect((await call('GET', '/healthz', { token: null })).status).toBe(200);
  expect((await call('GET', '/oauth-clients/v1', { token: metricsToken })).status).toBe(401);
});

describe('service endpoints need no token', () => {
  test('health, readiness, metrics, OpenAPI and the reference page', async () => {
    const { call, stopping } = await openTestApi();
    const get = (path: string) => call('GET', path, { token: null });
    expect((await get('/healthz')).status).toBe(200);
    expect((await get('/readyz')).status).toBe(200);
    expect((await get('/metrics')).status).toBe(200);
    expect((await get('/openapi.json')).json.openapi).toBe('3.1.0');
    expect((await get('/asyncapi.json')).json.asyncapi).toBe('3.0.0');
    const docs = await get('/docs');
    expect(docs.headers.get('content-type')).toContain('text/html');
    expect(docs.headers.get('content-security-policy')).toContain("script-src 'self'");
    const sources = [...docs.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source ?? '');
    expect(sources.length).toBeGreaterThan(0);
    for (const source of sources) expect([source, (await get(source)).status]).toEqual([source, 200]);
    stopping.abort();
    expect((await get('/readyz')).json.detailCode).toBe('503');
    expect((await get('/healthz')).status).toBe(200);
  });
});
