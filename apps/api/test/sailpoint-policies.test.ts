import { describe, expect, test } from 'vitest';
import { openViolations } from './open-violations.ts';
import { refusalOf } from './sod-exceptions-world.ts';
import { openTestApi, type TestCall, WORLD } from './test-api.ts';

// Requests as the published SDK of SailPoint sends them.
const POLICIES = '/sod-policies/v1';
const HEADERS = { 'user-agent': 'OpenAPI-Generator/1.4.15/ts', 'x-sailpoint-sdk': 'typescript-1.4.15' };
const item = (id: string) => ({ type: 'ENTITLEMENT', id });
const person = (id: string) => ({ type: 'IDENTITY', id, name: 'Somebody' });
const SOUND = {
  name: 'Money in, money out',
  description: 'Who makes vendors pays none.',
  externalPolicyReference: 'SOX 404',
  compensatingControls: null,
  correctionAdvice: 'Take one of the two away.',
  state: 'ENFORCED',
  tags: ['finance'],
  ownerRef: person('i-ada'),
  type: 'CONFLICTING_ACCESS_BASED',
  conflictingAccessCriteria: {
    leftCriteria: { name: 'money in', criteriaList: [{ ...item('e-vendor'), name: 'Whatever' }] },
    rightCriteria: { name: 'money out', criteriaList: [item('e-pay')] },
  },
};
// Properties of SailPoint that this service keeps as they were sent.
const KEPT = {
  secondaryOwnerRefs: [person('i-bob'), { type: 'GOVERNANCE_GROUP', id: 'g-1', name: 'Auditors' }],
  violationOwnerAssignmentConfig: { assignmentRule: 'MANAGER', ownerRef: null },
  allowedControls: [{ type: 'COMPENSATING_CONTROL', id: 'c-1', name: 'Second signature' }],
  scheduled: true,
};
const CONTROL = { kind: 'control', id: 'c-1', name: 'Second signature', expiration: '20d' };
// Those that the service says itself: what requests have of them counts for nothing.
const SAID = { policyQuery: '@access(id:e-other)', creatorId: 'i-ada', modifierId: null };

async function openSdk() {
  const api = await openTestApi();
  expect((await api.importRecords([...WORLD, CONTROL])).status).toBe(200);
  const call = (method: string, path: string, options: TestCall = {}) =>
    api.call(method, `${POLICIES}${path}`, { ...options, headers: { ...HEADERS, ...options.headers } });
  const list = (query: Readonly<Record<string, string>>) => call('GET', `?${new URLSearchParams(query)}`);
  return { api, call, list };
}

test('a conflicting-access policy of SailPoint can be created, read, replaced and deleted', async () => {
  const { call } = await openSdk();
  const created = await call('POST', '', { body: { ...SAID, ...KEPT, ...SOUND } });
  expect(created.status).toBe(201);
  expect(created.json).toMatchObject({
    ...SOUND,
    ...KEPT,
    level: 'HIGH',
    conflictingAccessCriteria: KEPT_CRITERIA,
    ownerRef: OWNER,
    policyQuery: '@access(id:e-vendor) AND @access(id:e-pay)',
    creatorId: 'root',
    modifierId: 'root',
  });
  const { id } = created.json;
  const read = await call('GET', `/${id}`);
  expect([read.status, read.text]).toEqual([200, created.text]);
  const again = await call('PUT', `/${id}`, { body: { ...read.json, ...SAID } });
  expect([again.status, again.text]).toEqual([200, created.text]);
  const match = { 'if-match': read.headers.get('etag') ?? '' };
  const relaxed = await call('PUT', `/${id}`, {
    body: { ...read.json, ...SAID, state: 'NOT_ENFORCED' },
    headers: match,
  });
  expect([relaxed.status, relaxed.json.state]).toEqual([200, 'NOT_ENFORCED']);
  const stale = await call('PATCH', `/${id}`, {
    body: [{ op: 'replace', path: '/state', value: 'ENFORCED' }],
    headers: match,
  });
  expect(stale.status).toBe(412);
  const deleted = await call('DELETE', `/${id}?logical=true`);
  expect([deleted.status, deleted.text]).toEqual([204, '']);
  expect((await call('GET', `/${id}`)).status).toBe(404);
});

const OWNER = { ...person('i-ada'), name: 'ada' };
const KEPT_CRITERIA = {
  leftCriteria: { name: 'money in', criteriaList: [{ ...item('e-vendor'), name: 'ERP: create vendor' }] },
  rightCriteria: { name: 'money out', criteriaList: [{ ...item('e-pay'), name: 'AP: release payment' }] },
};

test('a patch changes the properties that are kept, and none of those that the service says', async () => {
  const { call } = await openSdk();
  const rename = { op: 'replace', path: '/name', value: 'Renamed' };
  for (const [name, value] of Object.entries({ ...SAID, created: 'x', modified: 'x' })) {
    const refused = await call('PATCH', '/p-1', { body: [rename, { op: 'replace', path: `/${name}`, value }] });
    expect([name, refused.status, refused.json.detailCode]).toEqual([name, 400, '400.1.1']);
  }
  expect((await call('GET', '/p-1')).json.name).toBe('Vendor and payment');
  for (const [name, value] of Object.entries({ ...KEPT, ownerRef: OWNER })) {
    const kept = await call('PATCH', '/p-1', { body: [{ op: 'replace', path: `/${name}`, value }] });
    expect([name, kept.status, kept.json[name]]).toEqual([name, 200, value]);
  }
  const body = Object.keys({ ...KEPT, ownerRef: OWNER }).map((name) => ({ op: 'remove', path: `/${name}` }));
  const bare = await call('PATCH', '/p-1', { body });
  expect([bare.status, bare.json.scheduled]).toEqual([200, false]);
  for (const name of ['ownerRef', ...Object.keys(KEPT)].filter((each) => each !== 'scheduled'))
    expect(bare.json).not.toHaveProperty(name);
});

test('what a policy has none of is left out of its answers, and `scheduled` is in every one', async () => {
  const { call, list } = await openSdk();
  const { ownerRef: _, ...unowned } = SOUND;
  const created = await call('POST', '', { body: unowned });
  for (const shown of [created.json, ...(await list({ filters: `id eq "${created.json.id}"` })).json]) {
    expect(shown.scheduled).toBe(false);
    for (const name of ['ownerRef', 'violationOwnerAssignmentConfig', 'secondaryOwnerRefs', 'allowedControls'])
      expect(shown).not.toHaveProperty(name);
  }
});

test('a replacement without a level keeps it', async () => {
  const { call } = await openSdk();
  const { id } = (await call('POST', '', { body: { ...SOUND, level: 'LOW' } })).json;
  const replaced = await call('PUT', `/${id}`, { body: { ...SOUND, name: 'Replaced' } });
  expect([replaced.status, replaced.json.name, replaced.json.level]).toEqual([200, 'Replaced', 'LOW']);
  const raised = await call('PUT', `/${id}`, { body: { ...SOUND, level: 'CRITICAL' } });
  expect(raised.json.level).toBe('CRITICAL');
});

test('who changed a policy last is shown, and is no change of its own', async () => {
  const { api, call } = await openSdk();
  const { id } = (await call('POST', '', { body: SOUND })).json;
  const token = await api.clientToken({ identityId: 'i-ada' });
  const body = [{ op: 'replace', path: '/level', value: 'LOW' }];
  expect((await call('PATCH', `/${id}`, { token, body })).json).toMatchObject({
    creatorId: 'root',
    modifierId: 'i-ada',
  });
  const [, changed] = (await call('GET', `/${id}/history`)).json;
  expect(changed.changes).toEqual([{ field: 'level', before: 'HIGH', after: 'LOW' }]);
  expect((await call('PATCH', `/${id}`, { body })).json.modifierId).toBe('i-ada');
});

test('the query of critical access has one side, and of k of n sides there is none', async () => {
  const { call } = await openSdk();
  const sides = ['e-vendor', 'e-pay', 'e-report'].map((id) => ({ name: null, criteriaList: [item(id)] }));
  const queryOf = async (conflictingAccessCriteria: object) =>
    (await call('POST', '', { body: { ...SOUND, conflictingAccessCriteria } })).json.policyQuery;
  const both = { name: null, criteriaList: [item('e-vendor'), item('e-pay')] };
  expect(await queryOf({ criteria: [both] })).toBe('@access(id:e-vendor OR id:e-pay)');
  expect(await queryOf({ criteria: sides, atLeast: 3 })).toBe(
    '@access(id:e-vendor) AND @access(id:e-pay) AND @access(id:e-report)',
  );
  expect(await queryOf({ criteria: sides, atLeast: 2 })).toBeNull();
});

describe('the published filters and sorters', () => {
  test('find and sort policies', async () => {
    const api = await openTestApi();
    await api.importRecords(WORLD);
    for (const [id, fields] of Object.entries({
      'p-2': { ...SOUND, name: 'Money', description: 'Alpha', ownerRef: person('i-bob') },
      'p-3': { ...SOUND, name: 'Other', description: 'Beta %', ownerRef: person('i-ada') },
    }))
      expect((await api.call('POST', POLICIES, { body: { ...fields, id } })).status).toBe(201);
    const found = async (query: Readonly<Record<string, string>>) => {
      const answer = await api.call('GET', `${POLICIES}?${new URLSearchParams({ count: 'true', ...query })}`);
      expect(answer.headers.get('x-total-count')).toBe(String(answer.json.length));
      return answer.json.map(({ id }: { readonly id: string }) => id).join(' ');
    };
    for (const [filters, ids] of Object.entries({
      'id eq "p-2"': 'p-2',
      'name in ("Money", "Vendor and payment", "x")': 'p-1 p-2',
      'name sw "Mon"': 'p-2',
      'name co "ther"': 'p-3',
      'type eq "CONFLICTING_ACCESS_BASED"': 'p-1 p-2 p-3',
      'type in ("GENERAL")': '',
      'description eq "Alpha"': 'p-2',
      'description sw "Be"': 'p-3',
      'description co "%"': 'p-3',
      'ownerRef.name eq "ada"': 'p-3',
      'ownerRef.name sw "b" and state eq "ENFORCED"': 'p-2',
      'level eq "HIGH"': 'p-2 p-3',
    }))
      expect([filters, await found({ filters })]).toEqual([filters, ids]);
    for (const [sorters, ids] of Object.entries({
      description: 'p-1 p-2 p-3',
      '-description': 'p-3 p-2 p-1',
      'ownerRef.name': 'p-1 p-3 p-2',
      '-ownerRef.name,name': 'p-2 p-3 p-1',
    }))
      expect([sorters, await found({ sorters })]).toEqual([sorters, ids]);
  });

  test('new violations belong to the identity of a static assignment, before the owner of the policy', async () => {
    const api = await openTestApi();
    await api.importRecords(WORLD);
    const assignment = (ownerRef: object, assignmentRule = 'STATIC') => ({ assignmentRule, ownerRef });
    const configs = {
      'p-2': assignment(person('i-bob')),
      'p-3': assignment(person('i-none')),
      'p-4': assignment({ type: 'GOVERNANCE_GROUP', id: 'i-bob' }),
      'p-5': assignment(person('i-bob'), 'MANAGER'),
    };
    for (const [id, violationOwnerAssignmentConfig] of Object.entries(configs))
      expect(
        (await api.call('POST', POLICIES, { body: { ...SOUND, id, violationOwnerAssignmentConfig } })).status,
      ).toBe(201);
    await openViolations(
      api.store,
      Object.keys(configs).map((policyId) => ({ policyId, identityId: 'i-hal' })),
    );
    const all = (await api.call('GET', '/violations/v1')).json as { policy: { id: string }; owner: { id: string } }[];
    expect(Object.fromEntries(all.map(({ policy, owner }) => [policy.id, owner.id]))).toEqual({
      'p-2': 'i-bob',
      'p-3': 'i-ada',
      'p-4': 'i-ada',
      'p-5': 'i-ada',
    });
  });

  test('the controls that a policy allows exist', async () => {
    const api = await openTestApi();
    await api.importRecords([...WORLD, CONTROL]);
    const policies = (method: string, path: string, body: object) => api.call(method, `${POLICIES}${path}`, { body });
    const missing = [400, '400.1.404', 'allowedControls[1].id: there is no control c-9'];
    const allowedControls = [{ type: 'COMPENSATING_CONTROL', id: 'c-1' }, { id: 'c-9' }];
    const body = { ...SOUND, id: 'p-2' };
    expect(refusalOf(await policies('POST', '', { ...body, allowedControls }))).toEqual(missing);
    expect((await policies('POST', '', body)).status).toBe(201);
    expect(refusalOf(await policies('PUT', '/p-2', { ...body, allowedControls }))).toEqual(missing);
    const allow = (value: unknown) => policies('PATCH', '/p-2', [{ op: 'add', path: '/allowedControls', value }]);
    expect(refusalOf(await allow(allowedControls))).toEqual(missing);
    expect((await allow([{ id: 'c-1', name: 'c-2' }])).status).toBe(200);

    const record = { ...WORLD.find(({ kind }) => kind === 'sodPolicy'), id: 'p-3', ownerRef: person('i-ada') };
    const imported = await api.importRecords([{ ...record, allowedControls }]);
    expect(refusalOf(imported)).toEqual([400, '400.1.404', 'line 1: allowedControls[1].id: there is no control c-9']);
    const both = [
      { ...record, allowedControls },
      { ...CONTROL, id: 'c-9' },
    ];
    expect((await api.importRecords(both)).status).toBe(200);

    // A control stays while a policy allows it.
    const remove = (...ids: readonly string[]) =>
      api.importRecords(ids.map((id) => ({ kind: id.startsWith('c') ? 'control' : 'sodPolicy', id, delete: true })));
    expect(refusalOf(await api.call('DELETE', '/controls/v1/c-9'))).toEqual([
      409,
      '409.1',
      'is allowed by the SOD policy p-3: change each policy that allows it first',
    ]);
    expect(refusalOf(await remove('c-1')).slice(0, 2)).toEqual([409, '409.1']);
    expect((await remove('c-9', 'p-3')).status).toBe(200);
    expect(refusalOf(await api.call('DELETE', '/controls/v1/c-1'))[0]).toBe(409);
    expect((await allow([{ id: 'c_1', name: 'c-1' }])).status).toBe(400);
    expect((await allow([{ name: 'c-1' }])).status).toBe(200);
    expect((await api.call('DELETE', '/controls/v1/c-1')).status).toBe(204);
  });

  test('an export has what is kept, and its import into an empty tenant gives the same export', async () => {
    const api = await openTestApi();
    await api.importRecords([...WORLD, CONTROL]);
    expect((await api.call('POST', POLICIES, { body: { ...SOUND, ...KEPT, id: 'p-2' } })).status).toBe(201);
    const exported = (await api.call('GET', '/access-model/v1/export')).text;
    expect(exported).toContain(JSON.stringify(KEPT.secondaryOwnerRefs));
    const other = await openTestApi();
    const lines = exported.trim().split('\n');
    expect((await other.importRecords(lines.map((line) => JSON.parse(line)))).status).toBe(200);
    expect((await other.call('GET', '/access-model/v1/export')).text).toBe(exported);
  });
});

test('lists are filtered, sorted, counted and paged as the SDK requests', async () => {
  const { call, list } = await openSdk();
  const { id } = (await call('POST', '', { body: { ...SAID, ...KEPT, ...SOUND } })).json;
  const both = await list({ limit: '250', offset: '0', count: 'true', sorters: '-name' });
  expect(both.json.map((policy: { id: string }) => policy.id)).toEqual(['p-1', id]);
  expect(both.headers.get('x-total-count')).toBe('2');
  const [one] = (await list({ filters: `id eq "${id}" and state in ("ENFORCED","NOT_ENFORCED")` })).json;
  expect(one.id).toBe(id);
  expect((await list({ limit: '250', offset: '250' })).json).toEqual([]);
});

test('a dry-run accepts its policies', async () => {
  const { api } = await openSdk();
  const answer = await api.call('POST', `${POLICIES}/dry-run`, { body: { add: [{ ...SAID, ...KEPT, ...SOUND }] } });
  expect(answer.status).toBe(202);
});

test.each<[string, object, readonly [number, string]]>([
  ['of a query', { ...SOUND, type: 'GENERAL', policyQuery: '@access(id:e-vendor)' }, [400, '400.1.3']],
  ['with a property that neither product has', { ...SOUND, ...KEPT, owner: 'i-ada' }, [400, '400.1']],
  [
    'with an unknown rule of owners',
    { ...SOUND, violationOwnerAssignmentConfig: { assignmentRule: 'X' } },
    [400, '400.1.3'],
  ],
  ['with more refs than are kept', { ...SOUND, allowedControls: Array(51).fill({ id: 'c' }) }, [400, '400.1.4']],
  ['with a ref that is no object', { ...SOUND, secondaryOwnerRefs: ['i-ada'] }, [400, '400.1.3']],
])('a policy %s is refused', async (_, body, refusal) => {
  const { call } = await openSdk();
  const answer = await call('POST', '', { body });
  expect([answer.status, answer.json.detailCode]).toEqual(refusal);
});

test('a dry-run of a changed policy without a level is about the level that it has', async () => {
  const { api } = await openSdk();
  const { id } = (await api.call('POST', POLICIES, { body: { ...SOUND, level: 'LOW' } })).json;
  const started = await api.call('POST', `${POLICIES}/dry-run`, { body: { change: [{ ...SOUND, id }] } });
  const changed: unknown[] = [];
  const key = { tenant: 'default', reportId: started.json.reportId, fence: 0 };
  for await (const { change } of api.store.reports.readDryRun(key)) changed.push(...change);
  expect(changed).toMatchObject([{ id, level: 'LOW' }]);
});
