import { describe, expect, test } from 'vitest';
import { openTestApi, WORLD } from './test-api.ts';

async function open() {
  const api = await openTestApi();
  expect((await api.importRecords(WORLD)).status).toBe(200);
  const eventsOf = async (id: string) => {
    const filters = new URLSearchParams({ filters: `resourceId eq "${id}"` });
    return (await api.call('GET', `/audit-events/v1?${filters}`)).json;
  };
  return { ...api, eventsOf };
}

const CODES = [
  ['/entitlements/v1', { id: 'e-x', name: 'X' }, { name: 'Y', source: 'ERP' }, 'name'],
  ['/access-profiles/v1', { id: 'ap-x', name: 'X', entitlements: ['e-pay'] }, { name: 'Y', entitlements: [] }, 'name'],
  ['/roles/v1', { id: 'r-x', name: 'X' }, { name: 'Y', accessProfiles: ['ap-vendor'] }, 'name'],
  ['/identity-profiles/v1', { id: 'ip-x', name: 'X' }, { name: 'Y', authProfile: { type: 'MFA' } }, 'name'],
  [
    '/identities/v1',
    { id: 'i-x', uid: 'x', identityProfile: 'ip-emp' },
    { uid: 'y', identityProfile: 'ip-emp', access: [{ type: 'ROLE', id: 'r-buyer' }] },
    'uid',
  ],
] as const;

describe('an identity with the most assignments', () => {
  const ids = Array.from({ length: 10_001 }, (_, at) => `e-${at}`);
  const refs = ids.map((id) => ({ type: 'ENTITLEMENT', id }));

  test('is changed with an event of what it gained and lost, and can have no more', async () => {
    const { call, importRecords, eventsOf } = await open();
    await importRecords(ids.map((id) => ({ kind: 'entitlement', id, name: id })));
    const record = { kind: 'identity', id: 'i-most', uid: 'most', identityProfile: 'ip-emp' };
    const beyond = await importRecords([{ ...record, access: refs }]);
    expect([beyond.status, beyond.json.detailCode, beyond.json.causes[0].text]).toEqual([
      400,
      '400.1.4',
      'line 1: access: must have at most 10000 assignments',
    ]);
    expect((await importRecords([{ ...record, access: refs.slice(1) }])).status).toBe(200);
    const at = '/identities/v1/i-most';
    const patch = async (...body: object[]) => call('PATCH', at, { body });
    const told = async () => (await eventsOf('i-most')).at(-1);

    const more = await patch({ op: 'add', path: '/access/-', value: refs[0] });
    expect([more.status, more.json.detailCode]).toEqual([400, '400.1.4']);
    const swapped = await patch({ op: 'remove', path: '/access/0' }, { op: 'add', path: '/access/-', value: refs[0] });
    expect(swapped.status).toBe(200);
    expect((await told()).changes).toEqual([
      { field: 'access', before: null, after: null, added: [refs[0]], removed: [refs[1]] },
    ]);
    expect((await patch({ op: 'move', from: '/access/0', path: '/access/-' })).status).toBe(200);
    expect((await told()).changes).toEqual([{ field: 'access', before: null, after: null, added: [], removed: [] }]);
    const replaced = { uid: 'most', identityProfile: 'ip-emp', access: refs.slice(0, 2) };
    expect((await call('PUT', at, { body: replaced })).status).toBe(200);
    expect((await told()).changes[0]).toMatchObject({ added: [refs[1]], removed: { length: 9_999 } });
    const created = await call('POST', '/identities/v1', { body: { ...replaced, id: 'i-2', uid: 'two' } });
    expect(created.status).toBe(201);
    expect((await eventsOf('i-2'))[0].changes).toContainEqual({
      field: 'access',
      before: null,
      after: null,
      added: refs.slice(0, 2),
      removed: [],
    });
  });
});

describe('one record', () => {
  test.each(CODES)('of %s is created, read, replaced, patched and deleted', async (path, first, second, field) => {
    const { call, eventsOf } = await open();
    const created = await call('POST', path, { body: first });
    const at = `${path}/${first.id}`;
    expect([created.status, created.headers.get('location')]).toEqual([201, at]);
    const read = await call('GET', at);
    expect([read.text, read.headers.get('etag')]).toEqual([created.text, created.headers.get('etag')]);
    const again = await call('POST', path, { body: first });
    expect([again.status, again.json.detailCode]).toEqual([409, '409.1']);
    const etag = read.headers.get('etag') ?? '';
    const replaced = await call('PUT', at, { body: second, headers: { 'if-match': etag } });
    expect([replaced.status, replaced.json[field]]).toEqual([200, 'name' in second ? second.name : second.uid]);
    const stale = await call('PUT', at, { body: second, headers: { 'if-match': etag } });
    expect([stale.status, stale.json.detailCode]).toEqual([412, '412']);
    expect((await call('DELETE', at, { headers: { 'if-match': etag } })).status).toBe(412);
    const body = [{ op: 'replace', path: `/${field}`, value: 'Z' }];
    expect((await call('PATCH', at, { body, headers: { 'if-match': etag } })).status).toBe(412);
    const patched = await call('PATCH', at, {
      body,
      headers: { 'if-match': replaced.headers.get('etag') ?? '' },
    });
    expect([patched.status, patched.json[field]]).toEqual([200, 'Z']);
    for (const name of ['id', 'kind', 'nonsense']) {
      const refused = await call('PATCH', at, { body: [{ op: 'add', path: `/${name}`, value: 'x' }] });
      expect([refused.status, refused.json.detailCode]).toEqual([400, '400.1.1']);
    }
    const other = await call('PUT', at, { body: { ...second, id: 'other' } });
    expect([other.status, other.json.detailCode]).toEqual([400, '400.1.3']);
    const unknown = await call('PUT', at, { body: { ...second, kind: 'role' } });
    expect([unknown.status, unknown.json.detailCode]).toEqual([400, '400.1']);
    const deleted = await call('DELETE', at);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    for (const [method, sent] of [['GET'], ['DELETE'], ['PUT', second], ['PATCH', []]] as const) {
      const missing = await call(method, at, sent === undefined ? {} : { body: sent });
      expect([method, missing.status, missing.json.detailCode]).toEqual([method, 404, '404']);
    }
    const operations = (await eventsOf(first.id)).map(({ operation }: { operation: string }) => operation);
    expect(operations.map((each: string) => each.split('-')[0])).toEqual(['create', 'put', 'patch', 'delete']);
  });

  test('stores what a patch leaves of the settings of an identity profile, or refuses it', async () => {
    const { call } = await open();
    const authProfile = { type: 'PTA', applicationId: 'app', applicationName: 'App', offNetwork: true };
    await call('POST', '/identity-profiles/v1', { body: { id: 'ip-x', name: 'X', authProfile } });
    const patch = (op: object) => call('PATCH', '/identity-profiles/v1/ip-x', { body: [op] });
    const emptied = await patch({ op: 'remove', path: '/authProfile/applicationName' });
    expect([emptied.status, emptied.json.authProfile]).toEqual([
      200,
      { ...authProfile, untrustedGeography: false, applicationName: null },
    ]);
    for (const [op, at] of [
      [{ op: 'remove', path: '/authProfile' }, 'authProfile'],
      [{ op: 'remove', path: '/authProfile/type' }, 'authProfile.type'],
      [{ op: 'replace', path: '/authProfile', value: { type: 'MFA' } }, 'authProfile.offNetwork'],
    ] as const) {
      const refused = await patch(op);
      expect([refused.status, refused.json.detailCode]).toEqual([400, '400.1.0']);
      expect(refused.json.causes[0].text).toBe(`${at}: is required`);
    }
    const odd = await patch({ op: 'replace', path: '/authProfile', value: null });
    expect([odd.status, odd.json.detailCode]).toEqual([400, '400.1.3']);
  });

  test('keeps the rules and refusals of an import, without the number of a line', async () => {
    const { call, clientToken } = await open();
    const missing = await call('POST', '/roles/v1', { body: { id: 'r-x', name: 'X', entitlements: ['e-none'] } });
    expect([missing.status, missing.json.detailCode, missing.json.causes[0].text]).toEqual([
      400,
      '400.1.404',
      'entitlements[0]: there is no entitlement e-none',
    ]);
    const used = await call('DELETE', '/access-profiles/v1/ap-vendor');
    expect([used.status, used.json.detailCode]).toEqual([409, '409.1']);
    const nameless = await call('POST', '/roles/v1', { body: { id: 'r-x' } });
    expect([nameless.status, nameless.json.detailCode]).toEqual([400, '400.1.0']);
    const shared = await call('POST', '/identities/v1', {
      body: { id: 'i-x', uid: 'ADA', identityProfile: 'ip-emp' },
    });
    expect([shared.status, shared.json.detailCode]).toEqual([409, '409.1']);
    const ada = await clientToken({ identityId: 'i-ada' });
    const renamed = await call('PATCH', '/identities/v1/i-ada', {
      token: ada,
      body: [{ op: 'replace', path: '/uid', value: 'other' }],
    });
    expect([renamed.status, renamed.json.detailCode]).toEqual([403, '403']);
    const reader = await clientToken({ scopes: ['access-model:read'] });
    expect((await call('DELETE', '/roles/v1/r-buyer', { token: reader })).status).toBe(403);
    const hal = await clientToken({ identityId: 'i-hal' });
    expect((await call('DELETE', '/roles/v1/r-buyer', { token: hal })).status).toBe(403);
  });

  test('of an identity changes its access by a patch, in one event, and keeps what a replacement leaves out', async () => {
    const { call, eventsOf } = await open();
    const at = '/identities/v1/i-cleo';
    const before = (await eventsOf('i-cleo')).length;
    const entitlement = { type: 'ENTITLEMENT', id: 'e-pay', end: '2030-01-01T00:00:00Z' };
    const patched = await call('PATCH', at, {
      body: [
        { op: 'add', path: '/access/-', value: entitlement },
        { op: 'add', path: '/capabilities/-', value: 'HELPDESK' },
      ],
    });
    expect(patched.json).toMatchObject({
      capabilities: ['HELPDESK'],
      assignments: [{ id: 'r-buyer' }, { id: 'e-pay', end: '2030-01-01T00:00:00.000Z' }],
    });
    const [told, ...others] = (await eventsOf('i-cleo')).slice(before);
    expect(others).toEqual([]);
    expect(told).toMatchObject({ operation: 'patch-identity-v1', resource: { type: 'IDENTITY', id: 'i-cleo' } });
    expect(told.changes.map(({ field }: { field: string }) => field).sort()).toEqual(['access', 'capabilities']);
    const gained = [{ ...entitlement, end: '2030-01-01T00:00:00.000Z' }];
    expect(told.changes).toContainEqual({ field: 'access', before: null, after: null, added: gained, removed: [] });
    const replaced = await call('PUT', at, { body: { uid: 'cleo', identityProfile: 'ip-emp' } });
    expect(replaced.json).toMatchObject({ email: null, capabilities: ['HELPDESK'], assignments: [{}, {}] });
    const emptied = await call('PATCH', at, { body: [{ op: 'remove', path: '/access' }] });
    expect([emptied.status, emptied.json.assignments]).toEqual([200, []]);
    const tested = await call('PATCH', at, { body: [{ op: 'test', path: '/uid', value: 'bob' }] });
    expect([tested.status, tested.json.detailCode]).toEqual([409, '409.1']);
  });

  test('shows, changes and records the grants of an entitlement', async () => {
    const { call, eventsOf } = await open();
    const at = '/entitlements/v1/e-grants';
    const read = { resourceType: 'record', resourceId: 'record-1', action: 'read' };
    const write = { ...read, action: 'write' };
    const created = await call('POST', '/entitlements/v1', { body: { id: 'e-grants', name: 'G', grants: [read] } });
    expect([created.status, created.json.grants]).toEqual([201, [read]]);
    const more = await call('PATCH', at, { body: [{ op: 'add', path: '/grants/-', value: write }] });
    expect([more.status, more.json.grants]).toEqual([200, [read, write]]);
    expect((await eventsOf('e-grants')).at(-1).changes).toEqual([
      { field: 'grants', before: [read], after: [read, write] },
    ]);
    const removed = await call('PATCH', at, { body: [{ op: 'remove', path: '/grants' }] });
    expect([removed.status, removed.json.grants]).toEqual([200, []]);
    expect((await call('GET', at)).json).toMatchObject({ name: 'G', grants: [] });
    expect((await call('GET', '/entitlements/v1')).json).toContainEqual(removed.json);
  });

  test('is changed by two callers at once without a loss', async () => {
    const { call } = await open();
    const patch = (path: string, value: string) =>
      call('PATCH', '/roles/v1/r-buyer', { body: [{ op: 'add', path, value }] });
    const answers = await Promise.all([
      patch('/attributes/a', '1'),
      patch('/attributes/b', '2'),
      patch('/entitlements/-', 'e-pay'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await call('GET', '/roles/v1/r-buyer')).json).toMatchObject({
      attributes: { a: '1', b: '2' },
      entitlements: [{ id: 'e-report' }, { id: 'e-pay' }],
    });
  });
});
