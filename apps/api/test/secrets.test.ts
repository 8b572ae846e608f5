import { connect } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { OPERATIONS, type Operation } from '@access-admin/contract';
import { SCOPES } from '@access-admin/domain';
import { createEngineDatabase } from '@access-admin/harness';
import { openStore } from '@access-admin/store';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runApi, runToItsEnd } from './run-api.ts';
import { WORLD } from './test-api.ts';

/** Part of every secret and of every personal value. */
const CANARY = 'c4n4ry';
const BOOTSTRAP = { clientId: 'root', clientSecret: `${CANARY} of the bootstrap client%` };
const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A valid body for each operation that has one. */
const BODIES: Readonly<Record<string, string>> = {
  'patch-auth-user-v1': '[{"op":"add","path":"/capabilities/-","value":"HELPDESK"}]',
  'patch-profile-config-v1': `[{"op":"replace","path":"/applicationName","value":"${CANARY}"}]`,
  'start-predict-sod-violations-v1': `{"identityId":"i-cleo","accessRefs":[],"clientMetadata":{"a":"${CANARY}"}}`,
  'start-violation-check-v1': `{"identityId":"i-cleo","accessRefs":[],"clientMetadata":{"a":"${CANARY}"}}`,
  'set-tenant-ui-metadata-v1': `{"usernameLabel":"${CANARY}"}`,
  'set-tenant-branding-v1': `{"title":"${CANARY}"}`,
  'create-oauth-client-v1': `{"name":"${CANARY}","scopes":["ui-metadata:read"]}`,
  'import-access-model-v1': `{"kind":"identity","id":"i-x","uid":"x","identityProfile":"ip-emp","email":"${CANARY}@example.com"}`,
};
const BAD_BODIES = [
  CANARY,
  `{"${CANARY}`,
  `{"identityId":{"a":"${CANARY}"},"accessRefs":"${CANARY}"}`,
  `[{"op":"${CANARY}","path":"${CANARY}","value":"${CANARY}"}]`,
  `{"kind":"identity","id":"i-y","uid":7,"email":["${CANARY}"]}`,
  `{"name":"n","scopes":["${CANARY}"]}`,
  `"${CANARY}\u0000`,
];

/** An API that logs at the lowest level, with calls to it; records every secret that it issues. */
async function openApi(databaseUrl: string) {
  const api = await runApi({
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'trace',
    RATE_LIMIT: 'off',
    BOOTSTRAP_CLIENT_ID: BOOTSTRAP.clientId,
    BOOTSTRAP_CLIENT_SECRET: BOOTSTRAP.clientSecret,
  });
  const refusals: string[] = [];
  const secrets: string[] = [CANARY, BOOTSTRAP.clientSecret];
  const send = async (method: string, path: string, { headers = {}, body }: Sent = {}) => {
    const answer = await fetch(`${api.baseAddress}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.text();
    if (answer.status >= 400) refusals.push(text);
    return { status: answer.status, text };
  };
  const requestToken = (headers: Readonly<Record<string, string>>, form: Readonly<Record<string, string>>) => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams({ grant_type: 'client_credentials', ...form }).toString();
    return send('POST', '/oauth/token', { headers: { ...type, ...headers }, body });
  };
  const takeToken = async (id: string, secret: string): Promise<string> => {
    const { text } = await requestToken({ authorization: basic(id, secret) }, {});
    const { access_token: token } = JSON.parse(text);
    secrets.push(token, ...token.split('.').slice(1), basic(id, secret).slice('Basic '.length));
    return token;
  };
  return { ...api, send, requestToken, takeToken, refusals, secrets };
}

type Api = Awaited<ReturnType<typeof openApi>>;

async function driveOperation({ send }: Api, operation: Operation, token: string): Promise<void> {
  const { id, method, body } = operation;
  const path = operation.path.replace(/\{\w+\}/, 'i-cleo');
  const type: Record<string, string> = body === null ? {} : { 'content-type': body.mediaType };
  const bearer = (text: string) => ({ ...type, 'x-service-experimental': 'true', authorization: `Bearer ${text}` });
  const good = BODIES[id] ?? '{}';
  const withBody = (text: string) => (body === null ? {} : { body: text });
  expect((await send(method, path, { headers: bearer(token), ...withBody(good) })).status).toBeLessThan(500);
  for (const bad of [CANARY, `${token}${CANARY}`, `${token.slice(0, -8)}${CANARY}AA`, `e30.e30.${CANARY}`])
    expect((await send(method, path, { headers: bearer(bad), ...withBody(good) })).status).toBe(401);
  const credentials = { ...type, authorization: basic(CANARY, CANARY), cookie: CANARY, 'x-api-key': CANARY };
  await send(method, `${path}?access_token=${CANARY}&limit=${CANARY}`, { headers: credentials, ...withBody(good) });
  await send(method, `${path}?limit=${CANARY}`, { headers: bearer(token), ...withBody(good) });
  if (body === null) return;
  for (const text of BAD_BODIES)
    expect((await send(method, path, { headers: bearer(token), body: text })).status).toBeLessThan(500);
  const other = { ...bearer(token), 'content-type': `text/${CANARY}; charset=${CANARY}` };
  expect(operation.isAuthzen ? [400, 403] : [403, 415]).toContain(
    (await send(method, path, { headers: other, body: CANARY })).status,
  );
  const large = CANARY.repeat(Math.ceil((body.bytesMax + 1) / CANARY.length));
  if (large.length < 1_000_000) await send(method, path, { headers: bearer(token), body: large });
}

async function driveTokens({ requestToken, send }: Api): Promise<void> {
  const { clientId, clientSecret } = BOOTSTRAP;
  expect((await requestToken({}, { client_id: clientId, client_secret: clientSecret })).status).toBe(200);
  for (const form of [
    { client_id: clientId, client_secret: `${CANARY} wrong` },
    { client_id: CANARY, client_secret: CANARY },
    { client_id: clientId, client_secret: clientSecret, scope: CANARY },
    { client_id: clientId, client_secret: clientSecret, grant_type: CANARY },
    { client_id: clientId, client_secret: clientSecret, grant_type: 'password', password: CANARY },
  ])
    expect((await requestToken({}, form)).status).toBeLessThan(500);
  for (const authorization of [
    basic(clientId, CANARY),
    basic(CANARY, clientSecret),
    `Basic ${CANARY}`,
    `Bearer ${CANARY}`,
  ])
    expect((await requestToken({ authorization }, {})).status).toBeLessThan(500);
  const multipart = { 'content-type': `multipart/form-data; boundary=${CANARY}` };
  await send('POST', '/oauth/token', { headers: multipart, body: `--${CANARY}\r\n${CANARY}` });
}

/** Requests that the HTTP parser refuses, and one that breaks off. */
async function driveSockets({ port }: Api): Promise<void> {
  const head = `POST /sod-violations/v1/predict HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${CANARY}\r\n`;
  for (const text of [
    `${CANARY}\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: ${CANARY} ${CANARY}\r\nConnection: close\r\n\r\n`,
    `${head}${CANARY} ${CANARY}\r\n\r\n`,
    `${head}X: ${CANARY.repeat(4000)}\r\n\r\n`,
    `${head}Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"a":"${CANARY}`,
  ]) {
    const socket = connect(port, '127.0.0.1').resume();
    socket.on('error', () => {});
    socket.end(text);
    await new Promise<void>((resolve) => socket.once('close', () => resolve()));
  }
}

/** Makes writes fail; where the storage still exists, resolves with a function that permits them again. */
async function takeStorageAway({ url, remove }: Awaited<ReturnType<typeof createEngineDatabase>>) {
  if (!url.startsWith('sqlite:')) {
    await remove();
    return () => {};
  }
  const holder = new DatabaseSync(url.slice('sqlite:'.length));
  holder.exec('begin immediate');
  onTestFinished(() => holder.close());
  return () => holder.exec('rollback');
}

describe('no secret is logged or answered', () => {
  test('by successful, refused, broken and unavailable requests', async () => {
    const database = await createEngineDatabase();
    onTestFinished(database.remove);
    const api = await openApi(database.url);
    // PostgreSQL has a password; a file has none.
    const { password = '' } = URL.parse(database.url) ?? {};
    if (password !== '') api.secrets.push(password);
    const token = await api.takeToken(BOOTSTRAP.clientId, BOOTSTRAP.clientSecret);
    const authorization = `Bearer ${token}`;
    const ndjson = { authorization, 'content-type': 'application/x-ndjson' };
    const world = WORLD.map((record) => JSON.stringify(record))
      .join('\n')
      .replace('cleo@', `${CANARY}@`);
    expect((await api.send('POST', '/access-model/v1/import', { headers: ndjson, body: world })).status).toBe(200);
    const json = { authorization, 'content-type': 'application/json' };
    const body = JSON.stringify({ name: CANARY, scopes: SCOPES, identityId: 'i-hal' });
    const created = JSON.parse((await api.send('POST', '/oauth-clients/v1', { headers: json, body })).text);
    api.secrets.push(created.secret);
    const rotation = await api.send('POST', `/oauth-clients/v1/${created.id}/rotate-secret`, {
      headers: json,
      body: '{}',
    });
    api.secrets.push(JSON.parse(rotation.text).secret);
    const helper = await api.takeToken(created.id, created.secret);
    for (const operation of OPERATIONS)
      for (const bearer of [token, helper]) await driveOperation(api, operation, bearer);
    await driveTokens(api);
    await driveSockets(api);

    const store = await openStore(database.url);
    const client = await store.clients.findForToken(created.id);
    const keys = await store.signingKeys.list();
    api.secrets.push(
      ...(client?.secrets.flatMap(({ hash }) => hash.split(':').slice(1)) ?? []),
      ...keys.map((key) => JSON.parse(key.privateJwk).d),
    );
    // A stored row that cannot be parsed is a bug, and the error of JSON.parse quotes it.
    const broken = { kid: 'broken', issuer: 'http://broken', created: new Date().toISOString() };
    await store.signingKeys.createFor({ ...broken, privateJwk: `{"d": ${CANARY}` });
    await store.close();
    expect((await api.send('GET', '/.well-known/jwks.json')).status).toBe(500);

    const giveBack = await takeStorageAway(database);
    // Together: each of them waits for the storage for some seconds.
    const away = await Promise.all([
      api.send('POST', '/oauth-clients/v1', { headers: json, body }),
      api.send('POST', '/access-model/v1/import', { headers: ndjson, body: world }),
    ]);
    for (const { status } of away) expect(status).toBeGreaterThanOrEqual(500);

    // The end of the process writes what denials it has counted.
    giveBack();
    const { output } = await api.stop();
    expect(output.split('\n').filter((line) => line.includes('"msg":"request"')).length).toBeGreaterThan(200);
    expect(output).toContain('"msg":"bug"');
    const shown = output.split('\n').filter((line) => api.secrets.some((secret) => line.includes(secret)));
    expect(shown).toEqual([]);
    const answered = api.refusals.filter((text) => api.secrets.some((secret) => text.includes(secret)));
    expect(answered).toEqual([]);
    expect(output).not.toMatch(/eyJ|scrypt:|Bearer |Basic /);
  });
});

const WRONG_ADDRESSES = [
  `mysql://u:${CANARY}@h/d`,
  `postgres://u:${CANARY}#@h/d`,
  `postgres://u:1${CANARY}/x@h/d`,
  // A valid address without a server.
  `postgres://u:${CANARY}%@127.0.0.1:1/d`,
];

describe.each(['api', 'worker'] as const)('the start of %s reports a wrong value without repeating it', (app) => {
  test.each(WRONG_ADDRESSES)('DATABASE_URL=%s', async (address) => {
    const { code, output } = await runToItsEnd(app, { DATABASE_URL: address, LOG_LEVEL: 'trace' });
    expect(code === 1 || code === 2).toBe(true);
    expect(output).not.toBe('');
    expect(output).not.toContain(CANARY);
  });

  test('every other variable', async () => {
    const names = [
      'HOST',
      'PORT',
      'BASE_ADDRESS',
      'TENANT',
      'BOOTSTRAP_CLIENT_ID',
      'BOOTSTRAP_CLIENT_SECRET',
      'RATE_LIMIT',
    ];
    const others = ['LOG_LEVEL', 'CACHE_BYTES', 'CHECK_LEASE_MS', 'AUTH_JWKS_URL', 'AUTH_AUDIENCE'];
    const env = Object.fromEntries([...names, ...others].map((name) => [name, `https://u:${CANARY} \n/@x`]));
    const { code, output } = await runToItsEnd(app, env);
    expect([code, output.includes(CANARY)]).toEqual([2, false]);
  });
});
