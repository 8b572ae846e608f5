import { type AuditEvent, auditContextOf, ok } from '@access-admin/domain';
import { StorageUnavailable } from '@access-admin/store';
import { describe, expect, test, vi } from 'vitest';
import { parseHead, verifyAuditExport } from '../src/audit/verify-export.ts';
import { callsOf, openWorld } from './operation-calls.ts';
import { openTestApi, type TestApi, WORLD } from './test-api.ts';

const CRITERIA = {
  leftCriteria: { name: null, criteriaList: [{ type: 'ENTITLEMENT', id: 'e-vendor' }] },
  rightCriteria: { name: null, criteriaList: [{ type: 'ENTITLEMENT', id: 'e-pay' }] },
};
const EVENTS = '/audit-events/v1';
/** Of `WORLD`: its counts, its records without the identities, the capabilities of three, and all identities. */
const IMPORTED_EVENTS = 12;
const MOMENT = '2026-11-21T09:30:00.000Z';
/** What starts work, decides, moves data that its commit brings, or finds nothing to unlock. */
const NOT_RECORDED = /^(decide|start|unlock)-|-source-load-/;

const listEvents = async ({ call }: TestApi, query = '') => (await call('GET', `${EVENTS}${query}`)).json;
const filtered = (api: TestApi, filters: string) => listEvents(api, `?filters=${encodeURIComponent(filters)}`);
const give = ({ call }: TestApi, id: string, capabilities: readonly string[], token?: string) =>
  call('PATCH', `/auth-users/v1/${id}`, {
    body: [{ op: 'replace', path: '/capabilities', value: capabilities }],
    ...(token === undefined ? {} : { token }),
  });

const unreadable: AsyncIterable<AuditEvent> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new StorageUnavailable('The storage is away.')) }),
};

async function* piecesOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
}

describe('the audit log', () => {
  test('records actor, change, time and request', async () => {
    const api = await openTestApi();
    await api.importRecords(WORLD);
    const token = await api.clientToken({ identityId: 'i-ada' });
    const changed = await give(api, 'i-cleo', ['ORG_ADMIN'], token);
    expect(changed.status).toBe(200);
    const [imported, ...others] = await listEvents(api);
    const [client, patched] = others.slice(-2);
    expect(others.at(0)).toMatchObject({
      resource: { type: 'ENTITLEMENT', id: 'e-vendor' },
      trackingId: imported.trackingId,
    });
    expect(others).toHaveLength(IMPORTED_EVENTS + 1);
    expect(imported).toEqual({
      sequence: 1,
      time: '2026-11-21T09:30:00.000Z',
      tenant: 'default',
      actor: { clientId: 'root', identityId: null },
      operation: 'import-access-model-v1',
      resource: { type: 'ACCESS_MODEL', id: null },
      outcome: 'ALLOWED',
      changes: [
        {
          field: 'counts',
          before: null,
          after: expect.objectContaining({ role: { created: 1, updated: 0, deleted: 0, unchanged: 0 } }),
        },
      ],
      trackingId: expect.stringMatching(/^[0-9a-f]{32}$/),
      previousHash: null,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(client).toMatchObject({ operation: 'create-oauth-client-v1', resource: { type: 'OAUTH_CLIENT' } });
    expect(patched).toMatchObject({
      sequence: IMPORTED_EVENTS + 2,
      actor: { clientId: client.resource.id, identityId: 'i-ada' },
      operation: 'patch-auth-user-v1',
      resource: { type: 'AUTH_USER', id: 'i-cleo' },
      changes: [{ field: 'capabilities', before: [], after: ['ORG_ADMIN'] }],
      trackingId: changed.headers.get('x-request-id'),
      previousHash: client.hash,
    });
  });

  test('contains every 403, for lack of rights and by rules, and no other error', async () => {
    const api = await openTestApi();
    await api.importRecords(WORLD);
    const helper = await api.clientToken({ identityId: 'i-hal' });
    const reader = await api.clientToken({ scopes: ['auth-users:read'] });
    const admin = await api.clientToken({ identityId: 'i-ada' });
    const known = (await listEvents(api)).length;
    const refused = [
      await give(api, 'i-cleo', [], helper),
      await give(api, 'i-cleo', ['INTERNAL'], admin),
      await api.call('GET', EVENTS, { token: reader }),
      await api.call('POST', '/sod-violations/v1/predict', { token: reader, body: { broken: true } }),
      await api.call('GET', '/sod-violations/v1/check/r-1', { token: reader }),
      await api.call('GET', '/auth-users/v1/%00', { token: await api.clientToken({ scopes: ['ui-metadata:read'] }) }),
      await api.call('PUT', '/ui-metadata/v1/tenant', { token: reader, body: {} }),
      await api.call('POST', '/oauth-clients/v1', {
        token: await api.clientToken({ scopes: ['oauth-clients:manage'] }),
        body: { name: 'more', scopes: ['tenants:manage'] },
      }),
    ];
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
    expect((await api.call('GET', EVENTS, { token: 'wrong' })).status).toBe(401);
    expect((await give(api, 'i-none', [])).status).toBe(404);
    expect((await give(api, 'i-cleo', ['NONSENSE'])).status).toBe(400);
    const events = (await listEvents(api)).slice(known);
    const denied = events.filter(({ outcome }: { outcome: string }) => outcome === 'DENIED');
    // The other events create the clients of this test.
    expect(events.length - denied.length).toBe(2);
    expect(denied.map(({ trackingId }: { trackingId: string }) => trackingId)).toEqual(
      refused.map(({ headers }) => headers.get('x-request-id')),
    );
    expect(denied.map(({ resource }: { resource: object }) => resource)).toEqual([
      { type: 'AUTH_USER', id: 'i-cleo' },
      { type: 'AUTH_USER', id: 'i-cleo' },
      { type: 'AUDIT_EVENT', id: null },
      { type: 'SOD_VIOLATION', id: null },
      { type: 'SOD_CHECK', id: 'r-1' },
      { type: 'AUTH_USER', id: null },
      { type: 'UI_METADATA', id: 'tenant' },
      { type: 'OAUTH_CLIENT', id: null },
    ]);
    for (const { changes } of denied) expect(changes).toEqual([]);
  });

  test('contains the events of each operation that writes, and none for reads', async () => {
    const world = await openWorld();
    const { api } = world;
    const headOf = async (): Promise<number> => (await api.call('GET', `${EVENTS}/head`)).json.sequence;
    for (const [{ id, method, hasNoEffect, response }, [path, options]] of callsOf(world)) {
      const before = await headOf();
      const { status, text } = await api.call(method, path, options);
      expect([id, status, text]).toEqual([id, response.status, text]);
      const isRecorded = method !== 'GET' && !hasNoEffect && !NOT_RECORDED.test(id);
      // An import has an event of its counts and one of each record.
      const records = id === 'import-access-model-v1' ? String(options?.body).split('\n').length : 0;
      const events = await listEvents(api, `?offset=${before}`);
      expect([id, events.map(({ operation }: { operation: string }) => operation)]).toEqual([
        id,
        isRecorded ? Array(1 + records).fill(id) : [],
      ]);
    }
  });

  test('contains no secret', async () => {
    const api = await openTestApi();
    const created = await api.call('POST', '/oauth-clients/v1', { body: { name: 'one', scopes: ['auth-users:read'] } });
    const rotated = await api.call('POST', `/oauth-clients/v1/${created.json.id}/rotate-secret`, { body: {} });
    const recorded = JSON.stringify(await listEvents(api));
    for (const { secret } of [created.json, rotated.json]) expect(recorded).not.toContain(secret);
  });

  test('is for applications with its scope, and for administrators', async () => {
    const api = await openTestApi();
    await api.importRecords(WORLD);
    const statusesOf = async (client: Parameters<TestApi['clientToken']>[0]) => {
      const token = await api.clientToken(client);
      const answers = ['', '/export', '/head'].map((path) => api.call('GET', EVENTS + path, { token }));
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    expect(await statusesOf({ scopes: ['audit-events:read'] })).toEqual([200, 200, 200]);
    expect(await statusesOf({ scopes: ['access-model:manage'] })).toEqual([403, 403, 403]);
    expect(await statusesOf({ identityId: 'i-ada' })).toEqual([200, 200, 200]);
    expect(await statusesOf({ identityId: 'i-hal' })).toEqual([403, 403, 403]);
  });

  test('is listed page by page; the link to the next page keeps the filters', async () => {
    const api = await openTestApi();
    for (const label of ['a', 'b', 'c']) {
      const headers = { 'x-service-experimental': 'true' };
      await api.call('PUT', '/ui-metadata/v1/tenant', { headers, body: { usernameLabel: label } });
      api.clock.nowMs += 1_000;
    }
    const filters = encodeURIComponent('time ge "2026-11-21T10:30:01+01:00"');
    const page = await api.call('GET', `${EVENTS}?limit=1&count=true&filters=${filters}`);
    expect(page.json.map(({ sequence }: { sequence: number }) => sequence)).toEqual([2]);
    expect(page.headers.get('x-total-count')).toBe('2');
    const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
    const { pathname, search } = new URL(next);
    const rest = await api.call('GET', pathname + search);
    expect(rest.json.map(({ sequence }: { sequence: number }) => sequence)).toEqual([3]);
    expect(rest.headers.get('link')).toBeNull();
    expect(await filtered(api, 'actor eq "root" and outcome eq "ALLOWED"')).toHaveLength(3);
    expect(await filtered(api, 'actor eq "i-none"')).toEqual([]);
  });

  test('is sent in pieces when its events are long, with the same bytes as one piece', async () => {
    const api = await openTestApi();
    const { store } = api;
    const caller = {
      tenant: 'default',
      clientId: 'root',
      scopes: new Set<never>(),
      identityId: null,
      capabilities: [],
    };
    const auditContext = auditContextOf(caller, {
      operation: 'set-tenant-ui-metadata-v1',
      time: MOMENT,
      trackingId: '0'.repeat(32),
    });
    // Each event holds the text before and after it.
    for (let at = 0; at < 45; at++)
      await store.uiMetadata.change(auditContext, {
        decide: (metadata) => ok({ ...metadata, iFrameWhitelist: `${at}`.padEnd(26_000, 'ä') }),
      });
    const events: AuditEvent[] = [];
    for await (const event of store.audit.export('default')) events.push(event);
    const query = '?limit=43&offset=1&count=true';
    const { headers, text } = await api.call('GET', `${EVENTS}${query}`);
    expect(text).toBe(JSON.stringify(events.slice(1, 44)));
    expect(text.length).toBeGreaterThan(2_000_000);
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('x-total-count')).toBe('45');
    expect(headers.get('link')).toMatch(/offset=44&count=true>; rel="next"$/);
    const authorization = `Bearer ${await api.clientToken()}`;
    const { body } = await api.send(`${EVENTS}${query}`, { headers: { authorization } });
    const sizes: number[] = [];
    for await (const piece of body ?? []) sizes.push(piece.byteLength);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(Buffer.byteLength(text));
    expect(Math.max(...sizes)).toBeLessThan(300_000);
  });

  test('is refused if the events cannot be read before the response has begun', async () => {
    const api = await openTestApi();
    await api.importRecords(WORLD);
    vi.spyOn(api.store.audit, 'read').mockImplementation(() => unreadable);
    const answer = await api.call('GET', EVENTS);
    expect([answer.status, answer.json.detailCode]).toEqual([503, '503']);
  });

  test.each([
    'sequence eq "1"',
    'time eq "2026-11-21T09:30:00Z"',
    'time ge "2026-11-21"',
    'outcome eq "denied"',
    'resourceType eq "USER"',
    'actor in ("root")',
    'actor',
    'resourceId eq "\0"',
    '',
  ])('refuses the filter %j', async (filters) => {
    const { call } = await openTestApi();
    const answer = await call('GET', `${EVENTS}?filters=${encodeURIComponent(filters)}`);
    expect([answer.status, answer.json.detailCode]).toEqual([400, '400.1.3']);
    const twice = await call('GET', `${EVENTS}?filters=x&filters=y`);
    expect([twice.status, twice.json.detailCode]).toEqual([400, '400.1.3']);
  });

  test('can be verified with its export, its signed head and the keys of the service', async () => {
    const api = await openTestApi();
    const empty = await api.call('GET', `${EVENTS}/head`);
    expect(empty.json).toMatchObject({ sequence: 0, hash: null });
    await api.importRecords(WORLD);
    await give(api, 'i-cleo', ['HELPDESK']);
    const exported = await api.call('GET', `${EVENTS}/export`);
    expect(exported.headers.get('content-type')).toBe('application/x-ndjson');
    const jwks = (await api.call('GET', '/.well-known/jwks.json', { token: null })).text;
    const head = (await api.call('GET', `${EVENTS}/head`)).text;
    const verified = await parseHead(head, jwks);
    const sequence = IMPORTED_EVENTS + 1;
    expect(verified).toMatchObject({ tenant: 'default', sequence });
    expect(await verifyAuditExport(piecesOf(exported.text), verified)).toEqual({ sequence, fault: null, erased: 0 });
    expect(await verifyAuditExport(piecesOf(exported.text), await parseHead(empty.text, jwks))).toMatchObject({
      fault: null,
    });
  });
});

describe('a change of one property', () => {
  const EXPERIMENTAL = { 'x-service-experimental': 'true' };

  test.each<[string, string, unknown, object[]]>([
    [
      'PATCH',
      '/auth-users/v1/i-hal',
      [
        { op: 'replace', path: '/capabilities', value: ['HELPDESK'] },
        { op: 'add', path: '/capabilities/-', value: 'CERT_ADMIN' },
      ],
      [{ field: 'capabilities', before: ['HELPDESK', 'POLICY_ADMIN'], after: ['HELPDESK', 'CERT_ADMIN'] }],
    ],
    [
      'PATCH',
      '/auth-profiles/v1/ip-emp',
      [
        { op: 'replace', path: '/type', value: 'NON_PTA' },
        { op: 'remove', path: '/applicationId' },
        { op: 'replace', path: '/offNetwork', value: true },
      ],
      [{ field: 'offNetwork', before: false, after: true }],
    ],
    [
      'PUT',
      '/ui-metadata/v1/tenant',
      { iFrameWhitelist: null, usernameLabel: 'Badge', usernameEmptyText: 'null' },
      [{ field: 'usernameLabel', before: null, after: 'Badge' }],
    ],
    [
      'PUT',
      '/sod-policies/v1/p-1',
      { ...WORLD[10], kind: undefined, tags: ['x'] },
      [{ field: 'tags', before: [], after: ['x'] }],
    ],
  ])('by %s %s is told alone, and again it is none', async (method, path, body, changes) => {
    const api = await openTestApi();
    await api.importRecords(WORLD);
    api.clock.nowMs += 60_000;
    const known = (await listEvents(api)).length;
    const headers = {
      ...EXPERIMENTAL,
      'content-type': method === 'PATCH' ? 'application/json-patch+json' : 'application/json',
    };
    for (let time = 0; time < 2; time++) expect((await api.call(method, path, { body, headers })).status).toBe(200);
    const events = (await listEvents(api)).slice(known);
    expect(events.map((event: AuditEvent) => event.changes)).toEqual([changes]);
  });
});

describe('what an import changed', () => {
  const ofImport = async (api: TestApi, records: readonly object[], id: string) => {
    const known = (await filtered(api, `resourceId eq "${id}"`)).length;
    expect((await api.importRecords(records)).status).toBe(200);
    return (await filtered(api, `resourceId eq "${id}"`)).slice(known);
  };
  const cleo = { kind: 'identity', id: 'i-cleo', uid: 'cleo', identityProfile: 'ip-emp', email: 'cleo@example.com' };

  test.each<[string, string, object, object]>([
    [
      'SOD_POLICY',
      'p-1',
      { ...WORLD[10], state: 'NOT_ENFORCED' },
      { field: 'state', before: 'ENFORCED', after: 'NOT_ENFORCED' },
    ],
    [
      'AUTH_USER',
      'i-cleo',
      { ...cleo, capabilities: ['ORG_ADMIN'] },
      { field: 'capabilities', before: [], after: ['ORG_ADMIN'] },
    ],
    ['ROLE', 'r-buyer', { ...WORLD[4], entitlements: [] }, { field: 'entitlements', before: ['e-report'], after: [] }],
    ['ACCESS_PROFILE', 'ap-vendor', { ...WORLD[3], name: 'V' }, { field: 'name', before: 'Vendor master', after: 'V' }],
    ['ENTITLEMENT', 'e-pay', { ...WORLD[1], source: null }, { field: 'source', before: 'ERP', after: null }],
    [
      'AUTH_PROFILE',
      'ip-emp',
      { ...WORLD[5], authProfile: { offNetwork: true } },
      { field: 'offNetwork', before: false, after: true },
    ],
    [
      'UI_METADATA',
      'tenant',
      { kind: 'uiMetadata', id: 'tenant', usernameLabel: 'B' },
      { field: 'usernameLabel', before: null, after: 'B' },
    ],
  ])('of %s %s is found by its id, as after a PATCH', async (type, id, line, change) => {
    const api = await openTestApi();
    await api.importRecords(WORLD);
    const events = await ofImport(api, [WORLD[0], line], id);
    expect(events).toMatchObject([{ resource: { type, id }, operation: 'import-access-model-v1', outcome: 'ALLOWED' }]);
    expect(events[0].changes).toEqual([change]);
    expect(await filtered(api, `resourceId eq "${id}" and resourceType eq "${type}"`)).toContainEqual(events[0]);
  });

  test('of the access and attributes of identities is found by each of them', async () => {
    const api = await openTestApi();
    await api.importRecords(WORLD);
    const access = [
      { type: 'ENTITLEMENT', id: 'e-pay', end: '2027-01-01T00:00:00+01:00' },
      { type: 'ACCESS_PROFILE', id: 'ap-vendor' },
    ];
    const dora = { kind: 'identity', id: 'i-dora', uid: 'dora', identityProfile: 'ip-emp' };
    const [event, ...more] = await ofImport(api, [{ ...cleo, phone: '1', access }, dora], 'i-cleo');
    expect(more).toEqual([]);
    expect(event.resource).toEqual({ type: 'IDENTITY', id: null });
    expect(event.changes).toEqual([
      {
        field: 'i-cleo',
        before: { phone: null },
        after: { phone: '1' },
        added: [{ ...access[0], end: '2026-12-31T23:00:00.000Z' }, access[1]],
        removed: [{ type: 'ROLE', id: 'r-buyer' }],
      },
      {
        field: 'i-dora',
        before: null,
        after: { alias: 'dora', displayName: 'dora', identityProfile: 'ip-emp', uid: 'dora' },
      },
    ]);
    expect(await filtered(api, 'resourceId eq "i-dora"')).toEqual([event]);
    const exported = (await api.call('GET', `${EVENTS}/export`)).text;
    expect(await verifyAuditExport(piecesOf(exported), null)).toMatchObject({ fault: null });
  });

  test('of nothing is no event', async () => {
    const api = await openTestApi();
    await api.importRecords(WORLD);
    expect(await ofImport(api, WORLD, 'i-cleo')).toEqual([]);
    expect(
      await filtered(api, 'operation eq "import-access-model-v1" and resourceType eq "ACCESS_MODEL"'),
    ).toHaveLength(1);
  });
});

describe('the history of a policy', () => {
  const POLICIES = '/sod-policies/v1';
  const historyOf = async ({ call }: TestApi, id: string, query = '') =>
    (await call('GET', `${POLICIES}/${id}/history${query}`)).json;
  const namesOf = (events: readonly { readonly operation: string }[]) => events.map(({ operation }) => operation);
  const changePolicy = async ({ call }: TestApi, id: string) => {
    await call('POST', POLICIES, { body: { id, name: 'Vendors', conflictingAccessCriteria: CRITERIA } });
    await call('PATCH', `${POLICIES}/${id}`, { body: [{ op: 'replace', path: '/level', value: 'LOW' }] });
  };

  test('has its events by sequence, also after it is deleted', async () => {
    const api = await openTestApi();
    await api.importRecords(WORLD);
    await changePolicy(api, 'p-9');
    await changePolicy(api, 'p-10');
    const events = await historyOf(api, 'p-9');
    expect(namesOf(events)).toEqual(['create-sod-policy-v1', 'patch-sod-policy-v1']);
    expect(events).toEqual(await filtered(api, 'resourceType eq "SOD_POLICY" and resourceId eq "p-9"'));
    await api.call('DELETE', `${POLICIES}/p-9`);
    expect(namesOf(await historyOf(api, 'p-9'))).toEqual([...namesOf(events), 'delete-sod-policy-v1']);
  });

  test('is listed page by page', async () => {
    const api = await openTestApi();
    await api.importRecords(WORLD);
    await changePolicy(api, 'p-9');
    const first = await api.call('GET', `${POLICIES}/p-9/history?limit=1&count=true`);
    expect(namesOf(first.json)).toEqual(['create-sod-policy-v1']);
    expect(first.headers.get('x-total-count')).toBe('2');
    expect(first.headers.get('link')).toContain(`${POLICIES}/p-9/history?limit=1&offset=1&count=true>; rel="next"`);
    expect(namesOf(await historyOf(api, 'p-9', '?limit=1&offset=1'))).toEqual(['patch-sod-policy-v1']);
    for (const id of ['p-9', 'p-none']) expect((await historyOf(api, id, '?limit=0')).detailCode).toBe('400.1.3');
  });

  test('has what imports changed, and is 404 for an id that was never used', async () => {
    const api = await openTestApi();
    await api.importRecords(WORLD);
    await api.importRecords([{ ...WORLD[10], state: 'NOT_ENFORCED' }]);
    await api.importRecords([{ kind: 'sodPolicy', id: 'p-1', delete: true }]);
    const events = await historyOf(api, 'p-1');
    expect(namesOf(events)).toEqual(Array(3).fill('import-access-model-v1'));
    expect(events[0].changes).toContainEqual({ field: 'state', before: null, after: 'ENFORCED' });
    expect(events[1].changes).toEqual([{ field: 'state', before: 'ENFORCED', after: 'NOT_ENFORCED' }]);
    expect(events[2].changes).toContainEqual({ field: 'state', before: 'NOT_ENFORCED', after: null });
    const token = await api.clientToken({ scopes: ['auth-users:read'] });
    for (const id of ['p-1', 'p-none']) await api.call('GET', `${POLICIES}/${id}`, { token });
    expect((await historyOf(api, 'p-1')).at(-1)).toMatchObject({ operation: 'get-sod-policy-v1', outcome: 'DENIED' });
    for (const id of ['p-none', 'p-other']) {
      const answer = await api.call('GET', `${POLICIES}/${id}/history`);
      expect([answer.status, answer.json.detailCode]).toEqual([404, '404']);
    }
  });

  test('needs the rights of the audit log', async () => {
    const api = await openTestApi();
    await api.importRecords(WORLD);
    const statusFor = async (client: Parameters<TestApi['clientToken']>[0]) =>
      (await api.call('GET', `${POLICIES}/p-1/history`, { token: await api.clientToken(client) })).status;
    expect(await statusFor({ scopes: ['audit-events:read'] })).toBe(200);
    expect(await statusFor({ scopes: ['sod-policies:manage'] })).toBe(403);
    expect(await statusFor({ identityId: 'i-ada' })).toBe(200);
    expect(await statusFor({ identityId: 'i-hal' })).toBe(403);
  });
});
