import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseClaimMapping } from '../src/auth/external-claims.ts';
import { openTestApi, WORLD } from './test-api.ts';

const ENTRA_TENANT = '9122040d-6c67-4c5b-b112-36a304b66dad';
const rsa = await generateKeyPair('RS256', { extractable: true });
const JWKS = JSON.stringify({ keys: [{ ...(await exportJWK(rsa.publicKey)), kid: 'k1', use: 'sig' }] });

interface Issuer {
  readonly issuer: string;
  readonly audience: string;
  readonly claims: unknown;
}

/** The service with an issuer that sends tokens in a shape of its own; `status` is that of reading an auth user. */
async function openWithIssuer({ issuer, audience, claims }: Issuer) {
  const server = createServer((_, response) => void response.end(JWKS)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const mapping = parseClaimMapping(JSON.stringify(claims));
  if (mapping === null) throw new Error('the mapping is malformed');
  const jwksUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
  const api = await openTestApi({ externalIssuer: { issuer, jwksUrl, audience, claims: mapping } });
  await api.importRecords(WORLD);
  const iat = Math.floor(api.clock.nowMs / 1000);
  const sign = (payload: object, header: object = {}) =>
    new SignJWT({ iss: issuer, aud: audience, iat, nbf: iat, exp: iat + 3_599, ...payload })
      .setProtectedHeader({ alg: 'RS256', kid: 'k1', ...header })
      .sign(rsa.privateKey);
  const status = async (payload: object, header: object = {}, path = '/auth-users/v1/i-ada') =>
    (await api.call('GET', path, { token: await sign(payload, header) })).status;
  return { api, sign, status };
}

describe('tokens of Microsoft Entra ID, version 2.0', () => {
  const AUDIENCE = '6e74172b-be56-4843-9ff4-e66a39bb12e3';
  const ISSUER = {
    issuer: `https://login.microsoftonline.com/${ENTRA_TENANT}/v2.0`,
    audience: AUDIENCE,
    claims: {
      tenant: { value: 'default' },
      client: [{ claim: 'azp' }, { claim: 'appid' }],
      scopes: [{ claim: 'scp' }, { claim: 'roles' }],
      identity: { from: { claim: 'oid' }, unless: { claim: 'idtyp', value: 'app' } },
      typ: 'JWT',
    },
  };
  const HEADER = { typ: 'JWT' };
  const COMMON = { aio: 'AXQAi/8TAAAA', rh: '0.AXQA', tid: ENTRA_TENANT, uti: 'fqiBqXLPj0eQa82S-IYFAA', ver: '2.0' };
  const OF_USER = {
    ...COMMON,
    azp: '04b07795-8ddb-461a-bbee-02f9e1bf7b46',
    azpacr: '0',
    name: 'Ada L.',
    oid: 'i-ada',
    preferred_username: 'ada@example.com',
    scp: 'auth-users:read openid',
    sub: 'HKZpfaHyWadeOouYlitjrI-KffTm222X',
  };
  const OF_APPLICATION = {
    ...COMMON,
    azp: '04b07795-8ddb-461a-bbee-02f9e1bf7b46',
    azpacr: '1',
    idtyp: 'app',
    oid: 'f5d1a2b3',
    sub: 'f5d1a2b3',
    roles: ['auth-users:read'],
  };
  const ID_TOKEN = {
    ...COMMON,
    name: 'Ada L.',
    oid: 'i-ada',
    preferred_username: 'ada@example.com',
    sub: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSa',
    roles: ['auth-users:read'],
    nonce: '678910',
  };

  test('act as the user that `oid` names, with the scopes of `scp`, and as an application with those of `roles`', async () => {
    const { api, sign, status } = await openWithIssuer(ISSUER);
    expect(await status(OF_USER, HEADER)).toBe(200);
    expect(await status(OF_APPLICATION, HEADER)).toBe(200);
    expect(await status({ ...OF_USER, scp: 'openid' }, HEADER)).toBe(403);
    expect(await status({ ...OF_USER, oid: 'unknown' }, HEADER)).toBe(401);
    const denied = { ...OF_USER, scp: 'ui-metadata:manage' };
    await api.call('GET', '/auth-users/v1/i-ada', { token: await sign(denied, HEADER) });
    const events = await api.call('GET', '/audit-events/v1', { token: await api.rootToken() });
    expect(events.text).toContain('"actor":{"clientId":"04b07795-8ddb-461a-bbee-02f9e1bf7b46","identityId":"i-ada"}');
  });

  test('are refused where they are ID tokens, name no user, or are for another API or of another directory', async () => {
    const { status } = await openWithIssuer(ISSUER);
    const { oid: _, ...nameless } = OF_USER;
    const refused: readonly object[] = [
      ID_TOKEN,
      { ...ID_TOKEN, nonce: undefined },
      { ...ID_TOKEN, azp: 'x' },
      nameless,
      { ...OF_USER, oid: null },
      { ...OF_USER, oid: ['i-ada'] },
      { ...OF_USER, aud: 'https://graph.microsoft.com' },
      { ...OF_USER, iss: 'https://login.microsoftonline.com/ffffffff-6c67-4c5b-b112-36a304b66dad/v2.0' },
      { ...OF_USER, scp: { 'auth-users:read': true } },
    ];
    for (const token of refused) expect([token, await status(token, HEADER)]).toEqual([token, 401]);
    for (const typ of [undefined, 'at+jwt', 'id+jwt', 'JWE'])
      expect([typ, await status(OF_USER, { typ })]).toEqual([typ, 401]);
  });

  test('can name the tenant by that of the directory', async () => {
    const { api, status } = await openWithIssuer({ ...ISSUER, claims: { ...ISSUER.claims, tenant: { claim: 'tid' } } });
    // The tenant is another one, whose identities are others.
    expect(await status(OF_USER, HEADER)).toBe(401);
    expect(await status(OF_APPLICATION, HEADER)).toBe(404);
    expect((await api.call('GET', '/auth-users/v1/i-ada', { token: await api.rootToken() })).status).toBe(200);
  });
});

describe('tokens of an Okta authorization server', () => {
  const ISSUER = {
    issuer: 'https://dev-123456.okta.com/oauth2/aus9o8wvkhockw9TL0h7',
    audience: 'api://access-admin',
    claims: {
      tenant: { claim: 'https://access-admin.example/tenant' },
      client: { claim: 'cid' },
      scopes: { claim: 'scp' },
      identity: { from: { claim: 'uid' }, optional: true },
      typ: [null, 'application/okta-internal-at+jwt'],
    },
  };
  const COMMON = {
    ver: 1,
    jti: 'AT.0mP4JKAZX1iACIT4vbEDF7LpvDVjxypPMf0D7uX39RE',
    cid: '0oabskvc6442nkvQO0h7',
    'https://access-admin.example/tenant': 'default',
  };
  const OF_USER = { ...COMMON, uid: 'i-ada', sub: 'ada@example.com', scp: ['auth-users:read', 'openid'] };
  const OF_SERVICE = { ...COMMON, sub: '0oabskvc6442nkvQO0h7', scp: ['auth-users:read'] };
  const ID_TOKEN = { ver: 1, sub: 'i-ada', uid: 'i-ada', amr: ['pwd'], idp: '00ok', scp: ['auth-users:read'] };

  test('act as the user of `uid` with the list of scopes in `scp`, and without `uid` as an application', async () => {
    const { status } = await openWithIssuer(ISSUER);
    expect(await status(OF_USER)).toBe(200);
    expect(await status(OF_USER, { typ: 'application/okta-internal-at+jwt' })).toBe(200);
    expect(await status(OF_SERVICE)).toBe(200);
    expect(await status({ ...OF_SERVICE, scp: ['openid'] })).toBe(403);
    expect(await status(ID_TOKEN)).toBe(401);
    expect(await status({ ...OF_USER, scp: ['auth-users:read', 7] })).toBe(401);
    expect(await status(OF_USER, { typ: 'JWT' })).toBe(401);
    expect(await status({ ...OF_USER, 'https://access-admin.example/tenant': 'No Tenant' })).toBe(401);
  });
});

describe('tokens of Keycloak', () => {
  const ISSUER = {
    issuer: 'https://sso.example.com/realms/acme',
    audience: 'access-admin',
    claims: {
      tenant: { value: 'default' },
      client: { claim: 'azp' },
      scopes: { claim: ['resource_access', 'access-admin', 'roles'] },
      identity: { claim: 'identity_id' },
      typ: 'JWT',
    },
  };
  const HEADER = { typ: 'JWT' };
  const OF_USER = {
    jti: 'onrtac:3ed3',
    aud: ['access-admin', 'account'],
    sub: '4c973896-5761-41fc-8217-07c5d13a004b',
    typ: 'Bearer',
    azp: 'console',
    sid: '6d5a1cd7',
    acr: '1',
    scope: 'openid email profile',
    realm_access: { roles: ['offline_access', 'uma_authorization'] },
    resource_access: { 'access-admin': { roles: ['auth-users:read'] }, account: { roles: ['view-profile'] } },
    email_verified: true,
    preferred_username: 'ada',
    identity_id: 'i-ada',
  };

  test('act as the user of a mapped claim with the roles of the client', async () => {
    const { status } = await openWithIssuer(ISSUER);
    expect(await status(OF_USER, HEADER)).toBe(200);
    // Before version 25 the nonce of a sign-in is in all of its tokens.
    expect(await status({ ...OF_USER, nonce: 'f9a1' }, HEADER)).toBe(200);
    expect(await status({ ...OF_USER, resource_access: { 'access-admin': { roles: [] } } }, HEADER)).toBe(403);
  });

  test('are refused where they are of another kind, or lack a claim that is mapped', async () => {
    const { status } = await openWithIssuer(ISSUER);
    const { identity_id: _, ...nameless } = OF_USER;
    const refused: readonly object[] = [
      ...['ID', 'Refresh', 'Offline', 'Logout', 'bearer', 7].map((typ) => ({ ...OF_USER, typ })),
      nameless,
      { ...OF_USER, resource_access: { account: { roles: ['auth-users:read'] } } },
      { ...OF_USER, resource_access: ['auth-users:read'] },
      { ...OF_USER, aud: ['account'] },
      { ...OF_USER, azp: undefined },
    ];
    for (const token of refused) expect([token, await status(token, HEADER)]).toEqual([token, 401]);
  });
});

test('a fixed identity and fixed scopes make one program of all tokens of an issuer', async () => {
  const { status } = await openWithIssuer({
    issuer: 'https://issuer.example',
    audience: 'access-admin',
    claims: {
      tenant: { value: 'default' },
      client: { value: 'pipeline' },
      scopes: { value: ['auth-users:read'] },
      identity: { value: 'i-ada' },
    },
  });
  const header = { typ: 'at+jwt' };
  expect(await status({ sub: 's' }, header)).toBe(200);
  expect(await status({ sub: 's', scope: 'ui-metadata:manage' }, header, '/ui-metadata/v1/tenant')).toBe(403);
  expect(await status({ sub: 's' }, { typ: 'JWT' })).toBe(401);
});

test('names of claims are own properties of the token alone', async () => {
  const claims = {
    tenant: { value: 'default' },
    client: { claim: ['constructor', 'name'] },
    scopes: { claim: 'scope' },
  };
  const { status } = await openWithIssuer({ issuer: 'https://issuer.example', audience: 'access-admin', claims });
  expect(await status({ sub: 's', scope: 'auth-users:read' }, { typ: 'at+jwt' })).toBe(401);
});
