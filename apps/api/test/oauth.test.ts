import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { describe, expect, onTestFinished, test } from 'vitest';
import { STANDARD_CLAIMS } from '../src/auth/external-claims.ts';
import { openTestApi, WORLD } from './test-api.ts';

const GRANT = { grant_type: 'client_credentials' };
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

describe('POST /oauth/token', () => {
  test('accepts credentials in the body, as multipart, in Basic, and in Basic with form encoding', async () => {
    const { requestToken, send } = await openTestApi();
    const inBody = await requestToken({ ...GRANT, client_id: 'root', client_secret: 'root secret%' });
    expect(inBody.json).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
      scope: expect.stringContaining('auth-users:read'),
    });
    expect(inBody.headers.get('cache-control')).toBe('no-store');
    expect((await requestToken(GRANT, basic('root', 'root secret%'))).status).toBe(200);
    expect((await requestToken(GRANT, basic('root', 'root+secret%25'))).status).toBe(200);
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...GRANT, client_id: 'root', client_secret: 'root secret%' }))
      form.set(name, value);
    expect((await send('/oauth/token', { method: 'POST', body: form })).status).toBe(200);
  });

  test('refuses the requests of a verified client above the rate limit with Retry-After, and of no other client', async () => {
    const limit = { rateLimit: { requests: 3, windowSeconds: 3 } };
    const { requestToken, call, rootToken } = await openTestApi(limit);
    const scopes = ['oauth-clients:manage'];
    const other = (await call('POST', '/oauth-clients/v1', { body: { name: 'other', scopes } })).json;
    const ask = (secret: string) => requestToken({ ...GRANT, client_id: other.id, client_secret: secret });
    // Wrong secrets do not count: a caller without credentials can send them.
    for (let at = 0; at < 4; at++) expect((await ask('wrong')).status).toBe(401);
    for (let at = 0; at < 3; at++) expect((await ask(other.secret)).status).toBe(200);
    const limited = await ask(other.secret);
    expect([limited.status, limited.headers.get('content-type')]).toEqual([429, 'application/json']);
    expect(limited.headers.get('retry-after')).toMatch(/^[123]$/);
    expect(limited.json).toEqual({
      error: 'slow_down',
      error_description:
        'Too many requests: wait as many seconds as Retry-After says. A client may make at most 3 requests in 3 s.',
    });
    expect((await ask('wrong')).status).toBe(401);
    expect((await requestToken(GRANT, basic('root', 'root secret%'))).status).toBe(200);
    // Requests of operations are counted apart.
    expect((await call('GET', '/oauth-clients/v1', { token: await rootToken() })).status).toBe(200);
    await expect.poll(async () => (await ask(other.secret)).status, { timeout: 5_000 }).toBe(200);
  });

  test('refuses credentials given in two ways', async () => {
    const { requestToken } = await openTestApi();
    const form = { ...GRANT, client_id: 'root', client_secret: 'root secret%' };
    expect((await requestToken(form, basic('root', 'root secret%'))).json.error).toBe('invalid_request');
  });

  test('grants the requested scopes, at most those of the client', async () => {
    const { requestToken } = await openTestApi();
    const ask = (scope: string) => requestToken({ ...GRANT, client_id: 'root', client_secret: 'root secret%', scope });
    expect((await ask('auth-users:read ui-metadata:read')).json.scope).toBe('auth-users:read ui-metadata:read');
    expect((await ask('auth-users:read everything')).json.error).toBe('invalid_scope');
  });

  test.each([
    ['a wrong secret', { ...GRANT, client_id: 'root', client_secret: 'no' }, 401, 'invalid_client'],
    ['an unknown client', { ...GRANT, client_id: 'nobody', client_secret: 'no' }, 401, 'invalid_client'],
    ['no credentials', GRANT, 401, 'invalid_client'],
    [
      'another grant',
      { grant_type: 'password', client_id: 'root', client_secret: 'root secret%' },
      400,
      'unsupported_grant_type',
    ],
    ['no grant', { client_id: 'root', client_secret: 'root secret%' }, 400, 'invalid_request'],
  ] as const)('refuses %s as RFC 6749 says', async (_, form, status, error) => {
    const { requestToken } = await openTestApi();
    const answer = await requestToken(form);
    expect([answer.status, answer.json.error]).toEqual([status, error]);
    expect(answer.text).not.toContain('root secret');
  });

  test('refuses JSON, a repeated parameter and a large body', async () => {
    const { call } = await openTestApi();
    const send = (contentType: string, body: string) =>
      call('POST', '/oauth/token', { token: null, headers: { 'content-type': contentType }, body });
    expect((await send('application/json', '{}')).json.error).toBe('invalid_request');
    expect((await send('application/x-www-form-urlencoded', 'grant_type=a&grant_type=b')).json.error).toBe(
      'invalid_request',
    );
    expect((await send('application/x-www-form-urlencoded', 'x'.repeat(65_537))).status).toBe(413);
  });

  test('signs an RFC 9068 token that the published keys verify', async () => {
    const { call, rootToken } = await openTestApi();
    const token = await rootToken();
    expect(decodeProtectedHeader(token)).toMatchObject({ typ: 'at+jwt', alg: 'ES256' });
    expect(decodeJwt(token)).toMatchObject({
      iss: 'http://127.0.0.1:8080',
      aud: 'http://127.0.0.1:8080',
      sub: 'root',
      client_id: 'root',
      tenant: 'default',
      jti: expect.any(String),
    });
    const jwks = (await call('GET', '/.well-known/jwks.json', { token: null })).json;
    expect(jwks.keys).toMatchObject([{ kty: 'EC', kid: decodeProtectedHeader(token).kid }]);
    expect(jwks.keys[0]).not.toHaveProperty('d');
    const metadata = (await call('GET', '/.well-known/oauth-authorization-server', { token: null })).json;
    expect(metadata).toMatchObject({
      issuer: 'http://127.0.0.1:8080',
      token_endpoint: 'http://127.0.0.1:8080/oauth/token',
    });
  });
});

describe('access tokens', () => {
  test('are refused after they have expired', async () => {
    const { call, rootToken, clock } = await openTestApi();
    const token = await rootToken();
    clock.nowMs += 899_000;
    expect((await call('GET', '/oauth-clients/v1', { token })).status).toBe(200);
    clock.nowMs += 1000;
    const expired = await call('GET', '/oauth-clients/v1', { token });
    expect(expired.status).toBe(401);
    expect(expired.headers.get('www-authenticate')).toBe('Bearer realm="access-admin", error="invalid_token"');
  });

  test('are refused when forged', async () => {
    const { call, rootToken } = await openTestApi();
    const token = await rootToken();
    const [header = '', payload = '', signature = ''] = token.split('.');
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(publicKey);
    const own = { ...decodeJwt(token) };
    const sign = (protectedHeader: Record<string, unknown>) =>
      new SignJWT(own).setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', ...protectedHeader }).sign(privateKey);
    const forged = {
      'no algorithm': `${encode({ alg: 'none', typ: 'at+jwt' })}.${payload}.`,
      'a changed payload': `${header}.${encode({ ...own, tenant: 'other' })}.${signature}`,
      'an embedded key': await sign({ jwk }),
      'an unknown key id': await sign({ kid: 'unknown' }),
      'our key id': await sign({ kid: decodeProtectedHeader(token).kid }),
      'HS256 under our key id': await new SignJWT(own)
        .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: String(decodeProtectedHeader(token).kid) })
        .sign(new TextEncoder().encode(JSON.stringify(jwk))),
      'no token at all': 'abc',
    };
    for (const [name, bearer] of Object.entries(forged)) {
      const answer = await call('GET', '/oauth-clients/v1', { token: bearer });
      expect([name, answer.status, answer.json.causes]).toEqual([name, 401, []]);
    }
    for (const authorization of [`Basic ${token}`, `Bearer ${token}, Bearer ${token}`, 'Bearer', token])
      expect((await call('GET', '/oauth-clients/v1', { token: null, headers: { authorization } })).status).toBe(401);
    expect((await call('GET', `/oauth-clients/v1?access_token=${token}`, { token: null })).status).toBe(401);
  });

  test('stop working when their client or its identity is deleted', async () => {
    const { call, tokenFor, importRecords, clientToken } = await openTestApi();
    await importRecords(WORLD);
    const created = await call('POST', '/oauth-clients/v1', { body: { name: 'c', scopes: ['auth-users:read'] } });
    const token = await tokenFor(created.json.id, created.json.secret);
    expect((await call('GET', '/auth-users/v1/i-ada', { token })).status).toBe(200);
    expect((await call('DELETE', `/oauth-clients/v1/${created.json.id}`)).status).toBe(204);
    expect((await call('GET', '/auth-users/v1/i-ada', { token })).status).toBe(401);
    const asCleo = await clientToken({ identityId: 'i-cleo' });
    await importRecords([{ kind: 'identity', id: 'i-cleo', delete: true }]);
    expect((await call('GET', '/auth-users/v1/i-cleo', { token: asCleo })).status).toBe(401);
  });

  test('contain the tenant of the host if the base address is a template', async () => {
    const { call, tokenFor } = await openTestApi({ baseAddress: 'https://{tenant}.api.example.com' });
    const token = await tokenFor('root', 'root secret%');
    expect(decodeJwt(token).iss).toBe('https://default.api.example.com');
    const get = (host: string) => call('GET', '/oauth-clients/v1', { token, headers: { host } });
    expect((await get('default.api.example.com')).status).toBe(200);
    expect((await get('DEFAULT.api.example.com')).status).toBe(200);
    expect((await get('default.api.example.com:443')).status).toBe(200);
    expect((await get('other.api.example.com')).status).toBe(401);
  });
});

describe('an external issuer', () => {
  const ISSUER = 'https://issuer.example';

  async function openWithIssuer() {
    const { publicKey, privateKey } = await generateKeyPair('RS256');
    const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256' }] });
    let fetches = 0;
    const server = createServer((_, response) => {
      fetches++;
      response.end(jwks);
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const jwksUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
    const api = await openTestApi({
      externalIssuer: { issuer: ISSUER, jwksUrl, audience: 'access-admin', claims: STANDARD_CLAIMS },
    });
    await api.importRecords(WORLD);
    const iat = Math.floor(api.clock.nowMs / 1000);
    const claims = {
      iss: ISSUER,
      aud: 'access-admin',
      sub: 's',
      client_id: 'ext',
      tenant: 'default',
      scope: 'auth-users:read',
      iat,
      exp: iat + 60,
    };
    const sign = (changes: Record<string, unknown> = {}, header: Record<string, string> = {}) =>
      new SignJWT({ ...claims, ...changes } as JWTPayload)
        .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: 'k1', ...header })
        .sign(privateKey);
    const status = async (token: string, id = 'i-ada') =>
      (await api.call('GET', `/auth-users/v1/${id}`, { token })).status;
    return { api, sign, status, fetches: () => fetches };
  }

  test('is trusted in addition to our own, for applications and identities', async () => {
    const { api, sign, status } = await openWithIssuer();
    expect(await status(await sign())).toBe(200);
    expect(await status(await api.rootToken())).toBe(200);
    expect(await status(await sign({ identity_id: 'i-hal' }))).toBe(200);
    expect(await status(await sign({ identity_id: 'i-cleo' }))).toBe(403);
    expect(await status(await sign({ identity_id: 'i-cleo' }), 'i-cleo')).toBe(200);
  });

  test('is refused for any deviation', async () => {
    const { sign, status, api } = await openWithIssuer();
    const iat = Math.floor(api.clock.nowMs / 1000);
    const wrong: Record<string, Promise<string>> = {
      audience: sign({ aud: 'else' }),
      type: sign({}, { typ: 'JWT' }),
      'no expiry': sign({ exp: undefined }),
      expired: sign({ exp: iat - 1 }),
      'not yet valid': sign({ nbf: iat + 60 }),
      'no tenant': sign({ tenant: undefined }),
      'a bad tenant': sign({ tenant: 'Default' }),
      'no client': sign({ client_id: undefined }),
      'no scope': sign({ scope: undefined }),
      'a deleted identity': sign({ identity_id: 'nobody' }),
      'another issuer': sign({ iss: 'https://else.example' }),
    };
    for (const [name, token] of Object.entries(wrong)) expect([name, await status(await token)]).toEqual([name, 401]);
  });

  test('is answered with 503 if its keys cannot be fetched, because the token may be valid', async () => {
    const { privateKey } = await generateKeyPair('RS256');
    const externalIssuer = {
      issuer: ISSUER,
      jwksUrl: 'http://127.0.0.1:9/jwks',
      audience: 'access-admin',
      claims: STANDARD_CLAIMS,
    };
    const { call } = await openTestApi({ externalIssuer });
    const token = await new SignJWT({ iss: ISSUER }).setProtectedHeader({ alg: 'RS256', kid: 'k' }).sign(privateKey);
    const answer = await call('GET', '/oauth-clients/v1', { token });
    expect([answer.status, answer.json.detailCode, answer.headers.has('retry-after')]).toEqual([503, '503', true]);
  });

  test('is not requested again for each unknown key id', async () => {
    const { sign, status, fetches } = await openWithIssuer();
    for (let at = 0; at < 20; at++) expect(await status(await sign({}, { kid: `unknown-${at}` }))).toBe(401);
    expect(fetches()).toBeLessThanOrEqual(2);
  });
});
