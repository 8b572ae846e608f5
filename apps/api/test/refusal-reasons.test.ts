import { PUBLIC_ENDPOINTS, TOKEN_LENGTH_MAX } from '@access-admin/contract';
import { generateKeyPair, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { openOwnSigner } from './sign-own-token.ts';
import { openTestApi, type TestAnswer, type TestApi, WORLD } from './test-api.ts';

const CLIENTS = '/oauth-clients/v1';

/** The log line of a response. */
const lineOf = ({ lines }: TestApi, { headers }: TestAnswer) =>
  lines.find(({ fields }) => fields['trackingId'] === headers.get('x-request-id'))?.fields;

/** What a caller is told, without the tracking id. */
const told = ({ status, headers, text }: TestAnswer) =>
  [status, headers.get('www-authenticate'), text.replaceAll(headers.get('x-request-id') ?? '', 'id')] as const;

const OUTGROWN = 'the identity has INTERNAL, which the maker of the secret lacked';

/** A client with a token, whose identity has gained more than the maker of the client has. */
async function outgrow({ call, clientToken, tokenFor, importRecords }: TestApi) {
  const body = { name: 'c', scopes: ['auth-users:read'], identityId: 'i-hal' };
  const { json } = await call('POST', CLIENTS, { token: await clientToken({ identityId: 'i-ada' }), body });
  const token = await tokenFor(json.id, json.secret);
  const hal = { kind: 'identity', id: 'i-hal', uid: 'hal', identityProfile: 'ip-emp', capabilities: ['INTERNAL'] };
  await importRecords([hal]);
  return { id: json.id as string, secret: json.secret as string, token };
}

describe('the log line of a 401', () => {
  test('names the reason, and every caller with a token is told the same', async () => {
    const api = await openTestApi();
    await api.importRecords(WORLD);
    const { sign, claims, kid } = await openOwnSigner(api);
    const { privateKey } = await generateKeyPair('ES256');
    const foreign = (header: object) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', ...header }).sign(privateKey);
    const asCleo = await api.clientToken({ identityId: 'i-cleo' });
    const asHal = await outgrow(api);
    await api.importRecords([{ kind: 'identity', id: 'i-cleo', delete: true }]);
    const cases: readonly (readonly [reason: string, token: string])[] = [
      ['malformed', 'abc'],
      ['too long', 'x'.repeat(TOKEN_LENGTH_MAX + 1)],
      ['unknown key', await foreign({ kid: 'canary' })],
      ['unknown key', await foreign({})],
      ['bad signature', await foreign({ kid })],
      ['expired', await sign({ iat: claims.iat - 1000, exp: claims.iat - 100 })],
      ['not yet valid', await sign({ nbf: claims.iat + 100 })],
      ['wrong issuer', await sign({ iss: 'https://canary.example' })],
      ['wrong audience', await sign({ aud: 'https://canary.example' })],
      ['wrong type', await sign({}, { typ: 'JWT' })],
      ['missing claim', await sign({ scope: undefined })],
      ['invalid claim', await sign({ scope: 7 })],
      ['invalid claim', await sign({ tenant: 'No Tenant' })],
      ['client gone', await sign({ client_id: 'canary' })],
      ['token of an earlier client of this id', await sign({ client_created: '2020-01-01T00:00:00.000Z' })],
      ['missing claim', await sign({ client_created: undefined })],
      ['token of a secret that has ended', await sign({ secret_version: 0 })],
      ['token of a secret that has ended', await sign({ secret_version: 2 })],
      ['missing claim', await sign({ secret_version: undefined })],
      ['client gone', asCleo],
      [OUTGROWN, asHal.token],
    ];
    const answers = new Set<string>();
    for (const [reason, token] of cases) {
      const answer = await api.call('GET', CLIENTS, { token });
      expect([reason, lineOf(api, answer)]).toEqual([
        reason,
        expect.objectContaining({ status: 401, detailCode: '401', reason }),
      ]);
      answers.add(JSON.stringify(told(answer)));
    }
    expect(answers.size).toBe(1);
    expect([...answers][0]).not.toMatch(/reason|expired|signature/);
    expect(JSON.stringify(api.lines)).not.toMatch(/canary/);
  });

  test('says of a token that was good whether it has expired since', async () => {
    const api = await openTestApi();
    const token = await api.rootToken();
    expect((await api.call('GET', CLIENTS, { token })).status).toBe(200);
    api.clock.nowMs += 900_000;
    for (const _ of ['first', 'again'])
      expect(lineOf(api, await api.call('GET', CLIENTS, { token }))).toMatchObject({ reason: 'expired' });
  });

  test('tells a missing token from another scheme and from a host of another tenant', async () => {
    const api = await openTestApi();
    expect(lineOf(api, await api.call('GET', CLIENTS, { token: null }))).toMatchObject({ reason: 'no token' });
    const basic = { token: null, headers: { authorization: 'Basic abc' } };
    expect(lineOf(api, await api.call('GET', CLIENTS, basic))).toMatchObject({ reason: 'no bearer token' });
    const named = await openTestApi({ baseAddress: 'https://{tenant}.api.example.com' });
    const answer = await named.call('GET', CLIENTS);
    expect(lineOf(named, answer)).toMatchObject({ status: 401, reason: 'host of another tenant' });
  });

  test('of a token call tells an unknown client from a wrong secret, which the caller is not told', async () => {
    const api = await openTestApi();
    await api.importRecords(WORLD);
    const { id, secret } = (
      await api.call('POST', CLIENTS, { body: { name: 'c', scopes: ['auth-users:read'], identityId: 'i-cleo' } })
    ).json;
    const asHal = await outgrow(api);
    await api.importRecords([{ kind: 'identity', id: 'i-cleo', delete: true }]);
    const basic = (user: string, password: string) => ({
      authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
    });
    const grant = { grant_type: 'client_credentials' };
    const cases = [
      ['unknown client', 'canary', 'x'],
      ['wrong secret', 'root', 'x'],
      ['unknown client', id, secret],
      [OUTGROWN, asHal.id, asHal.secret],
    ] as const;
    const answers = new Set<string>();
    for (const [reason, client, password] of cases) {
      const inBody = await api.requestToken({ ...grant, client_id: client, client_secret: password });
      const inHeader = await api.requestToken(grant, basic(client, password));
      for (const answer of [inBody, inHeader]) {
        const line = { operation: 'create-token', status: 401, detailCode: 'invalid_client', reason };
        expect(lineOf(api, answer)).toMatchObject(line);
        answers.add(JSON.stringify(told(answer)));
      }
    }
    expect(answers.size).toBe(1);
    expect(JSON.stringify(api.lines)).not.toMatch(/canary/);
  });
});

describe('a log line', () => {
  test('of every other refusal has its detail code', async () => {
    const api = await openTestApi();
    const reading = await api.clientToken({ scopes: ['auth-users:read'] });
    const answers = [
      await api.call('GET', '/nope', { token: null }),
      await api.call('DELETE', CLIENTS),
      await api.call('GET', CLIENTS, { token: reading }),
      await api.call('GET', '/auth-users/v1/nobody'),
      await api.call('GET', '/audit-events/v1?limit=x'),
      await api.call('POST', CLIENTS, { body: { name: 'c' } }),
      await api.call('POST', CLIENTS, { body: '{', headers: { 'content-type': 'text/plain' } }),
      await api.call('GET', '//\\', { token: null }),
    ];
    expect(answers.map((answer) => lineOf(api, answer)?.['detailCode'])).toEqual(
      answers.map(({ json }) => json.detailCode),
    );
    const wrongGrant = await api.requestToken({ grant_type: 'password', client_id: 'root', client_secret: 'x' });
    expect(lineOf(api, wrongGrant)).toMatchObject({ detailCode: wrongGrant.json.error });
    expect(lineOf(api, await api.call('GET', CLIENTS))).not.toHaveProperty('detailCode');
  });

  test('and the metrics name the endpoints that need no token', async () => {
    const api = await openTestApi();
    for (const { id, method, path } of PUBLIC_ENDPOINTS) {
      const answer = await api.call(method, path, { token: null });
      expect(lineOf(api, answer)).toMatchObject({ operation: id });
    }
    const { text } = await api.call('GET', '/metrics', { token: null });
    for (const { id } of PUBLIC_ENDPOINTS) expect(text).toContain(`operation="${id}"`);
  });
});
