import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { WEBHOOK_ANSWER_BYTES_MAX } from '@access-admin/contract';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createConnections, pinTo } from './connections.ts';
import { createResolveHost, type Resolvers } from './resolve.ts';
import { createSend } from './send.ts';

/** A receiver on loopback. */
async function openReceiver(listener: RequestListener) {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  let connected = 0;
  server.on('connection', () => connected++);
  const { port } = server.address() as AddressInfo;
  return { port, origin: `http://127.0.0.1:${port}`, connected: () => connected };
}

const refuseNames: Resolvers = {
  byDns: async () => {
    throw new Error('no name may be resolved');
  },
  bySystem: async () => {
    throw new Error('no name may be resolved');
  },
};

function openSend(targets: readonly string[], resolvers: Resolvers = refuseNames, attemptMs = 5_000) {
  const listed = new Set(targets);
  const connections = createConnections();
  onTestFinished(connections.close);
  const send = createSend({
    resolveHost: createResolveHost(resolvers, listed),
    connections,
    targets: listed,
    attemptMs,
  });
  return (url: string, body = '{"a":1}') => send({ owner: 'acme w-1', url, headers: { 'webhook-id': 'e-1' }, body });
}

describe('an attempt', () => {
  test('posts the body with its headers, and tells the status', async () => {
    const seen: unknown[] = [];
    const { origin } = await openReceiver(async (request, response) => {
      const chunks = await request.toArray();
      const { method, url, headers } = request;
      seen.push([
        method,
        url,
        headers.host,
        headers['webhook-id'],
        headers['content-length'],
        String(Buffer.concat(chunks)),
      ]);
      response.writeHead(204).end();
    });
    const send = openSend([origin]);
    expect(await send(`${origin}/a?b=c`)).toEqual({ status: 204, retryAfter: null, error: null });
    expect(seen).toEqual([['POST', '/a?b=c', origin.slice(7), 'e-1', '7', '{"a":1}']]);
  });

  test('keeps its connection for the next one', async () => {
    const { origin, connected } = await openReceiver((_, response) => response.writeHead(200).end('thanks'));
    const send = openSend([origin]);
    for (let count = 0; count < 5; count++) expect((await send(origin)).status).toBe(200);
    expect(connected()).toBe(1);
  });

  test('is repeated at once when the receiver closes a kept connection', async () => {
    const { origin } = await openReceiver((_, response) => {
      // Closes what it has promised to keep.
      response.writeHead(200, { connection: 'keep-alive' }).end(() => setImmediate(() => response.socket?.destroy()));
    });
    const send = openSend([origin]);
    for (let count = 0; count < 20; count++) expect(await send(origin)).toMatchObject({ status: 200, error: null });
  });

  test('follows no redirect', async () => {
    const other = await openReceiver((_, response) => response.end());
    const { origin } = await openReceiver((_, response) => response.writeHead(302, { location: other.origin }).end());
    expect((await openSend([origin, other.origin])(origin)).status).toBe(302);
    expect(other.connected()).toBe(0);
  });

  test('reads at most 64 KiB of an answer, and its status counts', async () => {
    let sent = 0;
    const { origin } = await openReceiver((_, response) => {
      response.writeHead(200);
      const piece = Buffer.alloc(16_384);
      const write = () => {
        while (!response.destroyed) {
          sent += piece.length;
          if (!response.write(piece)) break;
        }
      };
      response.on('drain', write);
      write();
    });
    expect(await openSend([origin])(origin)).toEqual({ status: 200, retryAfter: null, error: null });
    // What lies in the buffers of the sockets was sent too.
    expect(sent).toBeLessThan(WEBHOOK_ANSWER_BYTES_MAX + 16 * 1024 * 1024);
  });

  test('ends in time: a receiver that hangs, or drips its answer', async () => {
    const hanging = await openReceiver(() => {});
    const tcp = createTcpServer((socket: Socket) => socket.on('error', () => {}).write('HTTP/1.1 200 OK\r\nx: '));
    tcp.listen(0, '127.0.0.1');
    await once(tcp, 'listening');
    onTestFinished(() => void tcp.close());
    const dripping = `http://127.0.0.1:${(tcp.address() as AddressInfo).port}`;
    for (const origin of [hanging.origin, dripping])
      expect(await openSend([origin], refuseNames, 50)(origin)).toMatchObject({
        status: null,
        error: 'The receiver has not answered in time.',
      });
  });

  test('ends in time when a name server hangs', async () => {
    const never = () => new Promise<never>(() => {});
    const send = openSend([], { byDns: never, bySystem: never }, 50);
    expect((await send('https://hooks.example.com/')).error).toBe('The receiver has not answered in time.');
  });

  test('tells why there is no answer, without an address', async () => {
    const closing = createTcpServer((socket) => socket.destroy());
    closing.listen(0, '127.0.0.1');
    await once(closing, 'listening');
    const reset = `http://127.0.0.1:${(closing.address() as AddressInfo).port}`;
    expect((await openSend([reset])(reset)).error).toBe('The receiver closed the connection without an answer.');
    closing.close();
    await once(closing, 'close');
    expect((await openSend([reset])(reset)).error).toBe('The receiver refused the connection.');
    const noHttp = createTcpServer((socket) => socket.on('error', () => {}).end('SSH-2.0-x\r\n'));
    noHttp.listen(0, '127.0.0.1');
    await once(noHttp, 'listening');
    onTestFinished(() => void noHttp.close());
    const address = `http://127.0.0.1:${(noHttp.address() as AddressInfo).port}`;
    expect((await openSend([address])(address)).error).toBe('The answer of the receiver is not HTTP.');
    expect((await openSend(['https://127.0.0.1:1'])(`https://127.0.0.1:1`)).error).toBe(
      'The receiver refused the connection.',
    );
  });

  test('ignores proxies of the environment', async () => {
    const proxy = await openReceiver((_, response) => response.end());
    const { origin } = await openReceiver((_, response) => response.writeHead(201).end());
    const before = { ...process.env };
    onTestFinished(() => void Object.assign(process.env, { ...before }));
    Object.assign(process.env, { NODE_USE_ENV_PROXY: '1', http_proxy: proxy.origin, HTTP_PROXY: proxy.origin });
    const status = (await openSend([origin])(origin)).status;
    for (const name of ['NODE_USE_ENV_PROXY', 'http_proxy', 'HTTP_PROXY']) delete process.env[name];
    expect([status, proxy.connected()]).toEqual([201, 0]);
  });
});

describe('an attempt goes to public addresses only', () => {
  const NOT_PUBLIC = 'The name of the receiver has no address, or one that is not public.';
  const resolving = (...answers: (readonly string[])[]): Resolvers & { readonly asked: string[] } => {
    const asked: string[] = [];
    const byDns = async (name: string) => {
      asked.push(name);
      return answers[Math.min(asked.length, answers.length) - 1] ?? [];
    };
    return { asked, byDns, bySystem: refuseNames.bySystem };
  };

  test('each address of a name must be public', async () => {
    for (const address of [
      '127.0.0.1',
      '10.0.0.1',
      '169.254.169.254',
      '::1',
      '::ffff:127.0.0.1',
      '64:ff9b::7f00:1',
      'fd00::1',
    ])
      for (const answer of [[address], ['93.184.215.14', address]])
        expect((await openSend([], resolving(answer))('https://hooks.example.com/')).error).toBe(NOT_PUBLIC);
  });

  test('a name is resolved anew at each attempt', async () => {
    const resolvers = resolving(['127.0.0.1']);
    const send = openSend([], resolvers);
    for (let count = 0; count < 3; count++) await send('https://hooks.example.com/');
    expect(resolvers.asked).toEqual(Array.from({ length: 3 }, () => 'hooks.example.com'));
  });

  test('the connection goes to the validated addresses, even if the name has another one by then', async () => {
    const { port, connected } = await openReceiver((_, response) => response.end());
    const resolved: string[] = [];
    const connections = createConnections();
    onTestFinished(connections.close);
    const targets = new Set<string>();
    // `localhost` is loopback for the system, and public for `resolveHost`: only the latter may count.
    const send = createSend({
      targets,
      connections,
      attemptMs: 200,
      resolveHost: async ({ hostname }) => {
        resolved.push(hostname);
        // The address of nothing: RFC 5737.
        return ['192.0.2.1'];
      },
    });
    const answer = await send({ owner: 'w', url: 'https://localhost.example.com:8443/', headers: {}, body: '' });
    expect([answer.status, resolved, connected()]).toEqual([null, ['localhost.example.com'], 0]);
    expect(port).toBeGreaterThan(0);
  });

  test('a lookup answers with the validated addresses of the asked family', async () => {
    const lookup = pinTo(['192.0.2.1', '2001:db8::1']);
    const ask = (options: object) =>
      new Promise((resolve) => lookup('any.example.com', options, (...found) => resolve(found)));
    expect(await ask({ all: true })).toEqual([
      null,
      [
        { address: '192.0.2.1', family: 4 },
        { address: '2001:db8::1', family: 6 },
      ],
    ]);
    expect(await ask({ family: 6 })).toEqual([null, '2001:db8::1', 6]);
    expect(await ask({})).toEqual([null, '192.0.2.1', 4]);
  });

  test('a URL that is not legal any more is refused', async () => {
    const { origin, connected } = await openReceiver((_, response) => response.end());
    expect((await openSend([])(origin)).error).toContain('must be an https address');
    expect((await openSend([])(origin.replace('http:', 'https:'))).error).toContain('port 443 or 8443');
    expect(connected()).toBe(0);
  });

  test('a listed target is resolved by the system, and may be private', async () => {
    const { port } = await openReceiver((_, response) => response.writeHead(200).end());
    const origin = `http://receiver.internal:${port}`;
    const names: string[] = [];
    const bySystem = async (name: string) => {
      names.push(name);
      return ['127.0.0.1'];
    };
    const send = openSend([origin], { byDns: refuseNames.byDns, bySystem });
    expect([(await send(`${origin}/`)).status, names]).toEqual([200, ['receiver.internal']]);
  });
});
