import { SCOPES, type Scope } from '@access-admin/domain';
import { createEngineDatabase } from '@access-admin/harness';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type BootstrapClientDeps,
  type BootstrapCredentials,
  prepareBootstrapClient,
  resetBootstrapClient,
} from '../src/auth/client-secrets/bootstrap-client.ts';
import { createDeriveKey, createSecrets } from '../src/auth/client-secrets/secrets.ts';
import { runApi } from './run-api.ts';
import { openTestApi, type TestApi } from './test-api.ts';

const SECRET = 'root secret%';
const HOUR_MS = 3_600_000;

/** What the environment of a start gives; the tenant is that of the service if left out. */
interface Given {
  readonly tenant?: string;
  readonly clientId?: string | null;
  readonly clientSecret?: string | null;
}

/** Starts another process on the store of an API, and returns the messages that it logs. */
async function start({ store, clock }: TestApi, given: Given, changed: Partial<BootstrapClientDeps> = {}) {
  const { tenant = 'default', clientId = 'root', clientSecret = SECRET } = given;
  const logged: string[] = [];
  await prepareBootstrapClient({
    clients: store.clients,
    secrets: createSecrets({ deriveKey: createDeriveKey({ N: 2, r: 1, p: 1 }), elapsed: () => clock.nowMs }),
    config: { tenant, bootstrapClientId: clientId, bootstrapClientSecret: clientSecret },
    log: { warn: (_, message) => logged.push(message) },
    now: () => new Date(clock.nowMs),
    newId: () => 'unused',
    newSecret: () => 'unused',
    newTrackingId: () => '0'.repeat(32),
    keep: () => Promise.reject(new Error('no credentials are generated')),
    ...changed,
  });
  return logged;
}

/** Resets a bootstrap client as the command does. */
const reset = ({ store, clock }: TestApi, given: Partial<Parameters<typeof resetBootstrapClient>[1]> = {}) =>
  resetBootstrapClient(
    {
      clients: store.clients,
      secrets: createSecrets({ deriveKey: createDeriveKey({ N: 2, r: 1, p: 1 }), elapsed: () => clock.nowMs }),
      now: () => new Date(clock.nowMs),
      newId: () => 'fresh',
      newSecret: () => 'new secret',
      newTrackingId: () => '0'.repeat(32),
    },
    { tenant: 'default', clientId: null, ...given },
  );

const asks = async (api: TestApi, secret: string, clientId = 'root') =>
  (await api.requestToken({ grant_type: 'client_credentials', client_id: clientId, client_secret: secret })).status;
const works = async (api: TestApi, token: string) => (await api.call('GET', '/oauth-clients/v1', { token })).status;
const recordedBySystem = async (api: TestApi, token: string) =>
  (await api.call('GET', `/audit-events/v1?filters=${encodeURIComponent('actor eq "system"')}`, { token })).json;

test.each(['a%41b', '%41', 'a+b%2Fc', 'two+words', 'two words', 'YWJj+/+/=='])(
  'the secret %j works in Basic as it is and form-encoded, and no other one does',
  async (secret) => {
    const api = await openTestApi();
    await start(api, { clientSecret: secret });
    const encode = (text: string) => new URLSearchParams({ '': text }).toString().slice(1);
    const statusOf = async (sent: string) => {
      const authorization = `Basic ${Buffer.from(`root:${sent}`).toString('base64')}`;
      const { status, json } = await api.requestToken({ grant_type: 'client_credentials' }, { authorization });
      return [sent, status, json.error];
    };
    for (const sent of [secret, encode(secret)]) expect(await statusOf(sent)).toEqual([sent, 200, undefined]);
    for (const sent of [`${secret}x`, encode(`${secret} `), 'a%41', '%'])
      expect(await statusOf(sent)).toEqual([sent, 401, 'invalid_client']);
  },
);

describe('a start with a secret in the environment', () => {
  test('that is the secret of the bootstrap client changes nothing', async () => {
    const api = await openTestApi();
    const token = await api.rootToken();
    expect(await start(api, {})).toEqual([]);
    expect([await works(api, token), await recordedBySystem(api, token)]).toEqual([200, []]);
  });

  test('that differs gives it to the bootstrap client, ends the old one and its tokens, and tells it', async () => {
    const api = await openTestApi();
    const token = await api.rootToken();
    expect(await works(api, token)).toBe(200);
    expect(await start(api, { clientSecret: 'another' })).toEqual([expect.stringContaining('has replaced it')]);
    expect([await works(api, token), await asks(api, SECRET), await asks(api, 'another')]).toEqual([401, 401, 200]);
    const next = await api.tokenFor('root', 'another');
    expect(await recordedBySystem(api, next)).toMatchObject([
      {
        actor: { clientId: 'system', identityId: null },
        operation: 'replace-bootstrap-secret',
        resource: { type: 'OAUTH_CLIENT', id: 'root' },
        changes: [{ field: 'secretVersion', before: 1, after: 2 }],
      },
    ]);
    // The client is the same one, and has what it had.
    expect((await api.call('GET', '/oauth-clients/v1/root', { token: next })).json).toMatchObject({
      created: '2026-11-21T09:30:00.000Z',
      bootstrap: true,
    });
    expect(await start(api, { clientSecret: 'another' })).toEqual([]);
    expect(await works(api, next)).toBe(200);
  });

  test('that differs ends both secrets of an overlap', async () => {
    const api = await openTestApi();
    const rotated = await api.call('POST', '/oauth-clients/v1/root/rotate-secret', { body: {} });
    const tokens = [await api.rootToken(), await api.tokenFor('root', rotated.json.secret)];
    await start(api, { clientSecret: 'another' });
    for (const token of tokens) expect(await works(api, token)).toBe(401);
    for (const secret of [SECRET, rotated.json.secret]) expect(await asks(api, secret)).toBe(401);
    expect(await asks(api, 'another')).toBe(200);
  });

  test('that was rotated leaves the new one while it is valid, says so, and then becomes the secret again', async () => {
    const api = await openTestApi();
    const rotated = await api.call('POST', '/oauth-clients/v1/root/rotate-secret', { body: { overlapHours: 1 } });
    expect(await start(api, {})).toEqual([expect.stringContaining('set the new one before it ends')]);
    for (const secret of [SECRET, rotated.json.secret]) expect(await asks(api, secret)).toBe(200);
    api.clock.nowMs += HOUR_MS;
    expect(await start(api, {})).toEqual([expect.stringContaining('has replaced it')]);
    expect([await asks(api, SECRET), await asks(api, rotated.json.secret)]).toEqual([200, 401]);
  });

  test('and without an id means the only bootstrap client of the tenant', async () => {
    const api = await openTestApi();
    expect(await start(api, { clientId: null, clientSecret: 'another' })).toEqual([
      expect.stringContaining('has replaced it'),
    ]);
    expect(await asks(api, 'another')).toBe(200);
    await start(api, { clientId: 'second', clientSecret: 'of the second' });
    expect(await start(api, { clientId: null, clientSecret: 'third' })).toEqual([
      expect.stringContaining('has no effect'),
    ]);
    expect([await asks(api, 'another'), await asks(api, 'third')]).toEqual([200, 401]);
  });

  test('and the id of a client that is no bootstrap client, or one of another tenant, changes it not and says so', async () => {
    const api = await openTestApi();
    const { json } = await api.call('POST', '/oauth-clients/v1', { body: { name: 'c', scopes: ['auth-users:read'] } });
    const noEffect = [expect.stringContaining('has no effect')];
    expect(await start(api, { clientId: json.id, clientSecret: 'another' })).toEqual(noEffect);
    expect(await asks(api, json.secret, json.id)).toBe(200);
    expect((await api.call('GET', `/oauth-clients/v1/${json.id}`)).json).not.toHaveProperty('bootstrap');
    expect(await start(api, { tenant: 'globex', clientSecret: 'another' })).toEqual(noEffect);
    expect(await asks(api, SECRET)).toBe(200);
  });

  test('at several processes at once leaves one secret that all have, and tells it once', async () => {
    const api = await openTestApi();
    const logs = await Promise.all(Array.from({ length: 5 }, () => start(api, { clientSecret: 'another' })));
    expect(logs.flat()).toHaveLength(1);
    const token = await api.tokenFor('root', 'another');
    expect(await recordedBySystem(api, token)).toHaveLength(1);
  });
});

describe('a bootstrap client that is missing', () => {
  /** An API without its bootstrap client: another application has each of its scopes. */
  async function openWithout() {
    const api = await openTestApi();
    const rootToken = await api.rootToken();
    const { json } = await api.call('POST', '/oauth-clients/v1', { body: { name: 'next', scopes: SCOPES } });
    const token = await api.tokenFor(json.id, json.secret);
    expect((await api.call('DELETE', '/oauth-clients/v1/root', { token })).status).toBe(204);
    return { api, token, rootToken };
  }

  test('is made at a start with id and secret, with every scope, recorded and told', async () => {
    const { api, token, rootToken } = await openWithout();
    api.clock.nowMs += 1;
    expect(await start(api, { clientSecret: 'another' })).toEqual([expect.stringContaining('was created')]);
    const again = await api.tokenFor('root', 'another');
    const shown = (await api.call('GET', '/oauth-clients/v1/root', { token: again })).json;
    expect(shown).toEqual({
      id: 'root',
      name: 'Bootstrap client',
      scopes: SCOPES,
      identityId: null,
      tenant: 'default',
      created: '2026-11-21T09:30:00.001Z',
      bootstrap: true,
      lastUsed: null,
    });
    expect(await works(api, rootToken)).toBe(401);
    const [event] = await recordedBySystem(api, token);
    expect(event).toMatchObject({
      operation: 'create-bootstrap-client',
      resource: { type: 'OAUTH_CLIENT', id: 'root' },
      changes: expect.arrayContaining([{ field: 'bootstrap', before: null, after: true }]),
    });
    const told = (await api.call('GET', '/events/v1', { token })).json.at(-1);
    expect([told.type, told.data]).toEqual([expect.stringContaining('oauth-client.created'), shown]);
  });

  test('is made once by several processes that start at once', async () => {
    const { api, token } = await openWithout();
    const logs = await Promise.all(Array.from({ length: 5 }, () => start(api, {})));
    expect(logs.flat()).toHaveLength(1);
    expect(await asks(api, SECRET)).toBe(200);
    expect(await recordedBySystem(api, token)).toHaveLength(1);
  });

  test('is made beside one that has another id', async () => {
    const api = await openTestApi();
    expect(await start(api, { clientId: 'second', clientSecret: 'of the second' })).toHaveLength(1);
    const token = await api.tokenFor('second', 'of the second');
    const { json } = await api.call('GET', '/oauth-clients/v1', { token });
    expect(json.map(({ id, bootstrap }: { id: string; bootstrap: boolean }) => [id, bootstrap])).toEqual([
      ['root', true],
      ['second', true],
    ]);
  });

  test('is not made from an id alone, which says so, nor from nothing', async () => {
    const { api, token } = await openWithout();
    expect(await start(api, { clientSecret: null })).toEqual([expect.stringContaining('has no effect')]);
    expect(await start(api, { clientId: null, clientSecret: null })).toEqual([]);
    expect(await start(api, { clientId: null, clientSecret: 'another' })).toEqual([
      expect.stringContaining('has no effect'),
    ]);
    expect((await api.call('GET', '/oauth-clients/v1', { token })).json).toHaveLength(1);
  });

  test('cannot come to be by a deletion while no other application has its scopes', async () => {
    const api = await openTestApi();
    const most: readonly Scope[] = SCOPES.filter((scope) => scope !== 'tenants:manage');
    const { json } = await api.call('POST', '/oauth-clients/v1', { body: { name: 'next', scopes: most } });
    const token = await api.tokenFor(json.id, json.secret);
    expect((await api.call('DELETE', '/oauth-clients/v1/root', { token })).status).toBe(409);
    expect((await api.call('DELETE', '/oauth-clients/v1/root')).status).toBe(409);
  });
});

describe('the first start on a store without clients', () => {
  test('keeps what it generates, and uses a secret that is given alone', async () => {
    const api = await openTestApi();
    const kept: BootstrapCredentials[] = [];
    const keep: BootstrapClientDeps['keep'] = async (credentials) => {
      kept.push(credentials);
      return { confirm: async () => {}, discard: async () => void kept.pop() };
    };
    await api.store.clients.delete(
      {
        tenant: 'default',
        actor: { clientId: 'root', identityId: null },
        operation: 'test',
        time: '2026-11-21T09:30:00.000Z',
        trackingId: '0'.repeat(32),
      },
      'root',
    );
    const newId = () => 'generated';
    expect(await start(api, { clientId: null, clientSecret: 'given' }, { keep, newId })).toEqual([]);
    expect(kept).toEqual([{ tenant: 'default', clientId: 'generated', clientSecret: 'given' }]);
    const token = await api.tokenFor('generated', 'given');
    expect(await recordedBySystem(api, token)).toEqual([]);
    expect((await api.call('GET', '/oauth-clients/v1/generated', { token })).json.bootstrap).toBe(true);
  });
});

describe('running processes', () => {
  const COMMON = {
    BASE_ADDRESS: 'http://access.example',
    BOOTSTRAP_CLIENT_ID: 'root',
    RATE_LIMIT: 'off',
    SECRET_KEY: 'k'.repeat(32),
  };

  /** Two API processes on one database, and how they answer. */
  async function openTwo() {
    const database = await createEngineDatabase();
    onTestFinished(database.remove);
    const run = (secret: string) => runApi({ ...COMMON, DATABASE_URL: database.url, BOOTSTRAP_CLIENT_SECRET: secret });
    const first = await run('first secret');
    const second = await run('first secret');
    const tokenAt = async (address: string, clientId: string, clientSecret: string): Promise<string | null> => {
      const body = new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
      });
      const answer = await fetch(`${address}/oauth/token`, { method: 'POST', body });
      return answer.status === 200 ? JSON.parse(await answer.text()).access_token : null;
    };
    const statusAt = async (address: string, token: string | null) =>
      (await fetch(`${address}/oauth-clients/v1`, { headers: { authorization: `Bearer ${token}` } })).status;
    const post = async (address: string, path: string, token: string | null, body: object) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const answer = await fetch(address + path, { method: 'POST', headers, body: JSON.stringify(body) });
      return JSON.parse(await answer.text());
    };
    return { run, first: first.baseAddress, second: second.baseAddress, tokenAt, statusAt, post };
  }

  test('refuse the tokens of a secret that another one has rotated', async () => {
    const { first, second, tokenAt, statusAt, post } = await openTwo();
    const root = await tokenAt(first, 'root', 'first secret');
    const made = await post(first, '/oauth-clients/v1', root, { name: 'c', scopes: ['oauth-clients:manage'] });
    const token = await tokenAt(second, made.id, made.secret);
    expect(await statusAt(second, token)).toBe(200);
    const rotated = await post(first, `/oauth-clients/v1/${made.id}/rotate-secret`, root, { overlapHours: 0 });
    await expect.poll(() => statusAt(second, token), { interval: 20 }).toBe(401);
    expect(await tokenAt(second, made.id, made.secret)).toBeNull();
    expect(await statusAt(second, await tokenAt(second, made.id, rotated.secret))).toBe(200);
  });

  test('refuse the tokens of a secret that a start has replaced', async () => {
    const { run, first, second, tokenAt, statusAt } = await openTwo();
    const token = await tokenAt(first, 'root', 'first secret');
    for (const address of [first, second]) expect(await statusAt(address, token)).toBe(200);
    const third = await run('second secret');
    await expect.poll(() => third.output(), { interval: 20 }).toContain('has replaced it');
    expect(third.output()).not.toContain('second secret');
    for (const address of [first, second]) {
      await expect.poll(() => statusAt(address, token), { interval: 20 }).toBe(401);
      expect(await tokenAt(address, 'root', 'first secret')).toBeNull();
      expect(await statusAt(address, await tokenAt(address, 'root', 'second secret'))).toBe(200);
    }
  });
});

describe('a reset of the bootstrap client', () => {
  test('gives it a new secret, ends the old one and its tokens, and is told in the audit log', async () => {
    const api = await openTestApi();
    const token = await api.rootToken();
    expect(await reset(api)).toEqual({
      ok: true,
      value: { tenant: 'default', clientId: 'root', clientSecret: 'new secret', isCreated: false },
    });
    expect([await works(api, token), await asks(api, SECRET), await asks(api, 'new secret')]).toEqual([401, 401, 200]);
    expect(await recordedBySystem(api, await api.tokenFor('root', 'new secret'))).toMatchObject([
      { operation: 'replace-bootstrap-secret', resource: { type: 'OAUTH_CLIENT', id: 'root' } },
    ]);
  });

  test('makes it with every scope where it is missing', async () => {
    const api = await openTestApi();
    expect(await reset(api, { clientId: 'second' })).toMatchObject({ ok: true, value: { isCreated: true } });
    const token = await api.tokenFor('second', 'new secret');
    expect((await api.call('GET', '/oauth-clients/v1/second', { token })).json).toMatchObject({
      bootstrap: true,
      scopes: SCOPES,
    });
    expect(await recordedBySystem(api, token)).toMatchObject([{ operation: 'create-bootstrap-client' }]);
    expect(await reset(api, { tenant: 'globex' })).toMatchObject({
      ok: true,
      value: { tenant: 'globex', clientId: 'fresh', isCreated: true },
    });
  });

  test('needs an id where there are several, and takes no other client', async () => {
    const api = await openTestApi();
    await reset(api, { clientId: 'second' });
    expect(await reset(api)).toEqual({ ok: false, failure: expect.stringContaining('several bootstrap clients') });
    const { json } = await api.call('POST', '/oauth-clients/v1', { body: { name: 'c', scopes: ['auth-users:read'] } });
    for (const given of [{ clientId: json.id }, { tenant: 'globex', clientId: 'root' }])
      expect(await reset(api, given)).toEqual({ ok: false, failure: expect.stringContaining('no bootstrap client') });
    expect([await asks(api, SECRET), await asks(api, json.secret, json.id)]).toEqual([200, 200]);
  });
});
