import { describe, expect, test } from 'vitest';
import { openTestApi, type TestApi, type TestCall } from './test-api.ts';

const ROOT = '/scim/v2/hr';
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const SCIM = { 'content-type': 'application/scim+json' };

export async function openScim(source: object = {}) {
  const api = await openTestApi();
  await api.importRecords([
    { kind: 'source', id: 'hr', name: 'HR', ...source },
    { kind: 'source', id: 'crm', name: 'CRM' },
  ]);
  const { json: client } = await api.call('POST', '/oauth-clients/v1', {
    body: { name: 'd', scopes: ['scim:manage'] },
  });
  const path = `/oauth-clients/v1/${client.id}/bearer-tokens`;
  const { json: made } = await api.call('POST', path, { body: { source: 'hr' } });
  const token: string = made.token;
  const scim = (method: string, at: string, body?: unknown, call: TestCall = {}) =>
    api.call(method, `${ROOT}${at}`, {
      token,
      ...(body === undefined ? {} : { body }),
      ...call,
      headers: { ...SCIM, ...call.headers },
    });
  const user = async (fields: object) => (await scim('POST', '/Users', fields)).json;
  const patch = (at: string, ...Operations: readonly object[]) => scim('PATCH', at, { schemas: [PATCH], Operations });
  const found = async (filter: string, type = 'Users') =>
    (await scim('GET', `/${type}?filter=${encodeURIComponent(filter)}`)).json;
  return { api, client, token, tokenPath: `${path}/${made.id}`, scim, user, patch, found };
}

const ADA = {
  userName: 'ada@example.com',
  externalId: 'x-1',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  displayName: 'Ada Lovelace',
  emails: [
    { value: 'home@example.com', type: 'home', primary: true },
    { value: 'ada@example.com', type: 'work' },
  ],
  phoneNumbers: [{ value: '+44 1', type: 'mobile' }],
  title: 'Countess',
  nickName: 'Enchantress',
  password: 'kept-nowhere',
  active: true,
  [ENTERPRISE]: { employeeNumber: '7', department: 'Engines', manager: { value: 'm-1', displayName: 'Babbage' } },
};

const accountOf = (api: TestApi, key: string) => api.store.sources.findAccount('default', key);

describe('discovery', () => {
  test.each(['/ServiceProviderConfig', '/ResourceTypes', '/ResourceTypes/User', '/Schemas', `/Schemas/${ENTERPRISE}`])(
    '%s needs no token',
    async (path) => {
      const { api } = await openScim();
      const { status, headers } = await api.call('GET', `${ROOT}${path}`, { token: null });
      expect([status, headers.get('content-type')]).toEqual([200, 'application/scim+json']);
    },
  );
});

describe('tokens', () => {
  test('a static token opens the routes of its source alone, until it is deleted', async () => {
    const { api, token, tokenPath } = await openScim();
    const status = async (path: string) => (await api.call('GET', path, { token })).status;
    expect([await status(`${ROOT}/Users`), await status('/scim/v2/crm/Users')]).toEqual([200, 401]);
    expect([await status('/auth-users/v1/x'), await status('/identities/v1')]).toEqual([401, 401]);
    expect((await api.call('DELETE', tokenPath)).status).toBe(204);
    expect(await status(`${ROOT}/Users`)).toBe(401);
  });

  test('a static token ends with its client, and after its days', async () => {
    const { api, token, client } = await openScim();
    const status = async () => (await api.call('GET', `${ROOT}/Users`, { token })).status;
    expect(await status()).toBe(200);
    api.clock.nowMs += 180 * 86_400_000;
    expect(await status()).toBe(401);
    api.clock.nowMs -= 1;
    expect(await status()).toBe(200);
    const root = await api.tokenFor('root', 'root secret%');
    expect((await api.call('DELETE', `/oauth-clients/v1/${client.id}`, { token: root })).status).toBe(204);
    expect(await status()).toBe(401);
  });

  test('an access token needs scim:manage and an application', async () => {
    const { api } = await openScim();
    const status = async (token: string | null) => {
      const answer = await api.call('GET', `${ROOT}/Users`, { token });
      return [answer.status, answer.json.schemas?.[0] === ERROR || answer.status === 200];
    };
    expect(await status(await api.clientToken({ scopes: ['scim:manage'] }))).toEqual([200, true]);
    expect(await status(await api.clientToken({ scopes: ['access-model:manage'] }))).toEqual([403, true]);
    expect(await status(null)).toEqual([401, true]);
  });

  test('errors are those of SCIM, with the tracking id', async () => {
    const { api, scim } = await openScim();
    const { status, json, headers } = await scim('GET', '/Users/none');
    expect([status, json]).toEqual([404, { schemas: [ERROR], status: '404', detail: 'There is no such resource.' }]);
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
    expect((await api.call('GET', '/scim/v2/none/Users')).json.status).toBe('404');
    expect((await scim('GET', '/Devices')).json.status).toBe('404');
    const deleted = await scim('DELETE', '/Schemas');
    expect([deleted.json.status, deleted.headers.get('allow')]).toEqual(['405', 'GET, HEAD']);
    expect((await scim('PUT', '/Users')).headers.get('allow')).toBe('GET, HEAD, POST');
    expect((await scim('POST', '/Users', ADA, { headers: { 'content-type': 'text/plain' } })).json.status).toBe('415');
    expect((await scim('POST', '/Users', '{')).json).toMatchObject({ status: '400', scimType: 'invalidSyntax' });
  });
});

describe('users', () => {
  test('are accounts: created, read, replaced and deleted', async () => {
    const { api, scim } = await openScim();
    const created = await scim('POST', '/Users', ADA);
    expect(created.status).toBe(201);
    const { id, meta, ...shown } = created.json;
    expect(shown).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', ENTERPRISE],
      externalId: 'x-1',
      userName: 'ada@example.com',
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      title: 'Countess',
      displayName: 'Ada Lovelace',
      active: true,
      emails: [{ value: 'ada@example.com', type: 'work' }],
      phoneNumbers: [{ value: '+44 1', type: 'work' }],
      [ENTERPRISE]: { employeeNumber: '7', department: 'Engines', manager: { value: 'm-1' } },
    });
    expect(created.headers.get('location')).toBe(meta.location);
    expect(created.headers.get('etag')).toBe(meta.version);
    expect(await accountOf(api, id)).toMatchObject({
      key: id,
      source: 'hr',
      id: 'x-1',
      name: 'ada@example.com',
      displayName: 'Ada Lovelace',
      email: 'ada@example.com',
      disabled: false,
      attributes: {
        'name.givenName': 'Ada',
        'name.familyName': 'Lovelace',
        title: 'Countess',
        phoneNumbers: '+44 1',
        employeeNumber: '7',
        department: 'Engines',
        'manager.value': 'm-1',
      },
    });
    expect((await scim('GET', `/Users/${id}`)).json).toEqual(created.json);
    const replaced = await scim('PUT', `/Users/${id}`, { userName: 'ada', active: false });
    expect(replaced.json).toMatchObject({ id, userName: 'ada', active: false });
    expect(replaced.json).not.toHaveProperty('externalId');
    expect(replaced.json).not.toHaveProperty('title');
    expect((await accountOf(api, id))?.disabled).toBe(true);
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204);
    expect((await scim('GET', `/Users/${id}`)).status).toBe(404);
    expect(await accountOf(api, id)).toBeNull();
    expect((await api.call('GET', '/audit-events/v1')).text).not.toContain('kept-nowhere');
  });

  test('without an external id have a UUID as their id in the source', async () => {
    const { api, user } = await openScim();
    const { id, externalId } = await user({ userName: 'bob' });
    expect(externalId).toBeUndefined();
    expect((await accountOf(api, id))?.id).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    [{ userName: 'ADA@example.com' }, 'userName'],
    [{ userName: 'other', externalId: 'x-1' }, 'externalId'],
  ])('%j is not unique', async (fields, at) => {
    const { scim, user } = await openScim();
    await user(ADA);
    const { status, json } = await scim('POST', '/Users', fields);
    expect([status, json.scimType]).toEqual([409, 'uniqueness']);
    expect(json.detail).toContain(at);
  });

  test.each([
    [{}, 'invalidValue'],
    [{ userName: '' }, 'invalidValue'],
    [{ userName: 'x'.repeat(513) }, 'invalidValue'],
    [{ userName: 'x\ny' }, 'invalidValue'],
    [{ userName: 'x', title: 'x'.repeat(257) }, 'invalidValue'],
    [{ userName: 'x', active: 'perhaps' }, 'invalidValue'],
    [{ userName: { a: 1 } }, 'invalidValue'],
    [[], 'invalidSyntax'],
  ])('%j is refused', async (fields, scimType) => {
    const { scim } = await openScim();
    const { status, json } = await scim('POST', '/Users', fields);
    expect([status, json.scimType]).toEqual([400, scimType]);
  });

  test('make identities where the source is authoritative', async () => {
    const { api, user } = await openScim({ authoritative: true });
    const { id } = await user(ADA);
    const account = await accountOf(api, id);
    expect(account).toMatchObject({ correlation: 'RULE', identityId: 'x-1' });
    const { json } = await api.call('GET', '/identities/v1/x-1');
    expect(json).toMatchObject({ displayName: 'Ada Lovelace', email: 'ada@example.com', capabilities: [] });
  });

  test('If-Match names the version', async () => {
    const { scim, user } = await openScim();
    const { id, meta } = await user(ADA);
    const stale = { headers: { 'if-match': '"stale"' } };
    const body = { userName: 'ada' };
    expect((await scim('PUT', `/Users/${id}`, body, stale)).status).toBe(412);
    expect((await scim('DELETE', `/Users/${id}`, undefined, stale)).status).toBe(412);
    const known = await scim('PUT', `/Users/${id}`, body, { headers: { 'if-match': meta.version } });
    expect(known.status).toBe(200);
    expect(known.json.meta.version).not.toBe(meta.version);
  });

  test.each([
    [
      { userName: 'eve', externalId: 'x-4' },
      409,
      'uniqueness',
      'userName: cannot make an identity: the identity i-eve',
    ],
    [{ userName: 'f', externalId: 'i-eve' }, 409, 'uniqueness', 'externalId: cannot make an identity: there is the'],
    [{ userName: 'ａda', externalId: 'x-4' }, 400, 'invalidValue', 'userName: cannot make an identity: its name has'],
  ])(
    'of an authoritative source are refused where they can make no identity: %j',
    async (fields, status, scimType, detail) => {
      const { api, scim, user, found } = await openScim({ authoritative: true, correlation: [] });
      await user({ userName: 'bob', externalId: 'x-3' });
      await api.importRecords([{ kind: 'identity', id: 'i-eve', uid: 'eve', identityProfile: 'employees' }]);
      const refused = await scim('POST', '/Users', fields);
      expect([refused.status, refused.json.scimType]).toEqual([status, scimType]);
      expect(refused.json.detail).toContain(detail);
      expect((await found('userName pr')).totalResults).toBe(1);
    },
  );

  test('of an authoritative source that still have no identity after a change are named by their audit event', async () => {
    const { api, patch } = await openScim({ authoritative: true, correlation: [] });
    await api.importRecords([
      { kind: 'identityProfile', id: 'employees', name: 'Employees' },
      { kind: 'identity', id: 'i-eve', uid: 'eve', identityProfile: 'employees' },
      { kind: 'account', source: 'hr', id: 'x-4', name: 'eve' },
    ]);
    const [{ key }] = (await api.call('GET', '/accounts/v1')).json;
    await patch(`/Users/${key}`, { op: 'replace', path: 'displayName', value: 'Eve' });
    const filters = encodeURIComponent(`operation eq "scim-patch-user" and resourceId eq "${key}"`);
    const [event] = (await api.call('GET', `/audit-events/v1?filters=${filters}`)).json;
    const fault = 'cannot make an identity: the identity i-eve has its name as uid already';
    expect(event.changes).toMatchObject([{ field: key, after: { displayName: 'Eve', fault } }]);
  });

  test('each write is one audit event', async () => {
    const { api, user, patch } = await openScim();
    const { id } = await user({ userName: 'bob' });
    await patch(`/Users/${id}`, { op: 'replace', path: 'displayName', value: 'Bob' });
    const { json } = await api.call(
      'GET',
      `/audit-events/v1?filters=${encodeURIComponent('resourceType eq "ACCOUNT"')}`,
    );
    const told = json.map(({ operation, resource }: { operation: string; resource: object }) => [operation, resource]);
    expect(told).toEqual(['scim-create-user', 'scim-patch-user'].map((name) => [name, { type: 'ACCOUNT', id }]));
  });
});

describe('a PATCH of a user', () => {
  test.each<[string, object, object]>([
    ['a capitalised op', { op: 'Replace', path: 'displayName', value: 'A' }, { displayName: 'A' }],
    ['a text for a boolean', { op: 'Replace', path: 'active', value: 'False' }, { active: false }],
    ['no path', { op: 'replace', value: { active: false, title: 'T' } }, { active: false, title: 'T' }],
    ['dotted names without a path', { op: 'add', value: { 'name.givenName': 'G' } }, { name: { givenName: 'G' } }],
    ['a sub-attribute', { op: 'add', path: 'name.familyName', value: 'F' }, { name: { familyName: 'F' } }],
    ['a complex attribute', { op: 'replace', path: 'name', value: { familyName: 'F' } }, { name: { familyName: 'F' } }],
    [
      'the value of a filter',
      { op: 'Add', path: 'emails[type eq "work"].value', value: 'b@example.com' },
      { emails: [{ value: 'b@example.com' }] },
    ],
    [
      'an extension',
      { op: 'add', path: `${ENTERPRISE}:department`, value: 'D' },
      { [ENTERPRISE]: { department: 'D' } },
    ],
    [
      'an extension without a path',
      { op: 'add', value: { [`${ENTERPRISE}:department`]: 'D' } },
      { [ENTERPRISE]: { department: 'D' } },
    ],
    [
      'an extension as an object',
      { op: 'add', value: { [ENTERPRISE]: { manager: { value: 'm' } } } },
      { [ENTERPRISE]: { manager: { value: 'm' } } },
    ],
    [
      'a manager as a text',
      { op: 'add', path: `${ENTERPRISE}:manager`, value: 'm' },
      { [ENTERPRISE]: { manager: { value: 'm' } } },
    ],
    ['an external id', { op: 'replace', path: 'externalId', value: 'other' }, { externalId: 'other' }],
    ['what is not kept', { op: 'add', path: 'nickName', value: 'n' }, { userName: 'bob' }],
  ])('takes %s', async (_, operation, expected) => {
    const { scim, user, patch } = await openScim();
    const { id } = await user({ userName: 'bob' });
    const patched = await patch(`/Users/${id}`, operation);
    expect([patched.status, patched.json]).toMatchObject([200, expected]);
    expect((await scim('GET', `/Users/${id}`)).json).toEqual(patched.json);
  });

  test.each([
    ['displayName'],
    ['externalId'],
    ['emails'],
    ['emails[type eq "work"]'],
    ['phoneNumbers'],
    ['title'],
    ['name'],
    [`${ENTERPRISE}:department`],
    [ENTERPRISE],
  ])('removes %s', async (path) => {
    const { user, patch } = await openScim();
    const { id } = await user(ADA);
    const { json } = await patch(`/Users/${id}`, { op: 'remove', path });
    const [name = ''] = path.split(/[[]|:(?=department)/);
    const left = path.includes(':department') ? (json[ENTERPRISE] ?? {}) : json;
    expect(left).not.toHaveProperty([path.includes(':department') ? 'department' : name]);
  });

  test.each([
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'remove', path: 'userName' }, 'invalidValue'],
    [{ op: 'replace', path: 'id', value: 'x' }, 'mutability'],
    [{ op: 'replace', path: 'groups', value: [] }, 'mutability'],
    [{ op: 'replace', path: 'emails[', value: 'x' }, 'invalidPath'],
    [{ op: 'move', path: 'title', value: 'x' }, 'invalidSyntax'],
    [{ op: 'replace', value: 'x' }, 'invalidValue'],
  ])('%j is refused', async (operation, scimType) => {
    const { user, patch } = await openScim();
    const { id } = await user(ADA);
    const { status, json } = await patch(`/Users/${id}`, operation);
    expect([status, json.scimType]).toEqual([400, scimType]);
  });
});

describe('a list', () => {
  test('is filtered, sorted, paged and projected', async () => {
    const { scim, user, found } = await openScim();
    for (const name of ['cy', 'Ann', 'bea']) await user({ userName: name, title: name });
    const sorted = (await scim('GET', '/Users?sortBy=userName&count=2&startIndex=2&attributes=userName')).json;
    expect(sorted).toMatchObject({ totalResults: 3, itemsPerPage: 2, startIndex: 2 });
    expect(sorted.Resources.map((each: object) => Object.keys(each))).toEqual([
      ['schemas', 'id', 'userName'],
      ['schemas', 'id', 'userName'],
    ]);
    expect(sorted.Resources.map(({ userName }: { userName: string }) => userName)).toEqual(['bea', 'cy']);
    expect((await found('userName eq "ANN"')).Resources).toMatchObject([{ userName: 'Ann' }]);
    expect((await scim('GET', '/Users?count=0')).json).toMatchObject({ totalResults: 3, Resources: [] });
    const search = { filter: 'userName sw "b"', excludedAttributes: ['title'] };
    expect((await scim('POST', '/Users/.search', search)).json.Resources[0]).not.toHaveProperty('title');
    expect((await scim('POST', '/.search', { filter: 'id pr' })).json.totalResults).toBe(3);
  });

  test.each([
    'title eq "x"',
    'userName',
    'userName eq',
    'emails[foo eq "x"]',
    'active gt true',
    'userName eq 1',
    'not',
  ])('refuses the filter %s', async (filter) => {
    const { found } = await openScim();
    expect(await found(filter)).toMatchObject({ status: '400', scimType: 'invalidFilter' });
  });
});

test('a page has at most 1,000 resources, and counts the others', async () => {
  const { api, scim } = await openScim();
  const groups = Array.from({ length: 1_001 }, (_, at) => ({
    kind: 'entitlement',
    id: `e-${at}`,
    name: `G${at}`,
    source: 'hr',
  }));
  await api.importRecords(groups);
  const { json } = await scim('GET', '/Groups?count=5000');
  expect([json.totalResults, json.itemsPerPage, json.Resources.length]).toEqual([1_001, 1_000, 1_000]);
  const last = await scim('GET', '/Groups?count=5000&startIndex=1001');
  expect(last.json.Resources).toHaveLength(1);
});

describe('groups', () => {
  const group = (fields: object = {}) => ({ displayName: 'Payroll', externalId: 'g-1', ...fields });

  test.each(['ENTITLEMENT', 'ROLE'])(
    'of the kind %s are also those that loads name by the name of the source',
    async (groups) => {
      const { api, scim, user, found } = await openScim({ groups });
      const ada = await user(ADA);
      const loaded =
        groups === 'ROLE'
          ? { kind: 'role', accessProfiles: [], entitlements: [], attributes: { source: 'HR' } }
          : { kind: 'entitlement', source: 'HR' };
      await api.importRecords([{ ...loaded, id: 'g-loaded', name: 'Loaded' }]);
      const names = async () =>
        (await found('displayName pr', 'Groups')).Resources?.map((each: { displayName: string }) => each.displayName);
      expect(await names()).toEqual(['Loaded']);
      const put = await scim('PUT', '/Groups/g-loaded', { displayName: 'Renamed', members: [{ value: ada.id }] });
      expect([put.status, await names()]).toEqual([200, ['Renamed']]);
      expect((await scim('GET', `/Users/${ada.id}`)).json.groups).toMatchObject([{ display: 'Renamed' }]);
      await api.call('POST', '/sources/v1', { body: { id: 'HR', name: 'Another one' } });
      expect((await found('displayName pr', 'Groups')).totalResults).toBe(0);
    },
  );

  test.each(['ENTITLEMENT', 'ROLE'])('are of the kind %s, with accounts as members', async (groups) => {
    const { api, scim, user, patch, found } = await openScim({ groups });
    const ada = await user(ADA);
    const bob = await user({ userName: 'bob' });
    const created = await scim('POST', '/Groups', group({ members: [{ value: ada.id }] }));
    expect([created.status, created.json]).toMatchObject([
      201,
      {
        displayName: 'Payroll',
        externalId: 'g-1',
        members: [{ value: ada.id, display: 'Ada Lovelace', type: 'User' }],
      },
    ]);
    const path = `/Groups/${created.json.id}`;
    const kind = groups === 'ROLE' ? 'roles' : 'entitlements';
    expect((await api.call('GET', `/${kind}/v1/${created.json.id}`)).json).toMatchObject({ name: 'Payroll' });
    expect((await accountOf(api, ada.id))?.access).toEqual([{ type: groups, id: created.json.id }]);
    expect((await scim('GET', `/Users/${ada.id}`)).json.groups).toMatchObject([{ value: created.json.id }]);
    const members = async () =>
      ((await scim('GET', path)).json.members ?? []).map(({ value }: { value: string }) => value);
    const steps: readonly [object, readonly string[]][] = [
      [{ op: 'Add', path: 'members', value: [{ value: bob.id }] }, [ada.id, bob.id]],
      [{ op: 'add', path: 'members', value: [{ value: bob.id }] }, [ada.id, bob.id]],
      [{ op: 'Remove', path: `members[value eq "${ada.id}"]` }, [bob.id]],
      [{ op: 'remove', path: `members[value eq "${ada.id}"]` }, [bob.id]],
      [{ op: 'Remove', path: 'members', value: [{ value: bob.id }] }, []],
      [{ op: 'replace', value: { id: created.json.id, members: [{ value: ada.id }] } }, [ada.id]],
      [{ op: 'replace', path: 'members', value: [{ value: bob.id }] }, [bob.id]],
      [{ op: 'remove', path: 'members' }, []],
      [{ op: 'add', value: { members: [{ value: ada.id }] } }, [ada.id]],
    ];
    for (const [operation, expected] of steps) {
      const { status, text } = await patch(path, operation);
      expect([operation, status, text]).toEqual([operation, 204, '']);
      expect(await members()).toEqual([...expected].sort());
    }
    expect((await found(`members.value eq "${ada.id}"`, 'Groups')).totalResults).toBe(1);
    expect((await found(`members[value eq "${bob.id}"]`, 'Groups')).totalResults).toBe(0);
    expect((await found('displayName eq "PAYROLL"', 'Groups')).totalResults).toBe(1);
    const without = await scim('GET', `${path}?excludedAttributes=members`);
    expect(without.json).not.toHaveProperty('members');
    const replaced = await scim('PUT', path, { displayName: 'Pay' });
    expect(replaced.json).toMatchObject({ displayName: 'Pay' });
    expect(replaced.json).not.toHaveProperty('members');
    expect((await scim('DELETE', path)).status).toBe(204);
    expect((await scim('GET', path)).status).toBe(404);
    expect((await api.call('GET', `/${kind}/v1/${created.json.id}`)).status).toBe(404);
  });

  test('have members with their display names, where they have one', async () => {
    const { scim, user } = await openScim();
    const ids = [(await user(ADA)).id, (await user({ userName: 'bob' })).id];
    const { json } = await scim(
      'POST',
      '/Groups',
      group({ members: ids.map((value) => ({ value, display: 'sent' })) }),
    );
    const shown = json.members.map(({ value, display }: Record<string, string>) => [value, display]);
    expect(new Map(shown)).toEqual(
      new Map([
        [ids[0], 'Ada Lovelace'],
        [ids[1], undefined],
      ]),
    );
  });

  test('are refused with the first of their faults', async () => {
    const { scim } = await openScim();
    for (const [fields, detail] of [
      [{ displayName: ' ' }, 'displayName is required.'],
      [{ displayName: undefined }, 'displayName is required.'],
      [
        { displayName: '\u{1f600}'.repeat(257), externalId: 'x'.repeat(513) },
        'displayName must have at most 256 characters.',
      ],
      [{ externalId: 'x'.repeat(513) }, 'externalId must have at most 512 characters.'],
    ] as const)
      expect((await scim('POST', '/Groups', group(fields))).json).toMatchObject({ scimType: 'invalidValue', detail });
    const longest = { displayName: '\u{1f600}'.repeat(256), externalId: 'x'.repeat(512) };
    expect((await scim('POST', '/Groups', group(longest))).json).toMatchObject(longest);
  });

  test('of other sources are not seen', async () => {
    const { api, scim } = await openScim();
    await api.importRecords([
      { kind: 'entitlement', id: 'e-hr', name: 'HR', source: 'hr' },
      { kind: 'entitlement', id: 'e-crm', name: 'CRM', source: 'crm' },
    ]);
    expect((await scim('GET', '/Groups')).json.Resources).toMatchObject([{ id: 'e-hr' }]);
    expect((await scim('GET', '/Groups/e-crm')).status).toBe(404);
  });

  test('the version changes with the members, and names what If-Match compares', async () => {
    const { scim, user, patch } = await openScim();
    const ada = await user(ADA);
    const { json } = await scim('POST', '/Groups', group());
    const path = `/Groups/${json.id}`;
    await patch(path, { op: 'add', path: 'members', value: [{ value: ada.id }] });
    const { json: now } = await scim('GET', path);
    expect(now.meta.version).not.toBe(json.meta.version);
    const body = { displayName: 'Other' };
    expect((await scim('PUT', path, body, { headers: { 'if-match': json.meta.version } })).status).toBe(412);
    expect((await scim('PUT', path, body, { headers: { 'if-match': now.meta.version } })).status).toBe(200);
  });

  test('a refused member changes nothing', async () => {
    const { scim, user } = await openScim();
    const ada = await user(ADA);
    const refused = [
      { value: 'nobody' },
      { value: ada.id, type: 'Group' },
      { value: ada.id, $ref: 'https://example.com/Groups/1' },
      {},
    ];
    for (const member of refused) {
      const { status, json } = await scim('POST', '/Groups', group({ members: [{ value: ada.id }, member] }));
      expect([status, json.scimType]).toEqual([400, 'invalidValue']);
    }
    expect((await scim('GET', '/Groups')).json.totalResults).toBe(0);
  });

  test('one that a role refers to is not deleted', async () => {
    const { api, scim, user } = await openScim();
    const ada = await user(ADA);
    const { json } = await scim('POST', '/Groups', group({ members: [{ value: ada.id }] }));
    await api.importRecords([{ kind: 'role', id: 'r', name: 'R', entitlements: [json.id] }]);
    expect((await scim('DELETE', `/Groups/${json.id}`)).status).toBe(409);
    expect((await scim('GET', `/Groups/${json.id}`)).json.members).toHaveLength(1);
  });
});

describe('a bulk', () => {
  test('names what it creates in both directions, and goes on after an error', async () => {
    const { scim } = await openScim();
    const { status, json } = await scim('POST', '/Bulk', {
      Operations: [
        { method: 'POST', path: '/Groups', bulkId: 'g', data: { displayName: 'G', members: [{ value: 'bulkId:u' }] } },
        { method: 'POST', path: '/Users', bulkId: 'bad', data: {} },
        {
          method: 'POST',
          path: '/Users',
          bulkId: 'u',
          data: { userName: 'u', externalId: 'x-u', [ENTERPRISE]: { manager: { value: 'bulkId:m' } } },
        },
        { method: 'POST', path: '/Users', bulkId: 'm', data: { userName: 'm' } },
        { method: 'PATCH', path: '/Users/bulkId:m', data: { Operations: [{ op: 'add', path: 'title', value: 'T' }] } },
        { method: 'DELETE', path: '/Users/none' },
      ],
    });
    expect(status).toBe(200);
    expect(json.Operations.map((each: { status: string }) => each.status)).toEqual([
      '201',
      '400',
      '201',
      '201',
      '200',
      '404',
    ]);
    expect(json.Operations[1].response).toMatchObject({ schemas: [ERROR], scimType: 'invalidValue' });
    const { Resources } = (await scim('GET', '/Users?sortBy=userName')).json;
    const [m, u] = Resources;
    expect(m).toMatchObject({ userName: 'm', title: 'T' });
    expect(u[ENTERPRISE].manager.value).toBe(m.id);
    expect((await scim('GET', '/Groups')).json.Resources[0].members).toMatchObject([{ value: u.id }]);
  });

  test('refuses an operation that is malformed by itself, and names it', async () => {
    const { scim } = await openScim();
    const { status, json } = await scim('POST', '/Bulk', {
      Operations: [
        { method: 'POST', path: '/Users', bulkId: 'u', data: { userName: 'u' } },
        { method: 'GET', path: '/Users/x', bulkId: 'g' },
        { method: 'POST', path: '/Users', data: { userName: 'v' } },
        { method: 'DELETE', path: '/Devices/x' },
        7,
        { method: 'POST', path: '/Groups', bulkId: 'h', data: { displayName: 'G', members: [{ value: 'bulkId:g' }] } },
        { method: 'POST', path: '/Users', bulkId: 'w', data: { userName: 'w' } },
      ],
    });
    expect(status).toBe(200);
    const faultOf = (scimType: string, detail: string) => ({ status: '400', response: { scimType, detail } });
    expect(json.Operations).toMatchObject([
      { status: '201' },
      {
        method: 'GET',
        bulkId: 'g',
        ...faultOf('invalidSyntax', 'Operations[1]: method must be POST, PUT, PATCH or DELETE.'),
      },
      { method: 'POST', ...faultOf('invalidSyntax', 'Operations[2]: a POST needs a bulkId.') },
      { method: 'DELETE', status: '400', response: { scimType: 'invalidPath' } },
      { method: '', status: '400' },
      { bulkId: 'h', status: '400' },
      { status: '201' },
    ]);
    expect((await scim('GET', '/Users')).json.totalResults).toBe(2);
  });

  test('ends at failOnErrors', async () => {
    const { scim } = await openScim();
    const bad = { method: 'DELETE', path: '/Users/none' };
    const { json } = await scim('POST', '/Bulk', { failOnErrors: 2, Operations: [bad, bad, bad] });
    expect(json.Operations).toHaveLength(2);
  });
});
