import { SCOPES, type Scope } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import { openTestApi, type TestCall, WORLD } from './test-api.ts';
import { openSession } from './test-session.ts';
import { workUntilGone } from './work-until-gone.ts';

const ACME = '/tenants/v1/acme';
const CONFIRMED = { headers: { 'x-confirm-tenant': 'acme' } };

/** An API with the tenants `default` and `acme`, of which the latter has people and a client. */
async function open() {
  const api = await openTestApi();
  await api.importRecords(WORLD);
  const create = async (tenant: string, scopes: readonly Scope[] = SCOPES) => {
    const { json } = await api.call('POST', '/oauth-clients/v1', { body: { name: 'c', scopes, tenant } });
    return { ...json, token: await api.tokenFor(json.id, json.secret) };
  };
  const acme = await create('acme');
  await api.importRecords(WORLD, acme.token);
  const remove = (options: TestCall = CONFIRMED) => api.call('DELETE', ACME, options);
  return { ...api, api, acme, create, remove };
}

describe('tenants', () => {
  test('are listed and read by applications with the scope for them', async () => {
    const { call } = await open();
    const list = await call('GET', '/tenants/v1?count=true');
    expect(list.json).toEqual([
      { tenant: 'acme', created: expect.any(String), state: 'ACTIVE', removal: null },
      { tenant: 'default', created: expect.any(String), state: 'ACTIVE', removal: null },
    ]);
    expect(list.headers.get('x-total-count')).toBe('2');
    const page = await call('GET', '/tenants/v1?limit=1');
    expect(page.json.map(({ tenant }: { tenant: string }) => tenant)).toEqual(['acme']);
    expect(page.headers.get('link')).toContain('offset=1');
    expect((await call('GET', ACME)).json).toEqual(list.json[0]);
    for (const path of ['/tenants/v1/nobody', '/tenants/v1/ACME', '/tenants/v1/acme%20'])
      expect([path, (await call('GET', path)).status]).toEqual([path, 404]);
  });

  test('are for applications alone, with the scope', async () => {
    const { api, call, clientToken, acme, remove } = await open();
    const { cookie } = await openSession(api, 'i-ada');
    const callers: readonly TestCall[] = [
      { token: await clientToken({ scopes: SCOPES.filter((scope) => scope !== 'tenants:manage') }) },
      { token: await clientToken({ identityId: 'i-ada' }) },
      { token: null, headers: { cookie, origin: 'http://127.0.0.1:8080' } },
    ];
    for (const caller of callers) {
      const { headers = {} } = caller;
      const answers = [
        await call('GET', '/tenants/v1', caller),
        await call('GET', ACME, caller),
        await remove({ ...caller, headers: { ...headers, ...CONFIRMED.headers } }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    }
    expect((await remove({ ...CONFIRMED, token: null })).status).toBe(401);
    expect((await call('GET', '/roles/v1', { token: acme.token })).status).toBe(200);
    const denied = await call('GET', `/audit-events/v1?filters=${encodeURIComponent('resourceType eq "TENANT"')}`);
    expect(denied.json[0]).toMatchObject({ outcome: 'DENIED', resource: { type: 'TENANT' } });
  });
});

describe('a client that brings its tenant into being', () => {
  test('is answered with that, and no other client is', async () => {
    const { call, create, acme } = await open();
    expect(acme.tenantCreated).toBe(true);
    expect(await create('acme')).not.toHaveProperty('tenantCreated');
    expect(await create('default')).not.toHaveProperty('tenantCreated');
    const shown = await call('GET', `/oauth-clients/v1/${acme.id}`, { token: acme.token });
    expect(shown.json).not.toHaveProperty('tenantCreated');
  });
});

describe('the removal of a tenant', () => {
  test('is refused for the tenant of the service, also to a client of another tenant', async () => {
    const { call, acme, remove } = await open();
    const confirmed = { headers: { 'x-confirm-tenant': 'default' }, token: acme.token };
    const refused = await call('DELETE', '/tenants/v1/default', confirmed);
    expect([refused.status, refused.json.detailCode]).toEqual([409, '409.1']);
    expect(refused.json.causes[0].text).toContain('TENANT');
    expect((await call('GET', '/tenants/v1/default')).json.state).toBe('ACTIVE');
    expect((await remove()).status).toBe(202);
  });

  test.each([
    ['no confirmation', 'acme', {}, 400, '400.1.0'],
    ['an empty one', 'acme', { 'x-confirm-tenant': '' }, 400, '400.1.3'],
    ['that of another one', 'acme', { 'x-confirm-tenant': 'default' }, 400, '400.1.3'],
    ['another spelling', 'acme', { 'x-confirm-tenant': 'Acme' }, 400, '400.1.3'],
    ['the name twice', 'acme', { 'x-confirm-tenant': 'acme, acme' }, 400, '400.1.3'],
    ['its own tenant', 'default', { 'x-confirm-tenant': 'default' }, 409, '409.1'],
    ['an unknown tenant', 'nobody', { 'x-confirm-tenant': 'nobody' }, 404, '404'],
    ['a name in capitals', 'ACME', { 'x-confirm-tenant': 'ACME' }, 404, '404'],
    ['a name with a space', 'acme%20', { 'x-confirm-tenant': 'acme ' }, 404, '404'],
    ['a path', '..%2Facme', { 'x-confirm-tenant': '../acme' }, 404, '404'],
  ])('is refused with %s', async (_, tenant, headers, status, detailCode) => {
    const { call, acme } = await open();
    const answer = await call('DELETE', `/tenants/v1/${tenant}`, { headers: headers as Record<string, string> });
    expect([answer.status, answer.json.detailCode]).toEqual([status, detailCode]);
    expect((await call('GET', ACME)).json.state).toBe('ACTIVE');
    expect((await call('GET', '/roles/v1', { token: acme.token })).status).toBe(200);
  });

  test('ends all that acts in it and takes its name', async () => {
    const { api, call, acme, create, remove, requestToken, tokenFor } = await open();
    const { cookie } = await openSession(api, 'i-ada', { tenant: 'acme' });
    const asIdentity = await call('POST', '/oauth-clients/v1', {
      token: acme.token,
      body: { name: 'i', scopes: ['auth-users:read'], identityId: 'i-ada' },
    });
    const identityToken = await tokenFor(asIdentity.json.id, asIdentity.json.secret);
    const removed = await remove();
    expect(removed.status).toBe(202);
    expect(removed.headers.get('location')).toBe(ACME);
    expect(removed.json).toMatchObject({ tenant: 'acme', state: 'REMOVING', removal: { removedRows: 0 } });
    expect((await call('GET', ACME)).json).toEqual(removed.json);
    expect((await remove()).json).toEqual(removed.json);

    for (const token of [acme.token, identityToken])
      expect((await call('GET', '/auth-users/v1/i-ada', { token })).status).toBe(401);
    expect((await call('GET', '/auth-users/v1/i-ada', { token: null, headers: { cookie } })).status).toBe(401);
    const form = { grant_type: 'client_credentials', client_id: acme.id, client_secret: acme.secret };
    expect((await requestToken(form)).json).toMatchObject({ error: 'invalid_client' });
    const another = { name: 'c', scopes: ['auth-users:read'], tenant: 'acme' };
    expect((await call('POST', '/oauth-clients/v1', { body: another })).json.detailCode).toBe('409.1');

    await workUntilGone(api);
    expect((await call('GET', ACME)).status).toBe(404);
    expect((await remove()).status).toBe(404);
    // Its clock goes a minute on.
    const token = await tokenFor('root', 'root secret%');
    const fresh = await create('acme');
    expect(fresh.tenant).toBe('acme');
    expect((await call('GET', '/roles/v1', { token: fresh.token })).json).toEqual([]);
    expect((await call('GET', '/auth-users/v1/i-ada', { token: fresh.token })).status).toBe(404);
    expect((await call('GET', '/auth-users/v1/i-ada', { token: null, headers: { cookie } })).status).toBe(401);
    for (const old of [acme.token, identityToken])
      expect((await call('GET', '/roles/v1', { token: old })).status).toBe(401);
    expect((await call('GET', '/audit-events/v1', { token: fresh.token })).json).toMatchObject([{ sequence: 1 }]);
    expect((await call('GET', '/roles/v1', { token })).json).toHaveLength(1);
  });

  test('leaves the signed end of its audit log in that of the caller', async () => {
    const { call, acme, remove } = await open();
    const { json: head } = await call('GET', '/audit-events/v1/head', { token: acme.token });
    await remove();
    const filters = encodeURIComponent('resourceType eq "TENANT"');
    const [event] = (await call('GET', `/audit-events/v1?filters=${filters}`)).json;
    expect(event).toMatchObject({ operation: 'delete-tenant-v1', resource: { type: 'TENANT', id: 'acme' } });
    const { before } = event.changes.find(({ field }: { field: string }) => field === 'auditHead');
    const part = (signature: string) => signature.split('.')[1];
    expect(before).toMatchObject({ sequence: head.sequence, hash: head.hash });
    expect(part(before.signature)).toBe(part(head.signature));
  });

  test('is not undone by an import whose body arrives after it', async () => {
    const { api, acme, remove, app } = await open();
    const encoder = new TextEncoder();
    const rest = Promise.withResolvers<void>();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) =>
        controller.enqueue(encoder.encode('{"kind":"identityProfile","id":"ip-late","name":"Late"}\n')),
      pull: async (controller) => {
        await rest.promise;
        controller.close();
      },
    });
    const answer = app.request(
      '/access-model/v1/import',
      {
        method: 'POST',
        headers: {
          host: '127.0.0.1:8080',
          authorization: `Bearer ${acme.token}`,
          'content-type': 'application/x-ndjson',
        },
        body,
        duplex: 'half',
      } as RequestInit,
      { remoteAddress: '127.0.0.1' },
    );
    await remove();
    await workUntilGone(api);
    rest.resolve();
    expect((await answer).status).toBe(401);
    expect(await api.store.tenants.find('acme')).toBeNull();
  });
});

describe('the last use of a client', () => {
  test('is shown to the hour, and changes neither its version nor its events', async () => {
    const { call, create, clock } = await open();
    const { id, token } = await create('default', ['auth-users:read']);
    const path = `/oauth-clients/v1/${id}`;
    const unused = await call('GET', path);
    expect(unused.json.lastUsed).toBeNull();
    await call('GET', '/auth-users/v1/i-ada', { token });
    const lastUsed = async () => (await call('GET', path)).json.lastUsed;
    await expect.poll(lastUsed).toBe('2026-11-21T09:00:00.000Z');
    const used = await call('GET', path);
    expect(used.headers.get('etag')).toBe(unused.headers.get('etag'));
    expect((await call('GET', '/oauth-clients/v1')).json).toContainEqual(used.json);
    clock.nowMs += 10 * 60_000;
    await call('GET', '/auth-users/v1/i-ada', { token });
    expect(await lastUsed()).toBe('2026-11-21T09:00:00.000Z');
  });

  test('is stored once an hour, and not again by another process', async () => {
    const { store } = await open();
    const [client] = await store.clients.list('acme', { limit: 1, offset: 0 });
    const note = (hour: string) => store.clients.noteUse('acme', client?.id ?? '', hour);
    const found = async () => (await store.clients.find('acme', client?.id ?? ''))?.lastUsed;
    await note('2030-01-01T10:00:00.000Z');
    await note('2030-01-01T09:00:00.000Z');
    expect(await found()).toBe('2030-01-01T10:00:00.000Z');
  });
});
