import { createHmac, createPublicKey, type JsonWebKey } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { TOKEN_LENGTH_MAX } from '@access-admin/contract';
import { exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listen } from '../listen.ts';
import { shareTestApi } from '../share-test-api.ts';
import { openOwnSigner } from '../sign-own-token.ts';
import { openTestApi, type TestApi } from '../test-api.ts';

const PATH = '/oauth-clients/v1';
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

async function prepare(api: TestApi) {
  return { api, ...(await openOwnSigner(api)) };
}

const signer = shareTestApi(prepare);

/** The response to a token, without its tracking id and date. */
async function answerTo({ call }: TestApi, token: string) {
  const { status, headers, json } = await call('GET', PATH, { token });
  return { status, detailCode: json.detailCode, causes: json.causes, challenge: headers.get('www-authenticate') };
}

const REFUSED = {
  status: 401,
  detailCode: '401',
  causes: [],
  challenge: 'Bearer realm="access-admin", error="invalid_token"',
};

test('an unchanged token is accepted, so the tokens below are refused for their change alone', async () => {
  const { api, sign } = signer();
  expect((await answerTo(api, await sign())).status).toBe(200);
});

describe('a token that the service signed is 401 without any detail', () => {
  const NOW = Date.parse('2026-11-21T09:30:00.000Z') / 1000;

  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['expired', { exp: NOW }, {}],
    ['without `exp`', { exp: undefined }, {}],
    ['with an `exp` that is text', { exp: String(NOW + 900) }, {}],
    ['with a future `nbf`', { nbf: NOW + 60 }, {}],
    ['without `iat`', { iat: undefined }, {}],
    ['with a wrong `iss`', { iss: 'https://else.example' }, {}],
    ['with the `iss` of an address that begins like ours', { iss: 'http://127.0.0.1:8080.else.example' }, {}],
    ['without `iss`', { iss: undefined }, {}],
    ['with a wrong `aud`', { aud: 'https://else.example' }, {}],
    ['with no `aud` of many that is ours', { aud: ['https://else.example', 'x'] }, {}],
    ['without `aud`', { aud: undefined }, {}],
    ['without `sub`', { sub: undefined }, {}],
    ['without `client_id`', { client_id: undefined }, {}],
    ['of a client that is none', { client_id: 'nobody' }, {}],
    ['of a client of another tenant', { tenant: 'other' }, {}],
    ['of a tenant that is a list', { tenant: ['default'] }, {}],
    ['of a tenant with a path', { tenant: 'default/../other' }, {}],
    ['of a tenant that is a prototype', { tenant: '__proto__' }, {}],
    ['with a `scope` that is a list', { scope: ['oauth-clients:manage'] }, {}],
    ['without `scope`', { scope: undefined }, {}],
    ['with an identity that is no text', { identity_id: 7 }, {}],
    ['with the `typ` JWT', {}, { typ: 'JWT' }],
    ['with the `typ` of an ID token', {}, { typ: 'id+jwt' }],
    ['without `typ`', {}, { typ: undefined }],
    ['without `kid`', {}, { kid: undefined }],
    ['with an unknown `kid`', {}, { kid: 'unknown' }],
    ['with a `kid` that is a prototype', {}, { kid: '__proto__' }],
    ['with a `kid` that is a number', {}, { kid: 7 }],
    ['with an unknown `crit` header', {}, { crit: ['x'], x: 1 }],
  ])('%s', async (_, changes, header) => {
    const { api, sign } = signer();
    // The signer refuses these headers, so the token is put together by hand.
    const token = await sign(changes, header).catch(() => null);
    if (token !== null) expect(await answerTo(api, token)).toEqual(REFUSED);
    else expect(await answerTo(api, `${encode({ alg: 'ES256', ...header })}.${encode(changes)}.AAAA`)).toEqual(REFUSED);
  });

  test('once it has expired, and not a second earlier', async () => {
    const { api, sign } = await prepare(await openTestApi());
    const token = await sign({ exp: NOW + 1 });
    expect((await answerTo(api, token)).status).toBe(200);
    api.clock.nowMs += 1000;
    expect(await answerTo(api, token)).toEqual(REFUSED);
  });
});

describe('a forged token is 401 without any detail', () => {
  test('a part in another form of base64url, with the same bytes', async () => {
    const { api, sign } = signer();
    const [head = '', payload = '', signature = ''] = (await sign()).split('.');
    const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    // 64 bytes leave four bits of the last character unused.
    const bits = ALPHABET.indexOf(signature.at(-1) ?? '');
    const twins = Array.from({ length: 16 }, (_, low) => signature.slice(0, -1) + ALPHABET[(bits & 48) + low]);
    expect(twins).toContain(signature);
    for (const twin of twins.filter((each) => each !== signature)) {
      expect(Buffer.from(twin, 'base64url')).toEqual(Buffer.from(signature, 'base64url'));
      expect(await answerTo(api, `${head}.${payload}.${twin}`)).toEqual(REFUSED);
    }
    for (const forms of [
      [`${head}=`, payload, signature],
      [head, `${payload}=`, signature],
      [head, payload, `${signature}==`],
    ])
      expect(await answerTo(api, forms.join('.'))).toEqual(REFUSED);
    expect((await answerTo(api, `${head}.${payload}.${signature}`)).status).toBe(200);
  });

  test.each(['none', 'None', 'NONE', 'nOnE', ''])('`alg` %j, with and without a signature', async (alg) => {
    const { api, claims, kid, sign } = signer();
    const head = encode({ alg, typ: 'at+jwt', kid });
    const signature = (await sign()).split('.')[2];
    for (const end of ['', signature, 'AAAA'])
      expect(await answerTo(api, `${head}.${encode(claims)}.${end}`)).toEqual(REFUSED);
    expect(await answerTo(api, `${head}.${encode(claims)}`)).toEqual(REFUSED);
  });

  test.each(['HS256', 'HS384', 'HS512'])('%s with our public key, in any of its forms, as the secret', async (alg) => {
    const { api, claims, kid, publicJwk } = signer();
    const { keys } = (await api.call('GET', '/.well-known/jwks.json', { token: null })).json;
    const key = createPublicKey({ key: publicJwk as JsonWebKey, format: 'jwk' });
    const secrets = [
      JSON.stringify(keys[0]),
      JSON.stringify(publicJwk),
      JSON.stringify({ keys }),
      key.export({ type: 'spki', format: 'pem' }),
      key.export({ type: 'spki', format: 'der' }),
      Buffer.from(publicJwk.x, 'base64url'),
      publicJwk.x,
      '',
    ];
    for (const secret of secrets) {
      const signed = `${encode({ alg, typ: 'at+jwt', kid })}.${encode(claims)}`;
      const mac = createHmac(alg.replace('HS', 'sha'), secret).update(signed).digest('base64url');
      expect(await answerTo(api, `${signed}.${mac}`)).toEqual(REFUSED);
    }
  });

  test('an embedded `jwk`, `jku`, `x5u` or `x5c`, with any `kid`, and nothing is fetched', async () => {
    const { api, claims, kid } = signer();
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid: 'mine', alg: 'ES256' };
    let asked = 0;
    const server = createServer((_, response) => {
      asked++;
      response.end(JSON.stringify({ keys: [jwk] }));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
    const embedded = [
      { jwk },
      { jku: address },
      { x5u: address },
      { x5c: ['AAAA'] },
      { jwk, jku: address, x5u: address },
    ];
    for (const header of embedded)
      for (const name of [kid, 'mine', undefined]) {
        const token = await new SignJWT(claims)
          .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: name, ...header } as JWTHeaderParameters)
          .sign(privateKey);
        expect(await answerTo(api, token)).toEqual(REFUSED);
      }
    expect(asked).toBe(0);
  });

  test.each<[string, (token: string) => string]>([
    ['a changed claim', (token) => token.replace(/\.[^.]+\./, `.${encode({ tenant: 'default' })}.`)],
    ['no signature', (token) => token.replace(/[^.]+$/, '')],
    ['a cut signature', (token) => token.slice(0, -2)],
    ['an empty signature of the right length', (token) => token.replace(/[^.]+$/, 'A'.repeat(86))],
    ['a fourth part', (token) => `${token}.AAAA`],
    ['five parts', (token) => `${token}.AAAA.AAAA`],
    ['another header under its signature', (token) => token.replace(/^[^.]+/, encode({ alg: 'ES256', typ: 'at+jwt' }))],
    ['a header that is no JSON', (token) => token.replace(/^[^.]+/, 'AAAA')],
    ['dots alone', () => '..'],
    ['nothing', () => ''],
    ['a space within', (token) => `${token.slice(0, 20)} ${token.slice(20)}`],
    ['more than a token may have', () => 'A'.repeat(TOKEN_LENGTH_MAX + 1)],
  ])('%s', async (_, forge) => {
    const { api, sign } = signer();
    expect(await answerTo(api, forge(await sign()))).toEqual(REFUSED);
  });

  test('a flood of unknown `kid`s reads the keys of the store at most once a second', async () => {
    const { api, sign } = await prepare(await openTestApi());
    const { signingKeys } = api.store;
    const list = signingKeys.list;
    let reads = 0;
    Object.assign(signingKeys, {
      list: () => {
        reads++;
        return list();
      },
    });
    const flood = async () => {
      const tokens = await Promise.all(Array.from({ length: 50 }, (_, at) => sign({}, { kid: `unknown-${at}` })));
      for (const token of tokens) expect((await answerTo(api, token)).status).toBe(401);
    };
    // The first one is looked up at once: a new key may be used at once.
    await flood();
    expect(reads).toBe(1);
    api.clock.nowMs += 999;
    await flood();
    expect(reads).toBe(1);
    api.clock.nowMs += 1;
    await flood();
    expect(reads).toBe(2);
    expect((await answerTo(api, await sign())).status).toBe(200);
  });
});

describe('on a real socket', () => {
  async function statusOf(port: number, head: readonly string[], body = ''): Promise<number> {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.write([...head, 'Host: x', 'Connection: close', '', body].join('\r\n'));
    await once(socket, 'close');
    return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
  }

  const GET = `GET ${PATH} HTTP/1.1`;
  const PREDICT = ['POST /sod-violations/v1/predict HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 2'];

  test('two Authorization headers are 401, regardless of which one is valid, with and without a query', async () => {
    const { api, sign } = signer();
    const port = await listen(api.app);
    const good = `Authorization: Bearer ${await sign({ scope: 'oauth-clients:manage sod-violations:read' })}`;
    const bad = 'Authorization: Bearer x.y.z';
    expect(await statusOf(port, [GET, good])).toBe(200);
    expect(await statusOf(port, [...PREDICT, good], '{}')).toBe(400);
    for (const pair of [
      [good, good],
      [good, bad],
      [bad, good],
      [good, good.replace('Auth', 'aUTH')],
      [good, 'Authorization:'],
    ])
      expect([pair, await statusOf(port, [GET, ...pair]), await statusOf(port, [...PREDICT, ...pair], '{}')]).toEqual([
        pair,
        401,
        401,
      ]);
  });

  test('a token anywhere but in the Authorization header is 401', async () => {
    const { api, sign } = signer();
    const port = await listen(api.app);
    const token = await sign();
    for (const query of [`?access_token=${token}`, `?token=${token}`, `?authorization=Bearer%20${token}`])
      expect(await statusOf(port, [`GET ${PATH}${query} HTTP/1.1`])).toBe(401);
    for (const header of [
      'Cookie: access_token=',
      'X-Access-Token: ',
      'Proxy-Authorization: Bearer ',
      'X-Authorization: Bearer ',
    ])
      expect([header, await statusOf(port, [GET, header + token])]).toEqual([header, 401]);
    const body = `access_token=${token}`;
    const form = ['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${body.length}`];
    expect(await statusOf(port, [`POST ${PATH} HTTP/1.1`, ...form], body)).toBe(401);
    for (const scheme of ['Basic', 'DPoP', 'Token', 'Bearer:', 'Bearer,'])
      expect([scheme, await statusOf(port, [GET, `Authorization: ${scheme} ${token}`])]).toEqual([scheme, 401]);
  });
});
