import type { Scope } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import { openTestApi, type TestApi, WORLD } from './test-api.ts';

const NEW = { name: 'SIEM', url: 'https://hooks.example.com/a', types: ['sod.policy.*'] };
const replace = (path: string, value: unknown) => [{ op: 'replace', path, value }];

const create = (api: TestApi, body: object = {}, token?: string) =>
  api.call('POST', '/webhooks/v1', { body: { ...NEW, ...body }, ...(token === undefined ? {} : { token }) });

async function codeOf(api: TestApi, body: object, token?: string) {
  const { status, json } = await create(api, body, token);
  return [status, json.detailCode];
}

describe('webhooks', () => {
  test('show their secret once, in the form of Standard Webhooks', async () => {
    const api = await openTestApi();
    const { status, json, headers } = await create(api);
    const { secret, ...webhook } = json;
    expect(status).toBe(201);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook).toMatchObject({ ...NEW, enabled: true });
    const read = await api.call('GET', headers.get('location') ?? '');
    expect([read.json, read.headers.get('etag')]).toEqual([webhook, headers.get('etag')]);
    expect((await api.call('GET', '/webhooks/v1')).json).toEqual([webhook]);
    const path = `/webhooks/v1/${webhook.id}`;
    const rotated = await api.call('POST', `${path}/rotate-secret`);
    expect([rotated.status, rotated.json.secret]).toEqual([200, expect.stringMatching(/^whsec_/)]);
    expect(rotated.json.secret).not.toBe(secret);
    const texts = [(await api.call('GET', path)).text, (await api.call('GET', '/audit-events/v1')).text];
    for (const given of [secret, rotated.json.secret])
      for (const text of texts) expect(text).not.toContain(given.slice('whsec_'.length));
  });

  test('may have public https URLs and listed origins only', async () => {
    const api = await openTestApi({ webhookTargets: new Set(['http://127.0.0.1:9000']) });
    expect((await create(api, { url: 'http://127.0.0.1:9000/x' })).status).toBe(201);
    for (const url of [
      'http://example.com/',
      'https://127.0.0.1/',
      'https://[::ffff:7f00:1]/',
      'https://user:p@example.com/',
      'https://example.com:22/',
      'https://localhost/',
      'http://127.0.0.1:9001/',
      'no address',
    ])
      expect([url, ...(await codeOf(api, { url }))]).toEqual([url, 400, '400.1.3']);
    expect(await codeOf(api, { url: `https://example.com/${'a'.repeat(2048)}` })).toEqual([400, '400.1.2']);
  });

  test('have patterns of known types, at most 50', async () => {
    const api = await openTestApi();
    for (const types of [['sod.'], ['sod*'], ['**'], ['none.*'], ['*.created'], ['sod.policy.*', 'sod.policy.*']])
      expect([types, ...(await codeOf(api, { types }))]).toEqual([types, 400, '400.1.3']);
    expect(await codeOf(api, { types: [] })).toEqual([400, '400.1.0']);
    expect(await codeOf(api, { types: Array.from({ length: 51 }, () => '*') })).toEqual([400, '400.1.4']);
    expect((await create(api, { types: ['*', 'sod.*', 'sod.policy.created'].slice(0, 1) })).status).toBe(201);
  });

  test('get what their creator may read only', async () => {
    const api = await openTestApi();
    const scopes: readonly Scope[] = ['webhooks:manage', 'sod-policies:read'];
    const token = await api.clientToken({ scopes });
    expect(await codeOf(api, { types: ['ui-metadata.changed'] }, token)).toEqual([403, '403']);
    expect(await codeOf(api, { types: ['sod.*'] }, token)).toEqual([403, '403']);
    expect((await create(api, { types: ['*'] }, token)).status).toBe(201);
    // Of another caller: the new URL would get what this caller may not read.
    const { id } = (await create(api, { types: ['ui-metadata.changed'] })).json;
    const patch = (body: unknown) => api.call('PATCH', `/webhooks/v1/${id}`, { token, body });
    expect((await patch(replace('/url', 'https://other.example.com/'))).status).toBe(403);
    expect((await patch(replace('/name', 'renamed'))).status).toBe(200);
    // The caller that enables it covers it, and so must be able to read all that it tells.
    expect((await patch(replace('/enabled', false))).status).toBe(200);
    expect((await patch(replace('/enabled', true))).status).toBe(403);
    const place = { tenant: 'default', webhookId: id };
    const before = await api.store.webhooks.find(place.tenant, id);
    const other = await api.clientToken({ scopes: ['webhooks:manage', 'ui-metadata:read'] });
    const enabled = await api.call('PATCH', `/webhooks/v1/${id}`, { token: other, body: replace('/enabled', true) });
    expect([enabled.status, enabled.json.enabled]).toEqual([200, true]);
    const after = await api.store.webhooks.find(place.tenant, id);
    expect(after?.rights.scopes).toEqual(['ui-metadata:read', 'webhooks:manage']);
    expect(after?.rights.client?.id).not.toBe(before?.rights.client?.id);
    expect(await api.store.webhooks.readPresentRights(place)).toMatchObject({ capabilities: [] });
  });

  test('show no query of their URL in the audit log', async () => {
    const api = await openTestApi();
    const { json } = await create(api, { url: 'https://hooks.example.com/a?token=hidden' });
    expect(json.url).toBe('https://hooks.example.com/a?token=hidden');
    const events = await api.call('GET', '/audit-events/v1?filters=resourceType%20eq%20%22WEBHOOK%22');
    expect(JSON.stringify(events.json)).toContain('https://hooks.example.com/a?…');
    expect(JSON.stringify(events.json)).not.toContain('hidden');
  });

  test('are changed under a precondition, and removed', async () => {
    const api = await openTestApi();
    const { json, headers } = await create(api);
    const path = `/webhooks/v1/${json.id}`;
    const stale = { 'if-match': headers.get('etag') ?? '' };
    api.clock.nowMs += 1000;
    const changed = await api.call('PATCH', path, { headers: stale, body: replace('/enabled', false) });
    expect([changed.status, changed.json.enabled]).toEqual([200, false]);
    expect((await api.call('PATCH', path, { headers: stale, body: replace('/enabled', true) })).status).toBe(412);
    expect((await api.call('PATCH', path, { body: replace('/secret', 'x') })).json.detailCode).toBe('400.1.1');
    expect((await api.call('DELETE', path, { headers: stale })).status).toBe(412);
    expect((await api.call('POST', `${path}/rotate-secret`, { headers: stale })).status).toBe(412);
    expect((await api.call('DELETE', path)).status).toBe(204);
    expect([(await api.call('GET', path)).status, (await api.call('DELETE', path)).status]).toEqual([404, 404]);
    const events = (await api.call('GET', '/audit-events/v1?filters=resourceType%20eq%20%22WEBHOOK%22')).json;
    expect(events.map(({ operation }: { operation: string }) => operation)).toEqual([
      'create-webhook-v1',
      'patch-webhook-v1',
      'delete-webhook-v1',
    ]);
  });

  test('are at most 50 a tenant', async () => {
    const api = await openTestApi();
    for (let count = 0; count < 50; count++) expect((await create(api)).status).toBe(201);
    expect(await codeOf(api, {})).toEqual([400, '400.1.4']);
  });

  test('need the key of secrets', async () => {
    const api = await openTestApi({ cipher: null });
    expect(await codeOf(api, {})).toEqual([409, '409.1']);
    expect((await api.call('GET', '/webhooks/v1')).json).toEqual([]);
  });

  test('need the scope, and an identity the capability', async () => {
    const api = await openTestApi();
    await api.importRecords(WORLD);
    const hal = await api.clientToken({ identityId: 'i-hal' });
    const ada = await api.clientToken({ identityId: 'i-ada' });
    expect((await create(api, {}, hal)).status).toBe(403);
    expect((await create(api, { types: ['sod.exception.*'] }, ada)).status).toBe(201);
    expect((await create(api, {}, await api.clientToken({ scopes: ['sod-policies:read'] }))).status).toBe(403);
  });
});

describe('deliveries', () => {
  test('are tested, listed by state and type, sent again and replayed', async () => {
    const api = await openTestApi();
    const { id } = (await create(api)).json;
    const path = `/webhooks/v1/${id}`;
    const tested = await api.call('POST', `${path}/test`);
    expect([tested.status, tested.json.state, tested.json.type]).toEqual([202, 'PENDING', 'webhook.test']);
    const list = async (filters: string) =>
      (await api.call('GET', `${path}/deliveries?filters=${encodeURIComponent(filters)}`)).json;
    expect(await list('state in ("PENDING", "FAILED") and type eq "webhook.test"')).toEqual([tested.json]);
    expect(await list('state eq "SUCCEEDED"')).toEqual([]);
    expect((await api.call('GET', `${path}/deliveries?filters=state%20eq%20%22x%22`)).status).toBe(400);
    expect((await api.call('POST', `${path}/deliveries/${tested.json.id}/resend`)).status).toBe(202);
    expect((await api.call('POST', `${path}/deliveries/none/resend`)).status).toBe(404);
    const second = await api.call('POST', `${path}/test`);
    const first = await api.call('GET', `${path}/deliveries?limit=1&count=true&filters=type%20eq%20%22webhook.test%22`);
    expect([first.json, first.headers.get('x-total-count')]).toEqual([[second.json], '2']);
    const next = /<http:\/\/127\.0\.0\.1:8080([^>]*cursor=[^>]*)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const rest = await api.call('GET', next);
    expect([rest.json.map(({ id }: { id: string }) => id), rest.headers.get('link')]).toEqual([[tested.json.id], null]);
    expect((await api.call('GET', `${path}/deliveries?offset=10001`)).json.detailCode).toBe('400.1.3');
    const replay = (after: string) => api.call('POST', `${path}/replay`, { body: { after } });
    expect((await replay('999')).status).toBe(409);
    expect((await replay('00000000000000000000')).status).toBe(202);
    const again = await replay('00000000000000000000');
    expect([again.status, again.json.detailCode, again.headers.get('retry-after')]).toEqual([429, '429', '60']);
    for (const after of ['', '-1', 'x', '1'.repeat(21), 7])
      expect((await api.call('POST', `${path}/replay`, { body: { after } })).status).toBe(400);
  });
});
