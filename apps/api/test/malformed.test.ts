import { once } from 'node:events';
import { connect } from 'node:net';
import { setInterval } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from './listen.ts';
import { openTestApi, WORLD } from './test-api.ts';

const PREDICT = '/sod-violations/v1/predict';
const BODY = JSON.stringify({ identityId: 'i-cleo', accessRefs: [] });
const GOOD = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';

async function open() {
  const { app, lines, rootToken, importRecords } = await openTestApi();
  await importRecords(WORLD);
  const port = await listen(app);
  const token = await rootToken();
  /** A connection and the statuses of its responses so far. */
  const converse = () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    onTestFinished(() => void socket.destroy());
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d{3}) [A-Z]/g)].map(([, status]) => Number(status));
    return { socket, statuses, text: () => text };
  };
  /** Everything received until the connection ends: the statuses of the responses, and the text. */
  const exchange = async (request: string) => {
    const { socket, statuses, text } = converse();
    socket.write(request);
    await once(socket, 'close');
    return { statuses: statuses(), text: text() };
  };
  const post = (headers: readonly string[], body: string, target = PREDICT) =>
    [
      `POST ${target} HTTP/1.1`,
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      ...headers,
      '',
      body,
    ].join('\r\n');
  return { converse, exchange, post, lines };
}

const CLOSE = 'Connection: close';
const LENGTH = `Content-Length: ${BODY.length}`;

test.each([
  ['more than one Host', ['Host: x', 'Host: y', LENGTH, CLOSE], BODY],
  ['the same Host twice', ['Host: x', 'Host: x', LENGTH, CLOSE], BODY],
  [
    'a transfer coding besides chunks',
    ['Host: x', 'Transfer-Encoding: gzip, chunked', CLOSE],
    `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`,
  ],
])('%s is refused in the error shape', async (_, headers, body) => {
  const { exchange, post } = await open();
  const { statuses, text } = await exchange(post(headers, body));
  expect(statuses).toEqual([400]);
  expect(text).toContain('"detailCode":"400.1"');
});

test.each([
  ['an unknown transfer coding', 'GET', '/auth-users/v1/x', 'Transfer-Encoding: gzip', ''],
  ['the same on the direct way', 'GET', '/healthz', 'Transfer-Encoding: gzip', ''],
  ['malformed chunks', 'DELETE', '/sod-policies/v1/x', 'Transfer-Encoding: chunked', 'zz\r\n'],
])(
  'a response after which the connection is closed has `Connection: close`: %s',
  async (_, method, target, header, body) => {
    const { exchange } = await open();
    const { statuses, text } = await exchange(`${method} ${target} HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n${body}`);
    expect(statuses).toHaveLength(1);
    expect(text).toMatch(/^connection: close\r\n/im);
  },
);

test.each(['x:443', '/healthz', 'http://x/healthz'])(
  'CONNECT %s is refused in the error shape, and its connection is closed',
  async (target) => {
    const { exchange } = await open();
    const { statuses, text } = await exchange(`CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(statuses).toEqual([400]);
    expect(text).toMatch(/^connection: close\r\n/im);
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      detailCode: '400.1',
      causes: [{ detailCode: '400.1' }],
    });
  },
);

test('CONNECT to a target that is too long is refused like any other request', async () => {
  const { exchange } = await open();
  const { statuses, text } = await exchange(`CONNECT ${'x'.repeat(2_100)}:443 HTTP/1.1\r\nHost: x\r\n\r\n`);
  expect(statuses).toEqual([414]);
  expect(text).toMatch(/^content-length: 0\r\nconnection: close\r\n\r\n$/im);
});

test('a target in absolute form may have its scheme in capitals', async () => {
  const { exchange } = await open();
  expect((await exchange(`GET HTTP://x/healthz HTTP/1.1\r\nHost: x\r\n${CLOSE}\r\n\r\n`)).statuses).toEqual([200]);
});

test('a request that names no resource has a log line with the tracking id of its response', async () => {
  const { exchange, lines } = await open();
  for (const request of [
    `GET / HTTP/1.1\r\nHost: a b\r\n${CLOSE}\r\n\r\n`,
    'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
  ]) {
    const { text } = await exchange(request);
    const trackingId = /^x-request-id: ([0-9a-f]{32})\r$/im.exec(text)?.[1];
    expect(lines.at(-1)?.fields).toMatchObject({ trackingId, status: 400, method: request.split(' ')[0] });
  }
});

test('a malformed request behind a valid one is refused after its response', async () => {
  const { exchange, post } = await open();
  expect((await exchange(`${GOOD}none\r\n\r\n`)).statuses).toEqual([200, 400]);
  expect((await exchange(`${GOOD}${GOOD}none\r\n\r\n`)).statuses).toEqual([200, 200, 400]);
  const check = post(['Host: x', LENGTH], `${BODY}junk\r\n\r\n`, '/sod-violations/v1/check');
  expect((await exchange(check)).statuses).toEqual([202, 400]);
});

test('a malformed body or a CONNECT behind unanswered requests is refused after their responses', async () => {
  const { exchange, post } = await open();
  const check = post(['Host: x', LENGTH], BODY, '/sod-violations/v1/check');
  const chunks = post(['Host: x', 'Transfer-Encoding: chunked'], '-1\r\n', '/sod-violations/v1/check');
  expect((await exchange(check + check + chunks)).statuses).toEqual([202, 202, 400]);
  expect((await exchange(`${check}${check}CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n`)).statuses).toEqual([202, 202, 400]);
});

test('a request behind one that closes the connection is ignored', async () => {
  const { exchange } = await open();
  const closing = GOOD.replace('Host: x', `Host: x\r\n${CLOSE}`);
  expect((await exchange(closing + GOOD)).statuses).toEqual([200]);
});

test('a malformed body is refused at once', async () => {
  const { exchange, post } = await open();
  const chunks = post(['Host: x', 'Transfer-Encoding: chunked'], `-1\r\n${BODY}\r\n0\r\n\r\n`);
  const { statuses, text } = await exchange(chunks);
  expect(statuses).toEqual([400]);
  expect(text).toBe('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
  expect((await exchange(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(50_000)}\r\n\r\n`)).statuses).toEqual([431]);
});

test('a request that is refused before its body has arrived is refused once, and the next one is answered', async () => {
  const { converse } = await open();
  const head = ['POST /nothing HTTP/1.1', 'Host: x', 'Content-Length: 8', '', ''].join('\r\n');
  const { socket, statuses } = converse();
  socket.write(head);
  await expect.poll(statuses).toEqual([404]);
  // Longer than half a second, after which some servers close such a connection.
  let sent = 0;
  for await (const _ of setInterval(100)) {
    socket.write('x');
    if (++sent === 8) break;
  }
  socket.write(GOOD);
  await expect.poll(statuses).toEqual([404, 200]);

  socket.write(head.replace('Content-Length: 8', 'Transfer-Encoding: chunked'));
  await expect.poll(statuses).toEqual([404, 200, 404]);
  socket.write('-1\r\n');
  await once(socket, 'close');
  expect(statuses()).toEqual([404, 200, 404]);
});

test('a deletion that has taken effect gets its response even if its body is malformed', async () => {
  const { exchange, post } = await open();
  const malformed = post(['Host: x', 'Transfer-Encoding: chunked'], 'zz\r\n', '/sod-policies/v1/p-1').replace(
    'POST',
    'DELETE',
  );
  expect((await exchange(malformed)).statuses).toEqual([204]);
  expect((await exchange(GOOD + malformed)).statuses).toEqual([200, 404]);
});

test('a request that both Node and its parser refuse gets one response', async () => {
  const { exchange } = await open();
  const { text } = await exchange('GET / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n');
  expect(text.match(/HTTP\/1\.1 400/g)).toHaveLength(1);
});
