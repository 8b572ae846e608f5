import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from './listen.ts';
import { openTestApi, WORLD } from './test-api.ts';

async function open(baseAddress = 'http://127.0.0.1:8080') {
  const { app, rootToken, importRecords } = await openTestApi({ baseAddress });
  const port = await listen(app);
  /** Everything received until the service closes the connection. */
  const send = async (...lines: readonly string[]): Promise<string> => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    onTestFinished(() => void socket.destroy());
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    await once(socket, 'close');
    return text;
  };
  return { send, rootToken, importRecords };
}

const PUBLIC = ['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs', '/.well-known/oauth-authorization-server'];

test.each(['http://127.0.0.1:8080', 'http://{tenant}.example.com'])(
  'HTTP/1.0 without Host is answered where no token is needed, and the connection is closed: %s',
  async (baseAddress) => {
    const { send } = await open(baseAddress);
    for (const path of PUBLIC) {
      const answer = await send(`GET ${path} HTTP/1.0`);
      expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      expect(answer).toMatch(/\r\nconnection: close\r\n/i);
    }
    expect(await send('HEAD /healthz HTTP/1.0')).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\n$/);
    expect(await send('GET /none HTTP/1.0')).toMatch(/^HTTP\/1\.1 404 /);
  },
);

test('HTTP/1.0 without Host may use a token, but not where the host names the tenant', async () => {
  for (const [baseAddress, status] of [
    ['http://127.0.0.1:8080', 200],
    ['http://{tenant}.example.com', 401],
    // `null` is what a missing header would be as a text.
    ['http://{tenant}', 401],
  ] as const) {
    const { send, rootToken } = await open(baseAddress);
    const authorization = `Authorization: Bearer ${await rootToken()}`;
    const answer = await send('GET /oauth-clients/v1 HTTP/1.0', authorization);
    expect(answer).toMatch(`HTTP/1.1 ${status} `);
  }
});

test('HTTP/1.0 keeps a connection only if asked, and gets long answers without chunks', async () => {
  const { send, rootToken, importRecords } = await open();
  const long = { kind: 'entitlement', name: 'x'.repeat(250), source: 'S' };
  await importRecords([...WORLD, ...Array.from({ length: 500 }, (_, at) => ({ ...long, id: `e-long-${at}` }))]);
  const kept = ['GET /healthz HTTP/1.0', 'Connection: keep-alive', '', ''];
  const answers = await send(...kept, ...kept, 'GET /healthz HTTP/1.0');
  expect(answers.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
  expect(answers.match(/\r\nconnection: keep-alive\r\n/gi)).toHaveLength(2);
  expect((await send('GET /healthz HTTP/1.0', '', 'GET /healthz HTTP/1.0')).match(/200 OK/g)).toHaveLength(1);

  const exported = await send(
    'GET /access-model/v1/export HTTP/1.0',
    'Connection: keep-alive',
    `Authorization: Bearer ${await rootToken()}`,
  );
  const [head = '', body = ''] = exported.split('\r\n\r\n');
  expect(head).not.toMatch(/transfer-encoding/i);
  expect(head).toMatch(/\r\nconnection: close/i);
  expect(
    body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).kind),
  ).toContain('identity');
});

test('HTTP/1.1 without Host, and an empty Host, are refused', async () => {
  const { send } = await open();
  expect(await send('GET /healthz HTTP/1.1', 'Connection: close')).toMatch(/^HTTP\/1\.1 400 /);
  for (const version of ['1.0', '1.1'])
    expect(await send(`GET /healthz HTTP/${version}`, 'Host:', 'Connection: close')).toMatch(/^HTTP\/1\.1 400 /);
});

test.each([
  ['http://y/healthz', 'x', 400],
  ['http://y:80/healthz', 'y', 200],
  ['HTTP://Y/healthz?a', 'y:80', 200],
  ['https://y:443/healthz', 'y', 200],
  ['https://y:80/healthz', 'y', 400],
  ['http://y:81/healthz', 'y', 400],
  ['http://u@y/healthz', 'y', 400],
  ['http://y/healthz', 'u@y', 400],
  ['http://y/healthz', 'y z', 400],
  ['http:///healthz', 'y', 400],
  // The path is `/`, which leads to a page.
  ['http://y?/healthz', 'y', 303],
] as const)('the target %s with the Host %s is answered with %i', async (target, host, status) => {
  const { send } = await open();
  const answer = await send(`GET ${target} HTTP/1.1`, `Host: ${host}`, 'Connection: close');
  expect(answer).toMatch(`HTTP/1.1 ${status} `);
  if (status === 400) expect(answer).toContain('"detailCode":"400.1"');
});

test('a target cannot name the tenant of another host', async () => {
  const { send, rootToken } = await open('http://{tenant}.example.com');
  const authorization = `Authorization: Bearer ${await rootToken()}`;
  const ask = (target: string, host: string) =>
    send(`GET ${target}/oauth-clients/v1 HTTP/1.1`, `Host: ${host}.example.com`, authorization, 'Connection: close');
  expect(await ask('http://default.example.com', 'default')).toMatch(/^HTTP\/1\.1 200 /);
  expect(await ask('http://default.example.com', 'other')).toMatch(/^HTTP\/1\.1 400 /);
  expect(await ask('http://other.example.com', 'default')).toMatch(/^HTTP\/1\.1 400 /);
  expect(await ask('http://other.example.com', 'other')).toMatch(/^HTTP\/1\.1 401 /);
});
