import { OPERATIONS } from '@access-admin/contract';
import { describe, expect, test } from 'vitest';
import { openTestApi, WORLD } from './test-api.ts';

const EXPERIMENTAL = { 'x-service-experimental': 'true' };
const side = (id: string) => ({ name: null, criteriaList: [{ type: 'ENTITLEMENT', id }] });
const POLICY = {
  name: 'Another',
  conflictingAccessCriteria: { leftCriteria: side('e-vendor'), rightCriteria: side('e-report') },
};

const NOBODY = { type: 'IDENTITY', id: 'i-none' };

interface Case {
  /** `{client}`, `{webhook}` and `{account}` stand for the ids of one. */
  readonly path: string;
  /** Can be applied to the current state. */
  readonly valid: unknown;
  /** Are valid by themselves, but cannot be applied to the current state. */
  readonly inapplicable: readonly unknown[];
  /** Refers to something that does not exist. */
  readonly dangling?: unknown;
}

/** By method and path of the operation. */
const CASES: Readonly<Record<string, Case>> = {
  'PATCH /auth-users/v1/{id}': {
    path: '/auth-users/v1/i-hal',
    valid: [{ op: 'add', path: '/capabilities/-', value: 'CERT_ADMIN' }],
    inapplicable: [
      [{ op: 'add', path: '/capabilities/-', value: 'HELPDESK' }],
      [{ op: 'remove', path: '/capabilities/9' }],
      [{ op: 'replace', path: '/capabilities/7', value: 'CERT_ADMIN' }],
      [{ op: 'move', from: '/capabilities/7', path: '/capabilities/0' }],
      [{ op: 'copy', from: '/capabilities/0', path: '/capabilities/-' }],
    ],
  },
  'PATCH /auth-profiles/v1/{id}': {
    path: '/auth-profiles/v1/ip-emp',
    valid: [{ op: 'replace', path: '/type', value: 'MFA' }],
    inapplicable: [
      [{ op: 'copy', from: '/applicationId', path: '/type' }],
      [{ op: 'move', from: '/offNetwork', path: '/applicationId' }],
      [{ op: 'remove', path: '/type' }],
    ],
  },
  'PATCH /auth-org/v1/lockout-config': {
    path: '/auth-org/v1/lockout-config',
    valid: [{ op: 'replace', path: '/maximumAttempts', value: 3 }],
    inapplicable: [
      [{ op: 'remove', path: '/maximumAttempts' }],
      [{ op: 'move', from: '/lockoutWindow', path: '/lockoutDuration' }],
    ],
  },
  'PATCH /auth-org/v1/session-config': {
    path: '/auth-org/v1/session-config',
    valid: [{ op: 'replace', path: '/rememberMe', value: true }],
    inapplicable: [
      [{ op: 'copy', from: '/maxSessionTime', path: '/maxIdleTime' }],
      [{ op: 'remove', path: '/rememberMe' }],
    ],
  },
  'PATCH /auth-org/v1/network-config': {
    path: '/auth-org/v1/network-config',
    valid: [{ op: 'replace', path: '/range', value: ['10.0.0.0/8'] }],
    inapplicable: [
      [{ op: 'remove', path: '/range/7' }],
      [{ op: 'add', path: '/geolocation/-', value: 'CH' }],
      [{ op: 'copy', from: '/whitelisted', path: '/range' }],
    ],
  },
  'PATCH /oauth-clients/v1/{id}': {
    path: '/oauth-clients/v1/{client}',
    valid: [{ op: 'replace', path: '/name', value: 'Renamed' }],
    inapplicable: [
      [{ op: 'remove', path: '/scopes/9' }],
      [{ op: 'add', path: '/scopes/-', value: 'auth-users:read' }],
      [{ op: 'copy', from: '/scopes', path: '/name' }],
    ],
  },
  'PUT /branding/v1/tenant': { path: '/branding/v1/tenant', valid: { title: 'Example' }, inapplicable: [] },
  'PUT /ui-metadata/v1/tenant': { path: '/ui-metadata/v1/tenant', valid: { usernameLabel: 'Name' }, inapplicable: [] },
  'PATCH /webhooks/v1/{id}': {
    path: '/webhooks/v1/{webhook}',
    valid: [{ op: 'replace', path: '/name', value: 'Renamed' }],
    inapplicable: [
      [{ op: 'remove', path: '/types/4' }],
      [{ op: 'remove', path: '/name' }],
      [{ op: 'copy', from: '/types', path: '/name' }],
    ],
  },
  'PUT /sources/v1/{id}': {
    path: '/sources/v1/erp',
    valid: { name: 'Renamed' },
    inapplicable: [],
    dangling: { name: 'Renamed', identityProfileId: 'ip-none' },
  },
  'PATCH /sources/v1/{id}': {
    path: '/sources/v1/erp',
    valid: [{ op: 'remove', path: '/correlation/0' }],
    inapplicable: [
      [{ op: 'remove', path: '/correlation/9' }],
      [{ op: 'remove', path: '/name' }],
      [{ op: 'copy', from: '/correlation', path: '/name' }],
    ],
    dangling: [{ op: 'replace', path: '/identityProfileId', value: 'ip-none' }],
  },
  'PUT /accounts/v1/{key}/identity': {
    path: '/accounts/v1/{account}/identity',
    valid: { identityId: 'i-hal' },
    inapplicable: [],
    dangling: { identityId: 'i-none' },
  },
  'PUT /controls/v1/{id}': {
    path: '/controls/v1/c-1',
    valid: { name: 'Third signature', expiration: '20d' },
    inapplicable: [],
    dangling: { name: 'Third signature', expiration: '20d', owner: NOBODY },
  },
  'PATCH /controls/v1/{id}': {
    path: '/controls/v1/c-1',
    valid: [{ op: 'replace', path: '/expiration', value: '48h' }],
    inapplicable: [
      [{ op: 'remove', path: '/secondaryOwners/4' }],
      [{ op: 'remove', path: '/name' }],
      [{ op: 'copy', from: '/owner', path: '/name' }],
    ],
    dangling: [{ op: 'add', path: '/secondaryOwners/-', value: NOBODY }],
  },
  'PUT /sod-policies/v1/{id}': {
    path: '/sod-policies/v1/p-1',
    valid: POLICY,
    inapplicable: [],
    dangling: { ...POLICY, ownerRef: NOBODY },
  },
  'PATCH /sod-policies/v1/{id}': {
    path: '/sod-policies/v1/p-1',
    valid: [{ op: 'replace', path: '/level', value: 'LOW' }],
    inapplicable: [
      [{ op: 'remove', path: '/tags/4' }],
      [{ op: 'remove', path: '/conflictingAccessCriteria/leftCriteria/criteriaList/0' }],
      [{ op: 'copy', from: '/description', path: '/name' }],
      [{ op: 'add', path: '/conflictingAccessCriteria/rightCriteria/criteriaList/7', value: null }],
    ],
    dangling: [{ op: 'replace', path: '/ownerRef', value: NOBODY }],
  },
  'PUT /entitlements/v1/{id}': { path: '/entitlements/v1/e-report', valid: { name: 'Renamed' }, inapplicable: [] },
  'PATCH /entitlements/v1/{id}': {
    path: '/entitlements/v1/e-report',
    valid: [{ op: 'replace', path: '/name', value: 'Renamed' }],
    inapplicable: [
      [{ op: 'remove', path: '/name' }],
      [{ op: 'remove', path: '/attributes/none' }],
      [{ op: 'copy', from: '/attributes', path: '/name' }],
    ],
  },
  'PUT /access-profiles/v1/{id}': {
    path: '/access-profiles/v1/ap-vendor',
    valid: { name: 'Renamed', entitlements: [] },
    inapplicable: [],
    dangling: { name: 'Renamed', entitlements: ['e-none'] },
  },
  'PATCH /access-profiles/v1/{id}': {
    path: '/access-profiles/v1/ap-vendor',
    valid: [{ op: 'remove', path: '/entitlements/0' }],
    inapplicable: [[{ op: 'remove', path: '/entitlements' }], [{ op: 'remove', path: '/entitlements/4' }]],
    dangling: [{ op: 'add', path: '/entitlements/-', value: 'e-none' }],
  },
  'PUT /roles/v1/{id}': {
    path: '/roles/v1/r-buyer',
    valid: { name: 'Renamed' },
    inapplicable: [],
    dangling: { name: 'Renamed', accessProfiles: ['ap-none'] },
  },
  'PATCH /roles/v1/{id}': {
    path: '/roles/v1/r-buyer',
    valid: [{ op: 'replace', path: '/accessProfiles', value: [] }],
    inapplicable: [[{ op: 'remove', path: '/name' }], [{ op: 'copy', from: '/name', path: '/entitlements' }]],
    dangling: [{ op: 'add', path: '/accessProfiles/-', value: 'ap-none' }],
  },
  'PUT /identity-profiles/v1/{id}': {
    path: '/identity-profiles/v1/ip-emp',
    valid: { name: 'Renamed' },
    inapplicable: [],
  },
  'PATCH /identity-profiles/v1/{id}': {
    path: '/identity-profiles/v1/ip-emp',
    valid: [{ op: 'replace', path: '/authProfile/type', value: 'MFA' }],
    inapplicable: [[{ op: 'remove', path: '/name' }], [{ op: 'copy', from: '/authProfile', path: '/name' }]],
  },
  'PUT /identities/v1/{id}': {
    path: '/identities/v1/i-hal',
    valid: { uid: 'hal', identityProfile: 'ip-emp', email: 'hal@example.com' },
    inapplicable: [],
    dangling: { uid: 'hal', identityProfile: 'ip-none' },
  },
  'PATCH /identities/v1/{id}': {
    path: '/identities/v1/i-hal',
    valid: [{ op: 'replace', path: '/email', value: 'hal@example.com' }],
    inapplicable: [
      [{ op: 'remove', path: '/access/4' }],
      [{ op: 'remove', path: '/uid' }],
      [{ op: 'copy', from: '/capabilities', path: '/uid' }],
    ],
    dangling: [{ op: 'add', path: '/access/-', value: { type: 'ROLE', id: 'r-none' } }],
  },
};

/** A part of a load cannot be read, so it has no ETag. */
const CHANGES = OPERATIONS.filter(
  ({ id, method }) => (method === 'PATCH' || method === 'PUT') && id !== 'put-source-load-part-v1',
);

async function openWorld(engine?: 'sqlite' | 'postgres') {
  const { call, importRecords } = await openTestApi({}, engine);
  const records = [
    ...WORLD,
    { kind: 'source', id: 'erp', name: 'ERP' },
    { kind: 'account', source: 'erp', id: 'of nobody' },
  ];
  expect((await importRecords(records)).status).toBe(200);
  const control = { id: 'c-1', name: 'Second signature', expiration: '20d' };
  expect((await call('POST', '/controls/v1', { body: control })).status).toBe(201);
  const created = await call('POST', '/oauth-clients/v1', { body: { name: 'c', scopes: ['auth-users:read'] } });
  const hook = { name: 'w', url: 'https://example.com/', types: ['*'] };
  const webhook = await call('POST', '/webhooks/v1', { body: hook });
  const [account] = (await call('GET', '/accounts/v1')).json;
  const target = (path: string) =>
    path.replace('{client}', created.json.id).replace('{webhook}', webhook.json.id).replace('{account}', account.key);
  const send = (method: string, path: string, body: unknown, ifMatch: string | null) =>
    call(method, target(path), {
      body,
      headers: { ...EXPERIMENTAL, ...(ifMatch === null ? {} : { 'if-match': ifMatch }) },
    });
  const read = async (path: string) => {
    // An account is read together with its identity.
    const { headers, text } = await call('GET', target(path.replace(/\/identity$/, '')), { headers: EXPERIMENTAL });
    return { etag: headers.get('etag') ?? '', text };
  };
  return { send, read };
}

test('every PATCH and PUT of what can be read honours If-Match', () => {
  expect(CHANGES.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(Object.keys(CASES).sort());
});

describe.each(Object.entries(CASES))('%s', (operation, { path, valid, inapplicable }) => {
  const [method = ''] = operation.split(' ');

  test('with an outdated If-Match is 412 and changes nothing, whether or not it could be applied', async () => {
    const { send, read } = await openWorld();
    const before = await read(path);
    expect((await send(method, path, valid, before.etag)).status).toBe(200);
    const after = await read(path);
    expect(after.etag).not.toBe(before.etag);
    for (const body of [valid, ...inapplicable]) {
      const { status, json } = await send(method, path, body, before.etag);
      expect([body, status, json.detailCode]).toEqual([body, 412, '412']);
    }
    for (const body of inapplicable)
      expect([body, (await send(method, path, body, after.etag)).status]).toEqual([body, 400]);
    expect(await read(path)).toEqual(after);
  });

  test('takes the ETag as proxies weaken it that compress the answer', async () => {
    const { send, read } = await openWorld();
    const before = await read(path);
    expect((await send(method, path, valid, `"other", W/${before.etag}`)).status).toBe(200);
    expect((await send(method, path, valid, `W/${before.etag}`)).status).toBe(412);
    for (const wrong of [`w/${before.etag}`, `W/W/${(await read(path)).etag}`, 'W/', 'W/*'])
      expect([wrong, (await send(method, path, valid, wrong)).status]).toEqual([wrong, 412]);
  });

  test.each(['sqlite', 'postgres'] as const)(
    'of 20 racing requests with one ETag exactly one succeeds on %s',
    async (engine) => {
      const { send, read } = await openWorld(engine);
      const { etag } = await read(path);
      const answers = await Promise.all(Array.from({ length: 20 }, () => send(method, path, valid, etag)));
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([200, ...Array(19).fill(412)]);
    },
  );
});

test.each(Object.entries(CASES).filter(([, { dangling }]) => dangling !== undefined))(
  '%s with an unknown reference is 400, also with an outdated If-Match',
  async (operation, { path, valid, dangling }) => {
    const [method = ''] = operation.split(' ');
    const { send, read } = await openWorld();
    const before = await read(path);
    expect((await send(method, path, valid, before.etag)).status).toBe(200);
    const after = await read(path);
    for (const etag of [before.etag, after.etag]) {
      const { status, json } = await send(method, path, dangling, etag);
      expect([status, json.detailCode]).toEqual([400, '400.1.404']);
    }
    expect(await read(path)).toEqual(after);
  },
);
