import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { serve } from '../src/server/serve.ts';
import { listen, openServer as openServing, UNWATCHED } from './listen.ts';
import { openTestApi } from './test-api.ts';

const HOUR_MS = 3_600_000;

/** The app on a real socket; `exchange` sends bytes and resolves with everything received until the connection ends. */
async function openServer() {
  const { app } = await openTestApi();
  const port = await listen(app);
  const exchange = async (request: string) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.write(request);
    await once(socket, 'close');
    return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]), text: answer };
  };
  const get = (target: string, headers = 'Host: x') =>
    exchange(`GET ${target} HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`);
  return { app, port, exchange, get };
}

test('a stopping server answers requests on idle connections, and ends soon after', async () => {
  const { app, stopping } = await openTestApi();
  const { port, stop } = await openServing(app);
  const sockets = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')] as const;
  const ask = async (socket: (typeof sockets)[number]) => {
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    const [answer] = await once(socket, 'data');
    return String(answer);
  };
  for (const socket of sockets) expect(await ask(socket)).toMatch(/^HTTP\/1\.1 200 [\s\S]*Connection: keep-alive/);
  stopping.abort();
  const closed = sockets.map((socket) => once(socket, 'close'));
  const stopped = stop(HOUR_MS);
  expect(await ask(sockets[0])).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close/i);
  const refused = connect(port, '127.0.0.1');
  await once(refused, 'error');
  await stopped;
  await Promise.all(closed);
});

describe('on a real socket', () => {
  test('targets are used as sent: not resolved, not encoded again, measured in their own bytes', async () => {
    const { get } = await openServer();
    expect((await get('/healthz')).status).toBe(200);
    expect((await get('http://x/healthz?a=1')).status).toBe(200);
    expect((await get('/x/../healthz')).status).toBe(404);
    expect((await get(`/healthz?${'"'.repeat(2048 - '/healthz?'.length)}`)).status).toBe(200);
    expect((await get(`/healthz?${'"'.repeat(2049 - '/healthz?'.length)}`)).status).toBe(414);
    expect((await get(`/${'a/../'.repeat(450)}healthz`)).status).toBe(414);
  });

  test('a request without a valid address gets an error in the error shape', async () => {
    const { get } = await openServer();
    const answer = await get('/healthz', 'Host: a b');
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('"detailCode":"400.1"');
  });

  test('a body in pieces is read completely, and a large one refused', async () => {
    const { exchange } = await openServer();
    const post = (headers: string, body: string) =>
      exchange(`POST /oauth/token HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n\r\n${body}`);
    const form = 'grant_type=client_credentials&client_id=root&client_secret=root%20secret%25';
    const chunks = [...form].map((character) => `1\r\n${character}\r\n`).join('');
    const type = 'Content-Type: application/x-www-form-urlencoded';
    expect((await post(`${type}\r\nTransfer-Encoding: chunked`, `${chunks}0\r\n\r\n`)).status).toBe(200);
    expect((await post(`${type}\r\nContent-Length: ${form.length}`, form)).status).toBe(200);
    expect((await post(`${type}\r\nContent-Length: 65537`, 'x'.repeat(65_537))).status).toBe(413);
    expect((await post(`${type}\r\nExpect: nothing\r\nContent-Length: ${form.length}`, form)).status).toBe(200);
  });

  test('an unavailable address is reported in a text', async () => {
    const { app, port } = await openServer();
    const again = await serve(app, { host: '127.0.0.1', port, ...UNWATCHED });
    expect(again).toMatchObject({ ok: false, failure: expect.stringContaining('in use') });
  });
});
