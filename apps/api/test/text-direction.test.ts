import { completeShown } from '@access-admin/domain';
import { expect, test } from 'vitest';
import { openTestApi, WORLD } from './test-api.ts';

const EVIL = 'Payroll\u202egnp.exe';
const EXPERIMENTAL = { 'x-service-experimental': 'true' };
const side = (id: string, name: string | null = null) => ({ name, criteriaList: [{ type: 'ENTITLEMENT', id }] });
const POLICY = {
  name: 'Vendor and payment',
  conflictingAccessCriteria: { leftCriteria: side('e-vendor'), rightCriteria: side('e-pay') },
};
const IDENTITY = { kind: 'identity', id: 'i-new', uid: 'new', identityProfile: 'ip-emp' };

/** Every place in which an import takes a name or text, by the place that the refusal names. */
const RECORDS: readonly (readonly [place: string, record: object])[] = [
  ['name', { kind: 'entitlement', id: 'e-x', name: EVIL }],
  ['source', { kind: 'entitlement', id: 'e-x', name: 'x', source: EVIL }],
  ['name', { kind: 'accessProfile', id: 'ap-x', name: EVIL, entitlements: [] }],
  ['name', { kind: 'role', id: 'r-x', name: EVIL }],
  ['name', { kind: 'identityProfile', id: 'ip-x', name: EVIL }],
  [
    'authProfile.applicationName',
    { kind: 'identityProfile', id: 'ip-x', name: 'x', authProfile: { applicationName: EVIL } },
  ],
  ...['uid', 'displayName', 'alias', 'firstname', 'lastname', 'email', 'phone', 'identificationNumber'].map(
    (field) => [field, { ...IDENTITY, [field]: EVIL }] as const,
  ),
  ...['name', 'description', 'externalPolicyReference', 'compensatingControls', 'correctionAdvice'].map(
    (field) => [field, { kind: 'sodPolicy', id: 'p-x', ...POLICY, [field]: EVIL }] as const,
  ),
  ['tags[0]', { kind: 'sodPolicy', id: 'p-x', ...POLICY, tags: [EVIL] }],
  ['usernameLabel', { kind: 'uiMetadata', id: 'tenant', usernameLabel: EVIL }],
];

test('names and texts that change the direction of text are refused wherever they are given', async () => {
  const { call, importRecords, clientToken } = await openTestApi();
  await importRecords(WORLD);
  const refusals = new Map<string, Awaited<ReturnType<typeof call>>>();
  for (const [place, record] of RECORDS)
    refusals.set(`${place}: ${JSON.stringify(record)}`, await importRecords([record]));
  const criteria = { leftCriteria: side('e-vendor', EVIL), rightCriteria: side('e-pay') };
  refusals.set('name: new policy', await call('POST', '/sod-policies/v1', { body: { ...POLICY, name: EVIL } }));
  refusals.set(
    'conflictingAccessCriteria.leftCriteria.name: new policy',
    await call('POST', '/sod-policies/v1', { body: { ...POLICY, conflictingAccessCriteria: criteria } }),
  );
  refusals.set('name: policy', await call('PUT', '/sod-policies/v1/p-1', { body: { ...POLICY, name: EVIL } }));
  const rename = [{ op: 'replace', path: '/name', value: EVIL }];
  refusals.set('name: patch', await call('PATCH', '/sod-policies/v1/p-1', { body: rename }));
  refusals.set(
    'add[0].name: dry-run',
    await call('POST', '/sod-policies/v1/dry-run', { body: { add: [{ ...POLICY, name: EVIL }] } }),
  );
  for (const field of ['applicationName', 'applicationId']) {
    const body = [{ op: 'replace', path: `/${field}`, value: EVIL }];
    refusals.set(
      `${field}: auth profile`,
      await call('PATCH', '/auth-profiles/v1/ip-emp', { headers: EXPERIMENTAL, body }),
    );
  }
  refusals.set(
    'usernameEmptyText: UI',
    await call('PUT', '/ui-metadata/v1/tenant', { headers: EXPERIMENTAL, body: { usernameEmptyText: EVIL } }),
  );
  const client = { name: EVIL, scopes: ['auth-users:read'] };
  refusals.set('name: client', await call('POST', '/oauth-clients/v1', { body: client }));
  const asked = {
    policyId: 'p-1',
    identityId: 'i-cleo',
    justification: EVIL,
    start: '2026-11-21T00:00:00Z',
    end: '2026-12-21T00:00:00Z',
  };
  const token = await clientToken({ identityId: 'i-ada' });
  refusals.set('justification: exception', await call('POST', '/sod-exceptions/v1', { token, body: asked }));

  for (const [place, { status, json }] of refusals) {
    expect([place, status, json.detailCode]).toEqual([place, 400, '400.1.3']);
    expect(json.causes[0].text).toContain(`${place.split(': ')[0]}: must not contain U+202E`);
  }
});

test('a stored name stays readable, and is replaced before the policy is changed', async () => {
  const { call, importRecords, store, send, rootToken } = await openTestApi();
  await importRecords(WORLD);
  const policy = await store.policies.find('default', 'p-1');
  if (policy === null) throw new Error('no policy');
  const auditContext = {
    tenant: 'default',
    actor: { clientId: 'root', identityId: null },
    operation: 'create-sod-policy-v1',
    time: '2026-11-21T09:30:00.000Z',
    trackingId: '0'.repeat(32),
  };
  await store.policies.create(auditContext, { ...completeShown(policy), id: 'p-old', name: EVIL });
  const path = '/sod-policies/v1/p-old';
  expect((await call('GET', path)).json.name).toBe(EVIL);
  expect((await call('GET', '/sod-policies/v1')).text).toContain(EVIL);
  const headers = { authorization: `Bearer ${await rootToken()}` };
  expect(await (await send('/access-model/v1/export', { headers })).text()).toContain(EVIL);
  const level = { op: 'replace', path: '/level', value: 'LOW' };
  expect((await call('PATCH', path, { body: [level] })).json.causes[0].text).toMatch(/^name: must not contain U\+202E/);
  expect((await call('PATCH', path, { body: [level, { op: 'replace', path: '/name', value: 'x' }] })).status).toBe(200);
  expect((await call('DELETE', '/sod-policies/v1/p-1')).status).toBe(204);
});
