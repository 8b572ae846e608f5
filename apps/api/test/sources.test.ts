import { expect, test } from 'vitest';
import { openTestApi } from './test-api.ts';

const MODEL = [
  { kind: 'entitlement', id: 'e-vendor', name: 'Create vendor' },
  { kind: 'entitlement', id: 'e-pay', name: 'Pay vendor' },
  { kind: 'identityProfile', id: 'ip', name: 'P' },
  { kind: 'identity', id: 'i-1', uid: 'ada', identityProfile: 'ip', access: [{ type: 'ENTITLEMENT', id: 'e-vendor' }] },
  {
    kind: 'sodPolicy',
    id: 'p-1',
    name: 'Vendor and payment',
    conflictingAccessCriteria: {
      leftCriteria: { name: 'create', criteriaList: [{ type: 'ENTITLEMENT', id: 'e-vendor' }] },
      rightCriteria: { name: 'pay', criteriaList: [{ type: 'ENTITLEMENT', id: 'e-pay' }] },
    },
  },
];
const ACCOUNT = {
  kind: 'account',
  source: 'erp',
  id: '47/11',
  name: 'ADA',
  access: [{ type: 'ENTITLEMENT', id: 'e-pay' }],
};

async function openWorld() {
  const api = await openTestApi();
  await api.importRecords(MODEL);
  const created = await api.call('POST', '/sources/v1', { body: { id: 'erp', name: 'ERP' } });
  return { api, created };
}

test('a source is created with its defaults, and shown so', async () => {
  const { api, created } = await openWorld();
  expect([created.status, created.json]).toMatchObject([
    201,
    {
      id: 'erp',
      description: null,
      authoritative: false,
      identityProfileId: null,
      correlation: [
        { account: 'name', identity: 'uid' },
        { account: 'email', identity: 'email' },
      ],
      ignoreDisabled: true,
      deleteThresholdPercent: 10,
      groups: 'ENTITLEMENT',
      lastLoad: null,
    },
  ]);
  expect((await api.call('GET', '/sources/v1/erp')).json).toEqual(created.json);
});

test.each([
  [{ name: 'x'.repeat(129) }, '400.1.2'],
  [{ name: 'x', deleteThresholdPercent: 101 }, '400.1.3'],
  [{ name: 'x\ny' }, '400.1.3'],
  [{ name: 'x', groups: 'GROUP' }, '400.1.3'],
  [{ name: 'x', correlation: [{ account: 'uid', identity: 'uid' }] }, '400.1.3'],
  [{ name: 'x', correlation: [{ account: 'attributes.', identity: 'uid' }] }, '400.1.3'],
  [{ name: 'x', correlation: Array.from({ length: 11 }, () => ({ account: 'id', identity: 'id' })) }, '400.1.4'],
  [{ name: 'x', identityProfileId: 'none' }, '400.1.404'],
  [{ name: 'x', other: 1 }, '400.1'],
  [{}, '400.1.0'],
])('the source %j is refused', async (body, detailCode) => {
  const { api } = await openWorld();
  expect((await api.call('POST', '/sources/v1', { body })).json).toMatchObject({ detailCode });
});

test('the identity of a patch cannot be changed, and a patch of an outdated state is refused', async () => {
  const { api } = await openWorld();
  const patch = (path: string, headers = {}) =>
    api.call('PATCH', '/sources/v1/erp', { body: [{ op: 'replace', path, value: 'x' }], headers });
  expect((await patch('/id')).json).toMatchObject({ detailCode: '400.1.1' });
  expect((await patch('/lastLoad')).json).toMatchObject({ detailCode: '400.1.1' });
  expect((await patch('/name', { 'if-match': '"old"' })).status).toBe(412);
  expect((await patch('/name')).json).toMatchObject({ name: 'x' });
});

test('what an account grants counts for its identity, is shown with it, and touches its record not', async () => {
  const { api } = await openWorld();
  const predict = { identityId: 'i-1', accessRefs: [] };
  await api.importRecords([ACCOUNT]);
  const [account] = (await api.call('GET', '/accounts/v1')).json;
  expect(account).toMatchObject({ id: '47/11', identityId: 'i-1', correlation: 'RULE', candidates: [] });
  const shown = await api.call('GET', '/identities/v1/i-1');
  expect(shown.json.assignments).toEqual([
    { type: 'ENTITLEMENT', id: 'e-vendor', name: 'Create vendor', start: null, end: null },
    {
      type: 'ENTITLEMENT',
      id: 'e-pay',
      name: 'Pay vendor',
      start: null,
      end: null,
      source: 'erp',
      accountKey: account.key,
    },
  ]);
  // Both sides are held already: requesting one again causes nothing.
  const again = { ...predict, accessRefs: [{ type: 'ENTITLEMENT', id: 'e-pay' }] };
  expect((await api.call('POST', '/sod-violations/v1/predict', { body: again })).json.violationContexts).toEqual([]);
  const removed = await api.call('PATCH', '/identities/v1/i-1', {
    body: [{ op: 'replace', path: '/access', value: [] }],
    headers: { 'if-match': shown.headers.get('etag') ?? '' },
  });
  expect([removed.status, removed.json.assignments?.length ?? removed.json.access]).toEqual([200, 1]);
  expect((await api.call('GET', '/entitlements/v1/e-pay/holders')).json).toHaveLength(1);
  expect((await api.call('GET', '/entitlements/v1/e-vendor/holders')).json).toEqual([]);
});

test('accounts are found by their source, identity, link, name and state', async () => {
  const { api } = await openWorld();
  await api.importRecords([
    ACCOUNT,
    { kind: 'source', id: 'ad', name: 'AD' },
    { kind: 'account', source: 'ad', id: 'b', disabled: true },
  ]);
  const idsOf = async (filters: string) => {
    const answer = await api.call('GET', `/accounts/v1?filters=${encodeURIComponent(filters)}`);
    return answer.status === 200 ? answer.json.map(({ id }: { id: string }) => id) : answer.json.detailCode;
  };
  expect(await idsOf('source eq "erp"')).toEqual(['47/11']);
  expect(await idsOf('source in ("ad", "x")')).toEqual(['b']);
  expect(await idsOf('identityId eq "i-1"')).toEqual(['47/11']);
  expect(await idsOf('identityId eq null')).toEqual(['b']);
  expect(await idsOf('correlation eq "NONE"')).toEqual(['b']);
  expect(await idsOf('correlation in ("RULE", "MANUAL")')).toEqual(['47/11']);
  expect(await idsOf('name sw "AD" and disabled eq "false"')).toEqual(['47/11']);
  expect(await idsOf('disabled eq "true"')).toEqual(['b']);
  expect(await idsOf('identityId eq none')).toBe('400.1.3');
  expect(await idsOf('source eq null')).toBe('400.1.3');
});

test('an account is linked by hand, and keeps that until a record says otherwise', async () => {
  const { api } = await openWorld();
  await api.importRecords([ACCOUNT]);
  const [{ key }] = (await api.call('GET', '/accounts/v1')).json;
  const link = (body: unknown) => api.call('PUT', `/accounts/v1/${key}/identity`, { body });
  expect((await link({ identityId: null })).json).toMatchObject({ correlation: 'MANUAL', identityId: null });
  expect((await link({})).json).toMatchObject({ detailCode: '400.1.0' });
  expect((await link({ identityId: 'x' })).json).toMatchObject({ detailCode: '400.1.404' });
  await api.importRecords([{ ...ACCOUNT, name: 'ada' }]);
  const read = async () => (await api.call('GET', `/accounts/v1/${key}`)).json;
  expect(await read()).toMatchObject({ name: 'ada', correlation: 'MANUAL', identityId: null });
  await api.importRecords([{ ...ACCOUNT, correlation: 'RULE' }]);
  expect(await read()).toMatchObject({ correlation: 'RULE', identityId: 'i-1' });
  await api.importRecords([{ ...ACCOUNT, identityId: 'i-1' }]);
  expect(await read()).toMatchObject({ correlation: 'MANUAL', identityId: 'i-1' });
  expect((await api.call('GET', '/accounts/v1/none')).status).toBe(404);
});

test('an export of sources and accounts is imported as it is', async () => {
  const { api } = await openWorld();
  await api.importRecords([ACCOUNT]);
  const exported = (await api.call('GET', '/access-model/v1/export')).text;
  expect(exported.split('\n').filter((line) => line.includes('"kind":"account"'))).toHaveLength(1);
  const again = await api.call('POST', '/access-model/v1/import', {
    body: exported,
    headers: { 'content-type': 'application/x-ndjson' },
  });
  expect([again.status, again.json.counts.account, again.json.counts.source]).toEqual([
    200,
    { created: 0, updated: 0, deleted: 0, unchanged: 1 },
    { created: 0, updated: 0, deleted: 0, unchanged: 1 },
  ]);
  await api.importRecords([{ kind: 'account', source: 'erp', id: '47/11', delete: true }]);
  expect((await api.call('GET', '/accounts/v1')).json).toEqual([]);
});

test('a deleted source takes what its accounts grant with it', async () => {
  const { api } = await openWorld();
  await api.importRecords([ACCOUNT]);
  expect((await api.call('DELETE', '/sources/v1/erp')).status).toBe(204);
  expect((await api.call('GET', '/entitlements/v1/e-pay/holders')).json).toEqual([]);
  expect((await api.call('GET', '/accounts/v1')).json).toEqual([]);
});

test('a path from an account begins with it, after those of the identity itself that are as long', async () => {
  const { api } = await openWorld();
  await api.importRecords([
    { kind: 'accessProfile', id: 'ap', name: 'Payer', entitlements: ['e-pay'] },
    { kind: 'role', id: 'r', name: 'Clerk', accessProfiles: ['ap'] },
    {
      kind: 'identity',
      id: 'i-1',
      uid: 'ada',
      identityProfile: 'ip',
      access: ['e-pay', 'ap'].map((id) => ({ type: id === 'ap' ? 'ACCESS_PROFILE' : 'ENTITLEMENT', id })),
    },
    { ...ACCOUNT, access: [...ACCOUNT.access, { type: 'ROLE', id: 'r' }] },
  ]);
  const [{ key: id }] = (await api.call('GET', '/accounts/v1')).json;
  const body = { identityId: 'i-1', accessRefs: [{ type: 'ENTITLEMENT', id: 'e-vendor' }] };
  const { json } = await api.call('POST', '/sod-violations/v1/predict?include=via,remediation', { body });
  // The whole request is clean once nothing pays any more: what accounts grant, their sources have to revoke.
  expect(json.remediation.revoke.assignments).toEqual([
    { type: 'ACCESS_PROFILE', id: 'ap' },
    { type: 'ENTITLEMENT', id: 'e-pay', sources: ['erp'] },
    { type: 'ROLE', id: 'r', sources: ['erp'] },
  ]);
  const [context] = json.violationContexts;
  const account = { type: 'ACCOUNT', id, name: 'ADA', source: 'erp' };
  const profile = { type: 'ACCESS_PROFILE', id: 'ap', name: 'Payer' };
  const paths = [[], [account], [profile], [account, { type: 'ROLE', id: 'r', name: 'Clerk' }, profile]];
  expect(
    context.conflictingAccessCriteria.rightCriteria.criteriaList[0].via.map(({ path }: { path: unknown }) => path),
  ).toEqual(paths.toSorted((a, b) => a.length - b.length || ((a[0]?.id ?? '') < (b[0]?.id ?? '') ? -1 : 1)));
});

test('a source that becomes authoritative names the accounts of which it makes no identity', async () => {
  const { api } = await openWorld();
  await api.call('PATCH', '/sources/v1/erp', { body: [{ op: 'replace', path: '/correlation', value: [] }] });
  await api.importRecords([ACCOUNT, { ...ACCOUNT, id: '48', name: 'new', access: [] }]);
  await api.call('PATCH', '/sources/v1/erp', { body: [{ op: 'replace', path: '/authoritative', value: true }] });
  const filters = encodeURIComponent('resourceType eq "SOURCE" and resourceId eq "erp"');
  const event = (await api.call('GET', `/audit-events/v1?filters=${filters}`)).json.at(-1);
  const fault = 'cannot make an identity: the identity i-1 has its name as uid already';
  expect(event.changes).toEqual([
    { field: 'authoritative', before: false, after: true },
    { field: 'accountsWithoutIdentity', before: null, after: { count: 1, first: [{ account: '47/11', fault }] } },
  ]);
});
