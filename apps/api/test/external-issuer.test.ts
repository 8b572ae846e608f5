import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { STANDARD_CLAIMS } from '../src/auth/external-claims.ts';
import { listen } from './listen.ts';
import { openTestApi, WORLD } from './test-api.ts';
import { workUntilGone } from './work-until-gone.ts';

const ISSUER = 'https://issuer.example';
const AUDIENCE = 'access-admin';
const rsa = await generateKeyPair('RS256', { extractable: true });
const pss = await importJWK(await exportJWK(rsa.privateKey), 'PS512');
const ec = await generateKeyPair('ES256', { extractable: true });
const okp = await generateKeyPair('Ed25519', { extractable: true });
const stranger = await generateKeyPair('RS256', { extractable: true });
const KEYS: readonly JWK[] = [
  { ...(await exportJWK(rsa.publicKey)), kid: 'rsa' },
  { ...(await exportJWK(ec.publicKey)), kid: 'ec' },
  { ...(await exportJWK(okp.publicKey)), kid: 'okp' },
];

/** An issuer with a key set that can be changed; counts the requests for it. */
async function openIssuer(keys: readonly JWK[]) {
  const issuer = { status: 200, body: JSON.stringify({ keys }), asked: 0 };
  const server = createServer((_, response) => {
    issuer.asked++;
    response.writeHead(issuer.status).end(issuer.body);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return Object.assign(issuer, { jwksUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks` });
}

async function openWithIssuer(keys: readonly JWK[] = KEYS) {
  const issuer = await openIssuer(keys);
  const api = await openTestApi({
    externalIssuer: { issuer: ISSUER, jwksUrl: issuer.jwksUrl, audience: AUDIENCE, claims: STANDARD_CLAIMS },
  });
  await api.importRecords(WORLD);
  const iat = Math.floor(api.clock.nowMs / 1000);
  const claims = (changes: Record<string, unknown> = {}): JWTPayload => ({
    iss: ISSUER,
    aud: AUDIENCE,
    sub: 's',
    client_id: 'ext',
    tenant: 'default',
    scope: 'auth-users:read',
    iat,
    exp: iat + 60,
    ...changes,
  });
  const sign = (
    changes: Record<string, unknown> = {},
    header: Record<string, unknown> = {},
    key: Key = rsa.privateKey,
  ) =>
    new SignJWT(claims(changes)).setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: 'rsa', ...header }).sign(key);
  const status = async (token: string) => (await api.call('GET', '/auth-users/v1/i-ada', { token })).status;
  const advance = (ms: number) => {
    api.clock.nowMs += ms;
    vi.setSystemTime(Date.now() + ms);
  };
  return { api, issuer, iat, claims, sign, status, advance };
}

type Key = Parameters<SignJWT['sign']>[0];

// The library caches keys by the system clock.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

test('a token of an external issuer may have 32 KiB, beside the other headers of a request', async () => {
  const { api, sign } = await openWithIssuer();
  const port = await listen(api.app);
  const statusOf = async (length: number) => {
    const short = await sign({ groups: '' });
    // Base64 has four characters for three bytes.
    let token = short;
    for (let groups = Math.floor(((length - short.length) * 3) / 4) - 4; token.length < length; groups++)
      token = await sign({ groups: 'g'.repeat(groups) });
    const headers = { authorization: `Bearer ${token}`, cookie: `other=${'x'.repeat(4_000)}` };
    return [token.length, (await fetch(`http://127.0.0.1:${port}/auth-users/v1/i-ada`, { headers })).status];
  };
  expect(await statusOf(20_000)).toEqual([expect.any(Number), 200]);
  expect(await statusOf(32_767)).toEqual([expect.toSatisfy((length: number) => length <= 32_768), 200]);
  expect(await statusOf(32_769)).toEqual([expect.any(Number), 401]);
});

describe('the algorithms of an external issuer', () => {
  test('are those for public keys, as its key set allows', async () => {
    const { sign, status } = await openWithIssuer();
    expect(await status(await sign())).toBe(200);
    expect(await status(await sign({}, { alg: 'PS512' }, pss))).toBe(200);
    expect(await status(await sign({}, { alg: 'ES256', kid: 'ec' }, ec.privateKey))).toBe(200);
    expect(await status(await sign({}, { alg: 'EdDSA', kid: 'okp' }, okp.privateKey))).toBe(200);
  });

  test('are never `none` or that of a shared secret', async () => {
    const { sign, status, claims } = await openWithIssuer();
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const bare = `${encode({ alg: 'none', typ: 'at+jwt' })}.${encode(claims())}.`;
    const secret = (text: string) => new TextEncoder().encode(text);
    const forged = {
      none: bare,
      'None with a key id': bare.replace(/^[^.]*/, encode({ alg: 'None', typ: 'at+jwt', kid: 'rsa' })),
      'HS256 with the public key': await sign({}, { alg: 'HS256' }, secret(await exportSPKI(rsa.publicKey))),
      'HS512 with the key set': await sign({}, { alg: 'HS512' }, secret(JSON.stringify(KEYS[0]))),
    };
    for (const [name, token] of Object.entries(forged)) expect([name, await status(token)]).toEqual([name, 401]);
  });

  test('are not that of a shared secret even where the key set has one', async () => {
    const k = Buffer.alloc(32, 'secret').toString('base64url');
    const { sign, status } = await openWithIssuer([...KEYS, { kty: 'oct', k, kid: 'shared', alg: 'HS256' }]);
    const token = await sign({}, { alg: 'HS256', kid: 'shared' }, Buffer.alloc(32, 'secret'));
    expect(await status(token)).toBe(401);
    expect(await status(await sign())).toBe(200);
  });

  test('must fit the type and the `alg` of the named key', async () => {
    const only = { ...(await exportJWK(rsa.publicKey)), kid: 'only', alg: 'RS256' };
    const { sign, status } = await openWithIssuer([...KEYS, only, { ...only, kid: 'enc', use: 'enc' }]);
    expect(await status(await sign({}, { kid: 'only' }))).toBe(200);
    expect(await status(await sign({}, { kid: 'only', alg: 'PS512' }, pss))).toBe(401);
    expect(await status(await sign({}, { kid: 'enc' }))).toBe(401);
    expect(await status(await sign({}, { kid: 'ec' }))).toBe(401);
  });
});

describe('the keys of an external issuer', () => {
  test('come from its key set alone: keys in a token are ignored', async () => {
    const { sign, status, issuer } = await openWithIssuer();
    const own = await openIssuer([{ ...(await exportJWK(stranger.publicKey)), kid: 'rsa' }]);
    const jwk = await exportJWK(stranger.publicKey);
    for (const header of [
      { jwk },
      { jku: own.jwksUrl },
      { x5u: own.jwksUrl },
      { jwk, kid: undefined },
      { x5c: ['AA=='] },
    ])
      expect([header, await status(await sign({}, header, stranger.privateKey))]).toEqual([header, 401]);
    expect([own.asked, issuer.asked]).toEqual([0, 1]);
  });

  test('are valid for that issuer only, and our own keys are not', async () => {
    const { api, sign, status } = await openWithIssuer();
    const ours = 'http://127.0.0.1:8080';
    expect(await status(await sign({ iss: ours, aud: ours }))).toBe(401);
    const [header, , signature] = (await api.rootToken()).split('.');
    const [, payload] = (await sign()).split('.');
    expect(await status(`${header}.${payload}.${signature}`)).toBe(401);
  });

  test('that cannot be read invalidate only the tokens that name them', async () => {
    const { sign, status } = await openWithIssuer([
      ...KEYS,
      { kty: 'RSA', kid: 'broken', n: '!', e: 'AQAB' },
      { kty: 'EC', crv: 'P-256', kid: 'off', x: 'AA', y: 'AA' },
      { kty: 'unknown', kid: 'unknown' },
    ]);
    for (const kid of ['broken', 'unknown']) expect([kid, await status(await sign({}, { kid }))]).toEqual([kid, 401]);
    expect(await status(await sign({}, { kid: 'off', alg: 'ES256' }, ec.privateKey))).toBe(401);
    expect(await status(await sign())).toBe(200);
  });
});

test('the ids in a token of an external issuer have at most 256 characters', async () => {
  const { api, sign, status } = await openWithIssuer();
  expect(await status(await sign({ client_id: 'x'.repeat(256) }))).toBe(200);
  for (const id of ['client_id', 'identity_id'])
    expect([id, await status(await sign({ [id]: 'x'.repeat(257) }))]).toEqual([id, 401]);
  const token = await sign({ client_id: 'x'.repeat(256) });
  // A 403 is recorded in the audit log under that id.
  expect((await api.call('GET', '/ui-metadata/v1/tenant', { token })).status).toBe(403);
});

test('a token of an external issuer must have every required claim with a valid value', async () => {
  const { sign, status, iat } = await openWithIssuer();
  const wrong: readonly Record<string, unknown>[] = [
    ...['iss', 'aud', 'sub', 'client_id', 'tenant', 'scope', 'iat', 'exp'].map((name) => ({ [name]: undefined })),
    ...['tenant', 'scope', 'client_id', 'identity_id'].flatMap((name) => [{ [name]: 7 }, { [name]: ['default'] }]),
    { exp: iat },
    { exp: iat - 60 },
    { exp: '9999999999' },
    { nbf: iat + 1 },
    { nbf: 'now' },
    { iat: 'now' },
    { aud: [] },
    { aud: ['else'] },
    { aud: `${AUDIENCE}/` },
    { iss: `${ISSUER}/` },
    { iss: [ISSUER] },
    { tenant: '' },
    { tenant: 'Default' },
    { tenant: 'x'.repeat(64) },
    { tenant: 'default\n' },
    { identity_id: '' },
  ];
  for (const changes of wrong) expect([changes, await status(await sign(changes))]).toEqual([changes, 401]);
  for (const typ of ['JWT', 'jwt', 'id+jwt', '', undefined])
    expect([typ, await status(await sign({}, { typ }))]).toEqual([typ, 401]);
  for (const changes of [{ aud: ['else', AUDIENCE] }, { nbf: iat }, { exp: iat + 1 }])
    expect([changes, await status(await sign(changes))]).toEqual([changes, 200]);
});

describe('the key set of an external issuer is requested', () => {
  test('at most once in 30 seconds, regardless of how many tokens name unknown keys', async () => {
    const { sign, status, issuer, advance } = await openWithIssuer();
    const flood = async (from: number) => {
      const tokens = Array.from({ length: 20 }, (_, at) =>
        sign({}, { kid: `unknown-${from + at}` }, stranger.privateKey),
      );
      const statuses = await Promise.all((await Promise.all(tokens)).map(status));
      expect(new Set(statuses)).toEqual(new Set([401]));
    };
    await flood(0);
    expect(issuer.asked).toBe(1);
    advance(29_000);
    await flood(100);
    expect(issuer.asked).toBe(1);
    advance(2_000);
    await flood(200);
    expect(issuer.asked).toBe(2);
  });

  test('again when a token names a new key', async () => {
    const { sign, status, issuer, advance } = await openWithIssuer();
    expect(await status(await sign())).toBe(200);
    const next = { ...(await exportJWK(stranger.publicKey)), kid: 'next' };
    issuer.body = JSON.stringify({ keys: [next] });
    const token = await sign({}, { kid: 'next' }, stranger.privateKey);
    expect(await status(token)).toBe(401);
    advance(31_000);
    expect(await status(token)).toBe(200);
    expect(await status(await sign({ sub: 'new' }))).toBe(401);
    expect(issuer.asked).toBe(2);
  });

  test('at most once in 30 seconds even if it fails; known keys stay valid', async () => {
    const { sign, status, issuer, advance } = await openWithIssuer();
    expect(await status(await sign())).toBe(200);
    issuer.status = 500;
    advance(31_000);
    for (let at = 0; at < 10; at++)
      expect(await status(await sign({}, { kid: `unknown-${at}` }, stranger.privateKey))).toBe(503);
    expect(issuer.asked).toBe(2);
    expect(await status(await sign({ sub: 'new' }))).toBe(200);
  });

  test('at most once a second until the first one has been received', async () => {
    const { sign, status, issuer, advance } = await openWithIssuer();
    issuer.status = 503;
    for (let at = 0; at < 10; at++) expect(await status(await sign({ sub: `s-${at}` }))).toBe(503);
    expect(issuer.asked).toBe(1);
    issuer.status = 200;
    advance(1_000);
    expect(await status(await sign())).toBe(200);
    expect(issuer.asked).toBe(2);
  });
});

describe('a token of an external issuer', () => {
  test('is never that of an identity that was created after it, with the id of a deleted one', async () => {
    const { api, sign, status, iat, advance } = await openWithIssuer();
    const zoe = { kind: 'identity', id: 'i-zoe', uid: 'zoe', identityProfile: 'ip-emp', capabilities: ['ORG_ADMIN'] };
    await api.importRecords([zoe]);
    const token = await sign({ identity_id: 'i-zoe' });
    expect(await status(token)).toBe(200);
    advance(5_000);
    await api.importRecords([{ ...zoe, displayName: 'Zoe' }]);
    expect(await status(token)).toBe(200);
    await api.importRecords([{ kind: 'identity', id: 'i-zoe', delete: true }]);
    expect(await status(token)).toBe(401);
    await api.importRecords([zoe]);
    expect(await status(token)).toBe(401);
    expect(await status(await sign({ identity_id: 'i-zoe', iat: iat + 5 }))).toBe(200);
  });

  test('does not revive a removed tenant for 400 days, nor enter one that has its name', async () => {
    const { api, sign, advance } = await openWithIssuer();
    const scope = 'access-model:manage sod-policies:read';
    const at = (token: string) => api.call('GET', '/sod-policies/v1', { token }).then((answer) => answer.status);
    const day = 86_400;
    const tokenAfter = (days: number) => {
      const now = Math.floor(api.clock.nowMs / 1_000) + days * day;
      return sign({ tenant: 'acme', scope, iat: now, exp: now + 60 });
    };
    const body = { name: 'c', scopes: ['sod-policies:read'], tenant: 'acme' };
    expect((await api.call('POST', '/oauth-clients/v1', { body })).json.tenantCreated).toBe(true);
    const token = await sign({ tenant: 'acme', scope, exp: Math.floor(api.clock.nowMs / 1_000) + 2 * day });
    expect(await at(token)).toBe(200);
    const root = await api.rootToken();
    const confirmed = { headers: { 'x-confirm-tenant': 'acme' }, token: root };
    expect((await api.call('DELETE', '/tenants/v1/acme', confirmed)).status).toBe(202);
    await workUntilGone(api);
    expect([await at(token), await at(await tokenAfter(0))]).toEqual([401, 401]);
    expect((await api.importRecords(WORLD, token)).status).toBe(401);
    expect((await api.call('GET', '/tenants/v1/acme')).status).toBe(404);
    const again = await api.call('POST', '/oauth-clients/v1', { body });
    expect(again.json.tenantCreated).toBe(true);
    expect(await at(await tokenAfter(0))).toBe(401);
    expect(await at(await api.tokenFor(again.json.id, again.json.secret))).toBe(200);
    advance(400 * day * 1_000);
    expect(await at(await tokenAfter(0))).toBe(200);
  });
});
