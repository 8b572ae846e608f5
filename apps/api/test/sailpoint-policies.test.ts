import { expect, test } from 'vitest';
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
// Properties that SailPoint has and this service does not keep.
const NOT_KEPT = {
  secondaryOwnerRefs: [person('i-bob')],
  violationOwnerAssignmentConfig: { assignmentRule: 'MANAGER', ownerRef: null },
  allowedControls: [{ type: 'COMPENSATING_CONTROL', id: 'c-1', name: 'Second signature' }],
  scheduled: true,
  policyQuery: '@access(id:e-vendor) AND @access(id:e-pay)',
  creatorId: 'i-ada',
  modifierId: null,
};

async function openSdk() {
  const api = await openTestApi();
  expect((await api.importRecords(WORLD)).status).toBe(200);
  const call = (method: string, path: string, options: TestCall = {}) =>
    api.call(method, `${POLICIES}${path}`, { ...options, headers: { ...HEADERS, ...options.headers } });
  const list = (query: Readonly<Record<string, string>>) => call('GET', `?${new URLSearchParams(query)}`);
  return { api, call, list };
}

test('a conflicting-access policy of SailPoint can be created, read, replaced and deleted', async () => {
  const { call } = await openSdk();
  const created = await call('POST', '', { body: { ...NOT_KEPT, ...SOUND } });
  expect(created.status).toBe(201);
  expect(created.json).toMatchObject({
    ...SOUND,
    level: 'HIGH',
    conflictingAccessCriteria: KEPT_CRITERIA,
    ownerRef: OWNER,
  });
  for (const name of Object.keys(NOT_KEPT)) expect(created.json).not.toHaveProperty(name);
  const { id } = created.json;
  const read = await call('GET', `/${id}`);
  expect([read.status, read.text]).toEqual([200, created.text]);
  const again = await call('PUT', `/${id}`, { body: { ...NOT_KEPT, ...read.json } });
  expect([again.status, again.text]).toEqual([200, created.text]);
  const match = { 'if-match': read.headers.get('etag') ?? '' };
  const relaxed = await call('PUT', `/${id}`, {
    body: { ...NOT_KEPT, ...read.json, state: 'NOT_ENFORCED' },
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

test('a patch of a property that is not kept is refused as a whole', async () => {
  const { call } = await openSdk();
  const rename = { op: 'replace', path: '/name', value: 'Renamed' };
  for (const [name, value] of Object.entries(NOT_KEPT)) {
    const refused = await call('PATCH', '/p-1', { body: [rename, { op: 'replace', path: `/${name}`, value }] });
    expect([name, refused.status, refused.json.detailCode]).toEqual([name, 400, '400.1.1']);
  }
  expect((await call('GET', '/p-1')).json.name).toBe('Vendor and payment');
  expect((await call('PATCH', '/p-1', { body: [rename] })).json.name).toBe('Renamed');
});

test('lists are filtered, sorted, counted and paged as the SDK requests', async () => {
  const { call, list } = await openSdk();
  const { id } = (await call('POST', '', { body: { ...NOT_KEPT, ...SOUND } })).json;
  const both = await list({ limit: '250', offset: '0', count: 'true', sorters: '-name' });
  expect(both.json.map((policy: { id: string }) => policy.id)).toEqual(['p-1', id]);
  expect(both.headers.get('x-total-count')).toBe('2');
  const [one] = (await list({ filters: `id eq "${id}" and state in ("ENFORCED","NOT_ENFORCED")` })).json;
  expect(one.id).toBe(id);
  expect((await list({ limit: '250', offset: '250' })).json).toEqual([]);
});

test('a dry-run accepts its policies', async () => {
  const { api } = await openSdk();
  const answer = await api.call('POST', `${POLICIES}/dry-run`, { body: { add: [{ ...NOT_KEPT, ...SOUND }] } });
  expect(answer.status).toBe(202);
});

test.each<[string, object, readonly [number, string]]>([
  ['of a query', { ...SOUND, type: 'GENERAL', policyQuery: '@access(id:e-vendor)' }, [400, '400.1.3']],
  ['with a property that neither product has', { ...SOUND, ...NOT_KEPT, owner: 'i-ada' }, [400, '400.1']],
])('a policy %s is refused', async (_, body, refusal) => {
  const { call } = await openSdk();
  const answer = await call('POST', '', { body });
  expect([answer.status, answer.json.detailCode]).toEqual(refusal);
});

test('an import refuses properties that are not kept', async () => {
  const { api } = await openSdk();
  const answer = await api.importRecords([{ kind: 'sodPolicy', id: 'p-2', ...SOUND, scheduled: true }]);
  expect([answer.status, answer.json.detailCode]).toEqual([400, '400.1']);
});
