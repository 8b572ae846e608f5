import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { type AccessAdminClient, AccessAdminError } from '../src/index.ts';
import { ada, openStage } from './fixtures.ts';
import { empty, hangUp, json, type Reaction, refusal } from './scripted-server.ts';

const access = { identityId: 'i-1', accessRefs: [] };

interface Call {
  readonly name: string;
  readonly line: string;
  readonly call: (admin: AccessAdminClient) => Promise<unknown>;
}

const REPEATABLE: readonly Call[] = [
  { name: 'GET', line: 'GET /auth-users/v1/i-1', call: ({ authUsers }) => authUsers.get('i-1') },
  { name: 'PUT', line: 'PUT /ui-metadata/v1/tenant', call: ({ uiMetadata }) => uiMetadata.set({}) },
  { name: 'DELETE', line: 'DELETE /oauth-clients/v1/c-1', call: ({ oauthClients }) => oauthClients.delete('c-1') },
  {
    name: 'PATCH with ifMatch',
    line: 'PATCH /auth-users/v1/i-1',
    call: ({ authUsers }) => authUsers.patch('i-1', [], { ifMatch: '"1"' }),
  },
  {
    name: 'predict',
    line: 'POST /sod-violations/v1/predict',
    call: ({ sodViolations }) => sodViolations.predict(access),
  },
  { name: 'check', line: 'POST /sod-violations/v1/check', call: ({ sodViolations }) => sodViolations.check(access) },
];

const UNREPEATABLE: readonly Call[] = [
  { name: 'PATCH', line: 'PATCH /auth-users/v1/i-1', call: ({ authUsers }) => authUsers.patch('i-1', []) },
  { name: 'import', line: 'POST /access-model/v1/import', call: ({ accessModel }) => accessModel.import('') },
  {
    name: 'creation of a client',
    line: 'POST /oauth-clients/v1',
    call: ({ oauthClients }) => oauthClients.create({ name: 'CI', scopes: [] }),
  },
];

/** Reactions after which the effect of the request is unknown. */
const UNKNOWN: readonly { readonly outcome: string; readonly reaction: Reaction }[] = [
  { outcome: 'a broken connection', reaction: hangUp },
  {
    outcome: 'half a response',
    reaction: (response) => response.writeHead(200, { 'content-length': '9' }).write('{', () => response.destroy()),
  },
  ...[500, 502, 503, 504].map((status) => ({ outcome: `${status}`, reaction: refusal(status, `${status}`) })),
  ...['1', 'Sat, 21 Nov 2026 09:30:05 GMT'].map((after) => ({
    outcome: `503 of a proxy with Retry-After ${after}`,
    reaction: ((response) =>
      response
        .writeHead(503, { 'content-type': 'text/html', 'retry-after': after })
        .end('<h1>503 Service Unavailable</h1>')) satisfies Reaction,
  })),
  { outcome: '503 of a proxy with another code', reaction: refusal(503, 'overloaded', { 'retry-after': '1' }) },
  ...['1.5', '-1'].map((after) => ({
    outcome: `503 with Retry-After ${after}`,
    reaction: refusal(503, '503', { 'retry-after': after }),
  })),
];

/** Reactions after which the request certainly had no effect. */
const NOT_ACCEPTED: readonly { readonly outcome: string; readonly reaction: Reaction }[] = [
  { outcome: '429', reaction: refusal(429, '429') },
  { outcome: '429 with Retry-After', reaction: refusal(429, '429', { 'retry-after': '1' }) },
  { outcome: '503 with Retry-After', reaction: refusal(503, '503', { 'retry-after': '1' }) },
];

const pairs = <A, B>(left: readonly A[], right: readonly B[]): readonly (A & B)[] =>
  left.flatMap((a) => right.map((b) => ({ ...a, ...b })));

test.each(pairs(REPEATABLE, UNKNOWN))('$name is repeated after $outcome', async ({ line, call, reaction }) => {
  await using stage = await openStage();
  stage.server.script(line, reaction, json(200, ada));
  await call(stage.admin);
  expect(stage.server.arrivals).toHaveLength(2);
});

test('a check is repeated with the same key, and another check has another key', async () => {
  await using stage = await openStage();
  stage.server.script('POST /sod-violations/v1/check', hangUp, json(202, {}), json(202, {}));
  await stage.admin.sodViolations.check(access);
  await stage.admin.sodViolations.check(access);
  const [first, again, other] = stage.server.arrivals.map(({ headers }) => headers['idempotency-key']);
  expect(first).toMatch(/^[!-~]{10,255}$/);
  expect(again).toBe(first);
  expect(other).toMatch(/^[!-~]{10,255}$/);
});

test.each(pairs(UNREPEATABLE, UNKNOWN))('$name is not repeated after $outcome', async ({ line, call, reaction }) => {
  await using stage = await openStage();
  stage.server.script(line, reaction, json(200, ada));
  await expect(call(stage.admin)).rejects.toThrow(AccessAdminError);
  expect(stage.server.arrivals).toHaveLength(1);
  expect(stage.runtime.sleeps).toEqual([]);
});

test.each(pairs([...REPEATABLE, ...UNREPEATABLE], NOT_ACCEPTED))(
  '$name is repeated after $outcome',
  async ({ line, call, reaction }) => {
    await using stage = await openStage();
    stage.server.script(line, reaction, json(200, ada));
    await call(stage.admin);
    expect(stage.server.arrivals).toHaveLength(2);
  },
);

test.each([...REPEATABLE, ...UNREPEATABLE])('$name is repeated after a refused connection', async ({ call, line }) => {
  await using stage = await openStage();
  stage.server.script(line, json(200, ada));
  const free = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => free.once('listening', resolve));
  const deaf = `http://127.0.0.1:${(free.address() as AddressInfo).port}`;
  await new Promise((resolve) => free.close(resolve));
  let tries = 0;
  const admin = stage.clientWith({
    token: 'mine',
    fetch: (url, init) => fetch(tries++ === 0 ? url.replace(stage.server.baseAddress, deaf) : url, init),
  });
  await call(admin);
  expect(tries).toBe(2);
});

test.each([...REPEATABLE, ...UNREPEATABLE])(
  '$name is repeated when its connection was never made',
  async ({ call, line }) => {
    await using stage = await openStage();
    stage.server.script(line, json(200, ada));
    // As when the listen queue of a process overflows.
    const cause = Object.assign(new Error('connect ECONNRESET'), { code: 'ECONNRESET', syscall: 'connect' });
    let tries = 0;
    const admin = stage.clientWith({
      token: 'mine',
      fetch: (url, init) =>
        tries++ === 0 ? Promise.reject(new TypeError('fetch failed', { cause })) : fetch(url, init),
    });
    await call(admin);
    expect(tries).toBe(2);
  },
);

test.each([400, 403, 404, 409, 412, 415])('nothing is repeated after %s', async (status) => {
  await using stage = await openStage();
  stage.server.script('GET /auth-users/v1/i-1', refusal(status, `${status}`));
  await expect(stage.admin.authUsers.get('i-1')).rejects.toMatchObject({ status });
  expect(stage.server.arrivals).toHaveLength(1);
});

describe('delays and number of retries', () => {
  const LINE = 'GET /auth-users/v1/i-1';

  test('6 retries wait 250, 500, 1,000, 2,000, 4,000 and 8,000 ms, each less a random part of its half', async () => {
    await using stage = await openStage();
    stage.server.script(LINE, refusal(503, '503'));
    await expect(stage.admin.authUsers.get('i-1')).rejects.toMatchObject({ name: 'UnavailableError' });
    expect(stage.runtime.sleeps).toEqual([187, 375, 750, 1_500, 3_000, 6_000]);
    expect(stage.server.arrivals).toHaveLength(7);
  });

  test('`retries: 0` means no retries', async () => {
    await using stage = await openStage({ retries: 0 });
    stage.server.script(LINE, refusal(429, '429', { 'retry-after': '1' }));
    await expect(stage.admin.authUsers.get('i-1')).rejects.toMatchObject({
      name: 'RateLimitedError',
      retryAfterMs: 1000,
    });
    expect(stage.server.arrivals).toHaveLength(1);
  });

  test.each([
    { header: '7', waitedMs: 7_187 },
    { header: '0', waitedMs: 187 },
    { header: 'Sat, 21 Nov 2026 09:30:05 GMT', waitedMs: 5_187 },
    { header: 'Sat, 21 Nov 2026 09:29:00 GMT', waitedMs: 187 },
  ])('Retry-After: $header is added to the delay', async ({ header, waitedMs }) => {
    await using stage = await openStage();
    stage.server.script(LINE, refusal(429, '429', { 'retry-after': header }), json(200, ada));
    await stage.admin.authUsers.get('i-1');
    expect(stage.runtime.sleeps).toEqual([waitedMs]);
  });

  test('a Retry-After beyond a minute rejects at once', async () => {
    await using stage = await openStage();
    stage.server.script(LINE, refusal(429, '429', { 'retry-after': '61' }));
    await expect(stage.admin.authUsers.get('i-1')).rejects.toMatchObject({ retryAfterMs: 61_000 });
    expect(stage.runtime.sleeps).toEqual([]);
  });
});

describe('a delete', () => {
  const LINE = 'DELETE /oauth-clients/v1/c-1';

  test('succeeds with 404 after an unknown outcome', async () => {
    await using stage = await openStage();
    stage.server.script(LINE, hangUp, refusal(429, '429'), refusal(404, '404'));
    await expect(stage.admin.oauthClients.delete('c-1')).resolves.toBeUndefined();
  });

  test.each([
    ['at first', [refusal(404, '404')]],
    ['after a try that was not accepted', [refusal(429, '429'), refusal(404, '404')]],
  ])('fails with 404 %s', async (_, reactions) => {
    await using stage = await openStage();
    stage.server.script(LINE, ...reactions);
    await expect(stage.admin.oauthClients.delete('c-1')).rejects.toMatchObject({ name: 'NotFoundError' });
  });

  test('a read fails with 404 after an unknown outcome', async () => {
    await using stage = await openStage();
    stage.server.script('GET /oauth-clients/v1/c-1', hangUp, refusal(404, '404'));
    await expect(stage.admin.oauthClients.get('c-1')).rejects.toMatchObject({ name: 'NotFoundError' });
  });
});

test('a redirect is reported, not followed', async () => {
  await using stage = await openStage();
  stage.server.script('GET /auth-users/v1/i-1', empty(307, { location: '/elsewhere' }));
  await expect(stage.admin.authUsers.get('i-1')).rejects.toMatchObject({ name: 'ApiError', status: 307 });
  expect(stage.server.arrivals).toHaveLength(1);
});
