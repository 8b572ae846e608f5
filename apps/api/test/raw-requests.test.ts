import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { listen } from './listen.ts';
import { openTestApi, WORLD } from './test-api.ts';

const PREDICT = '/sod-violations/v1/predict';
const BODY = JSON.stringify({ identityId: 'i-cleo', accessRefs: [{ type: 'ENTITLEMENT', id: 'e-pay' }] });

async function open() {
  const { app, rootToken, importRecords } = await openTestApi();
  await importRecords(WORLD);
  return { port: await listen(app), token: await rootToken() };
}

/** Everything received until the connection ends. */
async function receive(port: number, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.on('error', () => {});
  socket.write(request);
  await once(socket, 'close');
  return answer;
}

/** What is received without the values that differ between requests, with the headers sorted. */
async function exchange(port: number, request: string): Promise<string> {
  const answer = await receive(port, request);
  const [head = '', ...rest] = answer.replaceAll(/[0-9a-f]{32}/g, '<id>').split('\r\n\r\n');
  const [status = '', ...headers] = head.split('\r\n');
  const kept = headers.filter((header) => !/^date:/i.test(header)).map((header) => header.toLowerCase());
  return [status, ...kept.sort(), '', ...rest].join('\n');
}

const post = (headers: readonly string[], body = BODY, target = PREDICT) =>
  [`POST ${target} HTTP/1.1`, ...headers, 'Connection: close', '', body].join('\r\n');

const JSON_TYPE = 'Content-Type: application/json';
const length = (body: string) => `Content-Length: ${Buffer.byteLength(body)}`;

/** The expected status and the request, by name. */
const requests: Record<string, readonly [number, (authorization: string) => string]> = {
  'a good request': [200, (auth) => post(['Host: x', auth, JSON_TYPE, length(BODY)])],
  'names in any case': [
    200,
    (auth) =>
      post(['HOST: x', auth.toUpperCase().slice(0, 14) + auth.slice(14), JSON_TYPE.toUpperCase(), length(BODY)]),
  ],
  'a charset': [200, (auth) => post(['Host: x', auth, `${JSON_TYPE}; charset="UTF-8"`, length(BODY)])],
  'an empty port after a name': [200, (auth) => post(['Host: localhost:', auth, JSON_TYPE, length(BODY)])],
  'a port and an address of version 6': [200, (auth) => post(['Host: [::1]:8080', auth, JSON_TYPE, length(BODY)])],
  'no token': [401, () => post(['Host: x', JSON_TYPE, length(BODY)])],
  'a wrong token': [401, () => post(['Host: x', 'Authorization: Bearer x.y.z', JSON_TYPE, length(BODY)])],
  'another scheme': [401, () => post(['Host: x', 'Authorization: Basic eDp5', JSON_TYPE, length(BODY)])],
  'two tokens': [401, (auth) => post(['Host: x', auth, auth, JSON_TYPE, length(BODY)])],
  'two tokens and no type': [401, (auth) => post(['Host: x', auth, auth, length(BODY)])],
  'two types': [415, (auth) => post(['Host: x', auth, JSON_TYPE, 'Content-Type: text/plain', length(BODY)])],
  'another type': [415, (auth) => post(['Host: x', auth, 'Content-Type: text/plain', length(BODY)])],
  'no type': [415, (auth) => post(['Host: x', auth, length(BODY)])],
  'an encoding': [415, (auth) => post(['Host: x', auth, JSON_TYPE, 'Content-Encoding: gzip', length(BODY)])],
  'a host that makes no address': [400, (auth) => post(['Host: a b', auth, JSON_TYPE, length(BODY)])],
  'a host that is almost an address': [400, (auth) => post(['Host: a:b:c', auth, JSON_TYPE, length(BODY)])],
  'a port out of range': [400, (auth) => post(['Host: x:99999', auth, JSON_TYPE, length(BODY)])],
  'an empty host': [400, (auth) => post(['Host:', auth, JSON_TYPE, length(BODY)])],
  'no host': [400, (auth) => post([auth, JSON_TYPE, length(BODY)])],
  'no body': [400, (auth) => post(['Host: x', auth, JSON_TYPE, 'Content-Length: 0'], '')],
  'a body in chunks': [
    200,
    (auth) =>
      post(
        ['Host: x', auth, JSON_TYPE, 'Transfer-Encoding: chunked'],
        `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`,
      ),
  ],
  'no JSON': [400, (auth) => post(['Host: x', auth, JSON_TYPE, length('{')], '{')],
  'no UTF-8': [400, (auth) => post(['Host: x', auth, JSON_TYPE, length('"é"')], '"é"')],
  'an unknown identity': [
    404,
    (auth) =>
      post(
        ['Host: x', auth, JSON_TYPE, length('{"identityId":"i","accessRefs":[]}')],
        '{"identityId":"i","accessRefs":[]}',
      ),
  ],
  'a body one byte too large': [
    413,
    (auth) => post(['Host: x', auth, JSON_TYPE, 'Content-Length: 262145'], ' '.repeat(262_145)),
  ],
  'a body as large as allowed': [
    400,
    (auth) => post(['Host: x', auth, JSON_TYPE, 'Content-Length: 262144'], ' '.repeat(262_144)),
  ],
  'a small body': [400, (auth) => post(['Host: x', auth, JSON_TYPE, 'Content-Length: 65536'], ' '.repeat(65_536))],
  'a query': [200, (auth) => post(['Host: x', auth, JSON_TYPE, length(BODY)], BODY, `${PREDICT}?a=1`)],
  'a target in absolute form': [
    200,
    (auth) => post(['Host: x', auth, JSON_TYPE, length(BODY)], BODY, `http://x${PREDICT}`),
  ],
  'another method': [405, (auth) => post(['Host: x', auth, JSON_TYPE, length(BODY)]).replace('POST', 'PUT')],
  'an older protocol': [
    200,
    (auth) => post(['Host: x', auth, JSON_TYPE, length(BODY)]).replace('HTTP/1.1', 'HTTP/1.0'),
  ],
  'a client to be made with too large a body': [
    413,
    (auth) => post(['Host: x', auth, JSON_TYPE, 'Content-Length: 65537'], ' '.repeat(65_537), '/oauth-clients/v1'),
  ],
};

test.each(Object.entries(requests))('%s', async (_, [status, make]) => {
  const { port, token } = await open();
  const answer = await exchange(port, make(`Authorization: Bearer ${token}`));
  expect(answer.split('\n')[0]).toMatch(`HTTP/1.1 ${status} `);
});

test.each([
  ['a prediction', [200, post(['Host: x', JSON_TYPE, length(BODY)])], ['content-type']],
  [
    'an explained prediction',
    [200, post(['Host: x', JSON_TYPE, length(BODY)], BODY, `${PREDICT}?include=via`)],
    ['content-type'],
  ],
  [
    'a list',
    [200, 'GET /sod-policies/v1?count=true HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['content-type', 'x-total-count'],
  ],
  [
    'a refused method',
    [405, 'PUT /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['content-type', 'allow'],
  ],
] as const)(
  '%s has the headers of every answer before its own, in the order in which they are set',
  async (_, [status, request], own) => {
    const { port, token } = await open();
    const answer = await receive(port, request.replace('Host: x', `Host: x\r\nAuthorization: Bearer ${token}`));
    const [line, ...headers] = answer.split('\r\n\r\n')[0]?.split('\r\n') ?? [];
    expect(line).toContain(` ${status} `);
    expect(headers.map((header) => header.split(':')[0]).slice(0, 3 + own.length)).toEqual([
      'x-request-id',
      'x-content-type-options',
      'cache-control',
      ...own,
    ]);
  },
);

test('requests on one connection are answered one after the other', async () => {
  const { port, token } = await open();
  const headers = ['Host: x', `Authorization: Bearer ${token}`, JSON_TYPE, length(BODY)];
  const kept = post(headers).replace('Connection: close\r\n', '');
  const answer = await exchange(port, kept + kept + post(headers));
  expect(answer.match(/HTTP\/1\.1 200 OK/g)?.length).toBe(3);
  expect(answer.match(/"violationContexts":\[\{/g)?.length).toBe(3);
});

test('an aborted upload does not affect other requests', async () => {
  const { port, token } = await open();
  const headers = ['Host: x', `Authorization: Bearer ${token}`, JSON_TYPE, length(BODY)];
  const socket = connect(port, '127.0.0.1');
  socket.write(post(headers).slice(0, -10));
  await once(socket, 'connect');
  socket.destroy();
  expect(await exchange(port, post(headers))).toMatch(/^HTTP\/1\.1 200/);
});

test('a prediction counts the rights of the moment at which its body has arrived', async () => {
  const { app, call, tokenFor, importRecords } = await openTestApi();
  await importRecords(WORLD);
  const port = await listen(app);
  const { json } = await call('POST', '/oauth-clients/v1', { body: { name: 'c', scopes: ['sod-violations:read'] } });
  const token = await tokenFor(json.id, json.secret);
  const request = post(['Host: x', `Authorization: Bearer ${token}`, JSON_TYPE, length(BODY)]);
  expect(await exchange(port, request)).toMatch(/^HTTP\/1\.1 200/);
  const socket = connect(port, '127.0.0.1');
  const answered = once(socket, 'data');
  socket.write(request.slice(0, -10));
  await once(socket, 'connect');
  expect((await call('DELETE', `/oauth-clients/v1/${json.id}`)).status).toBe(204);
  socket.end(request.slice(-10));
  expect(String(await answered)).toMatch(/^HTTP\/1\.1 401/);
});
