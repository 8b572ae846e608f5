import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { listen } from '../listen.ts';
import { shareTestApi } from '../share-test-api.ts';
import { type TestApi, WORLD } from '../test-api.ts';

const EXPERIMENTAL = { 'x-service-experimental': 'true' };
const NDJSON = { 'content-type': 'application/x-ndjson' };

interface Door {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  /** A valid body, with `TEXT` in place of a free text and, where any key is allowed, `KEY` before one. */
  readonly body: string;
}

/** Every operation that reads a body. */
const DOORS: readonly Door[] = [
  {
    method: 'PATCH',
    path: '/auth-users/v1/i-cleo',
    body: '[{"op":"add","path":"/capabilities","value":[],KEY"note":"TEXT"}]',
  },
  {
    method: 'PATCH',
    path: '/auth-profiles/v1/ip-emp',
    body: '[{"op":"add","path":"/offNetwork","value":false,KEY"note":"TEXT"}]',
  },
  {
    method: 'POST',
    path: '/sod-violations/v1/predict',
    body: '{"identityId":"i-cleo","accessRefs":[],"clientMetadata":{KEY"k":"TEXT"}}',
  },
  {
    method: 'POST',
    path: '/sod-violations/v1/check',
    body: '{"identityId":"i-cleo","accessRefs":[],"clientMetadata":{KEY"k":"TEXT"}}',
  },
  { method: 'PUT', path: '/ui-metadata/v1/tenant', body: '{"usernameLabel":"TEXT"}' },
  { method: 'POST', path: '/oauth-clients/v1', body: '{"name":"TEXT","scopes":["auth-users:read"]}' },
  {
    method: 'POST',
    path: '/access-model/v1/import',
    headers: NDJSON,
    body: '{"kind":"entitlement","id":"e-new","name":"TEXT"}',
  },
];

type Bytes = string | Uint8Array<ArrayBuffer>;

const world = shareTestApi(async (api) => {
  await api.importRecords(WORLD);
  return api;
});

async function answerTo({ call }: TestApi, { method, path, headers }: Door, body: Bytes) {
  const answer = await call(method, path, { headers: { ...EXPERIMENTAL, ...headers }, body });
  return [method, path, answer.status, answer.json?.detailCode];
}

const withText = ({ body }: Door, text: string) => body.replace('TEXT', text).replace('KEY', '');

/** Replaces `TEXT` with bytes that are not valid UTF-8. */
function withBytes(door: Door, bytes: readonly number[]): Uint8Array<ArrayBuffer> {
  const [before = '', after = ''] = withText(door, 'TEXT').split('TEXT');
  return new Uint8Array(Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]));
}

const utf16 = (text: string) => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'));

test('every operation accepts the valid body, so the bodies below are refused for their change alone', async () => {
  const api = world();
  for (const door of DOORS) {
    const [method, path, status] = await answerTo(api, door, withText(door, 'é \u{1f600} \\ud83d\\ude00 \\\\u0000'));
    expect([method, path, Number(status) < 300]).toEqual([method, path, true]);
  }
});

describe('a body is 400.1 for every operation', () => {
  test.each<[string, (door: Door) => Bytes]>([
    ['in invalid UTF-8: a byte that is none', (door) => withBytes(door, [0xff])],
    ['in invalid UTF-8: Latin-1', (door) => withBytes(door, [0xe9])],
    ['in invalid UTF-8: an overlong form', (door) => withBytes(door, [0xc0, 0xaf])],
    ['in invalid UTF-8: a cut sequence', (door) => withBytes(door, [0xe2, 0x82])],
    ['in invalid UTF-8: beyond the last character', (door) => withBytes(door, [0xf4, 0x90, 0x80, 0x80])],
    ['in invalid UTF-8: an encoded surrogate', (door) => withBytes(door, [0xed, 0xa0, 0x80])],
    ['in UTF-16', (door) => utf16(withText(door, 'x'))],
    ['with a BOM', (door) => `\ufeff${withText(door, 'x')}`],
    ['with a NUL', (door) => withBytes(door, [0])],
    ['with an escaped NUL', (door) => withText(door, 'a\\u0000b')],
    ['with a lone high surrogate', (door) => withText(door, 'a\\ud800b')],
    ['with a lone low surrogate', (door) => withText(door, '\\udc00')],
    ['with surrogates in the wrong order', (door) => withText(door, '\\udc00\\ud800')],
    ['with a bare control character', (door) => withText(door, 'a\tb')],
    ['with two documents', (door) => `${withText(door, 'x')} {}`],
    ['with a comment', (door) => `${withText(door, 'x')} // x`],
    ['with a trailing comma', (door) => withText(door, 'x').replace(/([}\]])$/, ',$1')],
    ['cut in its middle', (door) => withText(door, 'x').slice(0, -3)],
    ['that is NaN', () => 'NaN'],
  ])('%s', async (_, make) => {
    const api = world();
    for (const door of DOORS)
      expect(await answerTo(api, door, make(door))).toEqual([door.method, door.path, 400, '400.1']);
  });

  test.each<[string, string]>([
    ['a NUL in a key', '"a\\u0000":1,'],
    ['a lone surrogate in a key', '"\\ud800":1,'],
  ])('with %s, where any key may stand', async (_, key) => {
    const api = world();
    for (const door of DOORS.filter(({ body }) => body.includes('KEY')))
      expect(await answerTo(api, door, door.body.replace('KEY', key))).toEqual([door.method, door.path, 400, '400.1']);
  });

  test('with a duplicate of a known key, also with one of them escaped', async () => {
    const api = world();
    for (const door of DOORS) {
      const good = withText(door, 'x');
      const [, first = ''] = /[{,]("[a-z]\w*":(?:"[^"]*"|\[\]))/i.exec(good) ?? [];
      expect(first).not.toBe('');
      const code = first.charCodeAt(1).toString(16).padStart(4, '0');
      for (const again of [first, first.replace(/^"./, `"\\u${code}`)])
        expect(await answerTo(api, door, good.replace(first, `${first},${again}`))).toEqual([
          door.method,
          door.path,
          400,
          '400.1',
        ]);
    }
  });

  test.each<[string, string, string]>([
    ['arrays', '[', ']'],
    ['objects', '{"a":', '}'],
    ['arrays that never end', '[', ''],
  ])('nested in %s to the depth that its length allows', async (_, open, close) => {
    const api = world();
    for (const door of DOORS) {
      const depth = Math.floor(65_000 / (open.length + close.length));
      const body = open.repeat(depth) + (close === '' ? '' : `1${close.repeat(depth)}`);
      expect(await answerTo(api, door, body)).toEqual([door.method, door.path, 400, '400.1']);
    }
    const longest = DOORS.at(-1);
    const line = open.repeat(Math.floor(1_000_000 / open.length));
    if (longest !== undefined) expect((await answerTo(api, longest, line)).slice(2)).toEqual([400, '400.1']);
  });
});

test.each(['/auth-profiles/v1/', '/sod-violations/v1/check/', '/oauth-clients/v1/'])(
  '`%%00` and `%%2f` in an id below %s are 404',
  async (path) => {
    const { call } = world();
    for (const id of [
      '%00',
      'ip-emp%00',
      '%2f',
      'x%2F..%2Fip-emp',
      '%2e%2e',
      '..%2fip-emp',
      'ip%ZZ',
      '%C0%80',
      '%ED%A0%80',
    ]) {
      const answer = await call('GET', path + id, { headers: EXPERIMENTAL });
      expect([id, answer.status, answer.json.detailCode]).toEqual([id, 404, '404']);
    }
  },
);

describe('on a real socket', () => {
  /** Writes the pieces until the server ends the connection; resolves with the status and the number of bytes sent. */
  async function send(port: number, pieces: Iterable<string>): Promise<{ status: number; sent: number }> {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    let sent = 0;
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', () => {});
    const closed = once(socket, 'close');
    for (const piece of pieces) {
      if (answer !== '' || socket.destroyed) break;
      sent += piece.length;
      if (!socket.write(piece)) await Promise.race([once(socket, 'drain'), closed]);
      else await new Promise(setImmediate);
    }
    await closed;
    return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]), sent };
  }

  async function openSocket() {
    const api = world();
    const port = await listen(api.app);
    const token = await api.rootToken();
    const head = (method: string, path: string, type: string, headers: readonly string[]) =>
      `${[
        `${method} ${path} HTTP/1.1`,
        'Host: x',
        'Connection: close',
        `Authorization: Bearer ${token}`,
        `Content-Type: ${type}`,
        ...headers,
      ].join('\r\n')}\r\n\r\n`;
    return { port, head };
  }

  const CHUNKED = ['Transfer-Encoding: chunked'];
  const TYPES = { PATCH: 'application/json-patch+json', POST: 'application/json' };

  test.each<['PATCH' | 'POST', string, number]>([
    ['PATCH', '/auth-users/v1/i-cleo', 65_536],
    ['POST', '/oauth-clients/v1', 65_536],
    ['POST', '/sod-violations/v1/predict', 262_144],
  ])('an endless chunked body (%s %s) is refused with 413 soon after %i bytes', async (method, path, bytesMax) => {
    const { port, head } = await openSocket();
    function* bomb() {
      yield head(method, path, TYPES[method], CHUNKED);
      const chunk = `1000\r\n${' '.repeat(4096)}\r\n`;
      for (let at = 0; at < 5000; at++) yield chunk;
    }
    const { status, sent } = await send(port, bomb());
    expect(status).toBe(413);
    expect(sent).toBeGreaterThan(bytesMax);
    expect(sent).toBeLessThan(5_000_000);
  });

  test('an endless body in chunks of one byte is refused with 413 as well', async () => {
    const { port, head } = await openSocket();
    const chunks = '1\r\n \r\n'.repeat(10_000);
    const pieces = [head('PATCH', '/auth-users/v1/i-cleo', TYPES.PATCH, CHUNKED), ...Array(10).fill(chunks)];
    expect((await send(port, pieces)).status).toBe(413);
  });

  test('chunks with long extensions are refused by the parser with 413', async () => {
    const { port, head } = await openSocket();
    const extension = `1;${'x'.repeat(20_000)}\r\n \r\n`;
    const pieces = [head('PATCH', '/auth-users/v1/i-cleo', TYPES.PATCH, CHUNKED), extension];
    expect((await send(port, pieces)).status).toBe(413);
  });

  test('a request without a Host header is refused with the reason, however long its body is', async () => {
    const { port } = await openSocket();
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    onTestFinished(() => void socket.destroy());
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    const ended = once(socket, 'close').then(() => 'closed');
    const bytes = 16 * 1024 * 1024;
    socket.write(`POST /access-model/v1/import HTTP/1.1\r\nContent-Length: ${bytes}\r\n\r\n${' '.repeat(bytes)}`);
    await Promise.race([ended, vi.waitUntil(() => answer.endsWith('}'), { timeout: 60_000 })]);
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*and the Host header a host with an optional port\./s);
  });

  test.each<[string, readonly string[], string]>([
    ['a chunk size that is no number', CHUNKED, 'zz\r\nx\r\n0\r\n\r\n'],
    ['a negative chunk size', CHUNKED, '-1\r\nx\r\n0\r\n\r\n'],
    ['a chunk size beyond all numbers', CHUNKED, `${'f'.repeat(20)}\r\nx\r\n`],
    ['both a length and chunks', ['Content-Length: 2', ...CHUNKED], '2\r\n[]\r\n0\r\n\r\n'],
    ['two lengths that differ', ['Content-Length: 2', 'Content-Length: 3'], '[] '],
    ['a length that is no number', ['Content-Length: 2x'], '[]'],
    ['a length with a sign', ['Content-Length: +2'], '[]'],
    ['an unknown transfer coding', ['Transfer-Encoding: gzip'], '[]'],
  ])('%s is 400', async (_, headers, body) => {
    const { port, head } = await openSocket();
    const pieces = [head('PATCH', '/auth-users/v1/i-cleo', TYPES.PATCH, headers) + body];
    expect((await send(port, pieces)).status).toBe(400);
  });
});
