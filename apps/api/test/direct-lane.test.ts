import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { listen } from './listen.ts';
import { openTestApi, WORLD } from './test-api.ts';

const PREDICT = '/sod-violations/v1/predict';
const BODY = JSON.stringify({ identityId: 'i-cleo', accessRefs: [{ type: 'ENTITLEMENT', id: 'e-pay' }] });

/** The same app behind the direct lane and behind the router alone. */
async function openBothDoors() {
  const { app, rootToken, importRecords } = await openTestApi();
  await importRecords(WORLD);
  const direct = await listen(app);
  const routed = await listen({ ...app, direct: new Map() });
  return { direct, routed, token: await rootToken() };
}

/** All that comes back until the connection ends, without what differs from request to request. */
async function exchange(port: number, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.on('error', () => {});
  socket.write(request);
  await once(socket, 'close');
  const [head = '', ...rest] = answer.replaceAll(/[0-9a-f]{32}/g, '<id>').split('\r\n\r\n');
  const [status = '', ...headers] = head.split('\r\n');
  const kept = headers.filter((header) => !/^date:/i.test(header)).map((header) => header.toLowerCase());
  return [status, ...kept.sort(), '', ...rest].join('\n');
}

const post = (headers: readonly string[], body = BODY, target = PREDICT) =>
  [`POST ${target} HTTP/1.1`, ...headers, 'Connection: close', '', body].join('\r\n');

const JSON_TYPE = 'Content-Type: application/json';
const length = (body: string) => `Content-Length: ${Buffer.byteLength(body)}`;

const requests: Record<string, (authorization: string) => string> = {
  'a good request': (auth) => post(['Host: x', auth, JSON_TYPE, length(BODY)]),
  'names in any case': (auth) =>
    post(['HOST: x', auth.toUpperCase().slice(0, 14) + auth.slice(14), JSON_TYPE.toUpperCase(), length(BODY)]),
  'a charset': (auth) => post(['Host: x', auth, `${JSON_TYPE}; charset="UTF-8"`, length(BODY)]),
  'a port and an address of version 6': (auth) => post(['Host: [::1]:8080', auth, JSON_TYPE, length(BODY)]),
  'no token': () => post(['Host: x', JSON_TYPE, length(BODY)]),
  'a wrong token': () => post(['Host: x', 'Authorization: Bearer x.y.z', JSON_TYPE, length(BODY)]),
  'another scheme': () => post(['Host: x', 'Authorization: Basic eDp5', JSON_TYPE, length(BODY)]),
  'two tokens': (auth) => post(['Host: x', auth, auth, JSON_TYPE, length(BODY)]),
  'two tokens and no type': (auth) => post(['Host: x', auth, auth, length(BODY)]),
  'two types': (auth) => post(['Host: x', auth, JSON_TYPE, 'Content-Type: text/plain', length(BODY)]),
  'another type': (auth) => post(['Host: x', auth, 'Content-Type: text/plain', length(BODY)]),
  'no type': (auth) => post(['Host: x', auth, length(BODY)]),
  'an encoding': (auth) => post(['Host: x', auth, JSON_TYPE, 'Content-Encoding: gzip', length(BODY)]),
  'a host that makes no address': (auth) => post(['Host: a b', auth, JSON_TYPE, length(BODY)]),
  'a host that is almost an address': (auth) => post(['Host: a:b:c', auth, JSON_TYPE, length(BODY)]),
  'a port out of range': (auth) => post(['Host: x:99999', auth, JSON_TYPE, length(BODY)]),
  'an empty host': (auth) => post(['Host:', auth, JSON_TYPE, length(BODY)]),
  'no host': (auth) => post([auth, JSON_TYPE, length(BODY)]),
  'no body': (auth) => post(['Host: x', auth, JSON_TYPE, 'Content-Length: 0'], ''),
  'a body in chunks': (auth) =>
    post(
      ['Host: x', auth, JSON_TYPE, 'Transfer-Encoding: chunked'],
      `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`,
    ),
  'no JSON': (auth) => post(['Host: x', auth, JSON_TYPE, length('{')], '{'),
  'no UTF-8': (auth) => post(['Host: x', auth, JSON_TYPE, length('"é"')], '"é"'),
  'an unknown identity': (auth) =>
    post(
      ['Host: x', auth, JSON_TYPE, length('{"identityId":"i","accessRefs":[]}')],
      '{"identityId":"i","accessRefs":[]}',
    ),
  'a body one byte too large': (auth) =>
    post(['Host: x', auth, JSON_TYPE, 'Content-Length: 262145'], ' '.repeat(262_145)),
  'a body as large as allowed': (auth) =>
    post(['Host: x', auth, JSON_TYPE, 'Content-Length: 262144'], ' '.repeat(262_144)),
  'a small body': (auth) => post(['Host: x', auth, JSON_TYPE, 'Content-Length: 65536'], ' '.repeat(65_536)),
  'a query': (auth) => post(['Host: x', auth, JSON_TYPE, length(BODY)], BODY, `${PREDICT}?a=1`),
  'a target in absolute form': (auth) => post(['Host: x', auth, JSON_TYPE, length(BODY)], BODY, `http://x${PREDICT}`),
  'another method': (auth) => post(['Host: x', auth, JSON_TYPE, length(BODY)]).replace('POST', 'PUT'),
  'an older protocol': (auth) => post(['Host: x', auth, JSON_TYPE, length(BODY)]).replace('HTTP/1.1', 'HTTP/1.0'),
  'a client to be made with too large a body': (auth) =>
    post(['Host: x', auth, JSON_TYPE, 'Content-Length: 65537'], ' '.repeat(65_537), '/oauth-clients/v1'),
};

test.each(Object.entries(requests))(
  '%s gets the same answer through the direct lane and the router',
  async (_, make) => {
    const { direct, routed, token } = await openBothDoors();
    const request = make(`Authorization: Bearer ${token}`);
    const answer = await exchange(direct, request);
    expect(answer).toBe(await exchange(routed, request));
    expect(answer).toMatch(/^HTTP\/1\.1 \d{3} /);
  },
);

test('the direct lane takes what is usual and leaves the rest to the router', async () => {
  const { app } = await openTestApi();
  const mark = async () => ({ status: 299, headers: {}, body: null });
  const port = await listen({ ...app, direct: new Map([[PREDICT, mark]]) });
  const taken: string[] = [];
  for (const [name, make] of Object.entries(requests))
    if (/^HTTP\/1\.1 299/.test(await exchange(port, make('Authorization: Bearer x')))) taken.push(name);
  expect(taken).toEqual([
    'a good request',
    'names in any case',
    'a charset',
    'a port and an address of version 6',
    'a wrong token',
    'another scheme',
    'another type',
    'an encoding',
    'no body',
    'no JSON',
    'no UTF-8',
    'an unknown identity',
    'a small body',
    'an older protocol',
  ]);
});

test('requests on one connection are answered one after the other', async () => {
  const { direct, token } = await openBothDoors();
  const headers = ['Host: x', `Authorization: Bearer ${token}`, JSON_TYPE, length(BODY)];
  const kept = post(headers).replace('Connection: close\r\n', '');
  const answer = await exchange(direct, kept + kept + post(headers));
  expect(answer.match(/HTTP\/1\.1 200 OK/g)?.length).toBe(3);
  expect(answer.match(/"violationContexts":\[\{/g)?.length).toBe(3);
});

test('a sender who leaves in the middle of a body does no harm', async () => {
  const { direct, token } = await openBothDoors();
  const headers = ['Host: x', `Authorization: Bearer ${token}`, JSON_TYPE, length(BODY)];
  const socket = connect(direct, '127.0.0.1');
  socket.write(post(headers).slice(0, -10));
  await once(socket, 'connect');
  socket.destroy();
  expect(await exchange(direct, post(headers))).toMatch(/^HTTP\/1\.1 200/);
});
