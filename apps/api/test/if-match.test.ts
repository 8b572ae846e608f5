import { randomUUID } from 'node:crypto';
import { OPERATIONS, type OperationId } from '@access-admin/contract';
import { sample } from '@access-admin/test-depth';
import { describe, expect, test } from 'vitest';
import { bodyOf, fillPath, sampleIn } from './operation-calls.ts';
import { shareTestApi } from './share-test-api.ts';
import { WORLD } from './test-api.ts';

const EXPERIMENTAL = { 'x-service-experimental': 'true' };
const side = (id: string) => ({ name: null, criteriaList: [{ type: 'ENTITLEMENT', id }] });
const POLICY = {
  name: 'Another',
  conflictingAccessCriteria: { leftCriteria: side('e-vendor'), rightCriteria: side('e-report') },
};

const NOBODY = { type: 'IDENTITY', id: 'i-none' };

interface Refused {
  /** Are valid by themselves, but cannot be applied to the current state. */
  readonly inapplicable?: readonly unknown[];
  /** Refers to something that does not exist. */
  readonly dangling?: unknown;
}

/** What an operation refuses, beside a failed test of a patch. */
const REFUSED: Partial<Record<OperationId, Refused>> = {
  'patch-auth-user-v1': {
    inapplicable: [
      [{ op: 'add', path: '/capabilities/-', value: 'HELPDESK' }],
      [{ op: 'remove', path: '/capabilities/9' }],
      [{ op: 'replace', path: '/capabilities/7', value: 'CERT_ADMIN' }],
      [{ op: 'move', from: '/capabilities/7', path: '/capabilities/0' }],
      [{ op: 'copy', from: '/capabilities/0', path: '/capabilities/-' }],
    ],
  },
  'patch-profile-config-v1': {
    inapplicable: [
      [{ op: 'copy', from: '/applicationId', path: '/type' }],
      [{ op: 'move', from: '/offNetwork', path: '/applicationId' }],
      [{ op: 'remove', path: '/type' }],
    ],
  },
  'patch-auth-org-lockout-config-v1': {
    inapplicable: [
      [{ op: 'remove', path: '/maximumAttempts' }],
      [{ op: 'move', from: '/lockoutWindow', path: '/lockoutDuration' }],
    ],
  },
  'patch-auth-org-session-config-v1': {
    inapplicable: [
      [{ op: 'copy', from: '/maxSessionTime', path: '/maxIdleTime' }],
      [{ op: 'remove', path: '/rememberMe' }],
    ],
  },
  'patch-auth-org-network-config-v1': {
    inapplicable: [
      [{ op: 'remove', path: '/range/7' }],
      [{ op: 'add', path: '/geolocation/-', value: 'CH' }],
      [{ op: 'copy', from: '/whitelisted', path: '/range' }],
    ],
  },
  'patch-oauth-client-v1': {
    inapplicable: [
      [{ op: 'remove', path: '/scopes/9' }],
      [{ op: 'add', path: '/scopes/-', value: 'auth-users:read' }],
      [{ op: 'copy', from: '/scopes', path: '/name' }],
    ],
  },
  'patch-webhook-v1': {
    inapplicable: [
      [{ op: 'remove', path: '/types/4' }],
      [{ op: 'remove', path: '/name' }],
      [{ op: 'copy', from: '/types', path: '/name' }],
    ],
  },
  'put-source-v1': {
    dangling: { name: 'Renamed', identityProfileId: 'ip-none' },
  },
  'patch-source-v1': {
    inapplicable: [
      [{ op: 'remove', path: '/correlation/9' }],
      [{ op: 'remove', path: '/name' }],
      [{ op: 'copy', from: '/correlation', path: '/name' }],
    ],
    dangling: [{ op: 'replace', path: '/identityProfileId', value: 'ip-none' }],
  },
  'put-account-identity-v1': {
    dangling: { identityId: 'i-none' },
  },
  'put-control-v1': {
    dangling: { name: 'Third signature', expiration: '20d', owner: NOBODY },
  },
  'patch-control-v1': {
    inapplicable: [
      [{ op: 'remove', path: '/secondaryOwners/4' }],
      [{ op: 'remove', path: '/name' }],
      [{ op: 'copy', from: '/owner', path: '/name' }],
    ],
    dangling: [{ op: 'add', path: '/secondaryOwners/-', value: NOBODY }],
  },
  'put-sod-policy-v1': {
    dangling: { ...POLICY, ownerRef: NOBODY },
  },
  'patch-sod-policy-v1': {
    inapplicable: [
      [{ op: 'remove', path: '/tags/4' }],
      [{ op: 'remove', path: '/conflictingAccessCriteria/leftCriteria/criteriaList/0' }],
      [{ op: 'copy', from: '/description', path: '/name' }],
      [{ op: 'add', path: '/conflictingAccessCriteria/rightCriteria/criteriaList/7', value: null }],
    ],
    dangling: [{ op: 'replace', path: '/ownerRef', value: NOBODY }],
  },
  'patch-entitlement-v1': {
    inapplicable: [
      [{ op: 'remove', path: '/name' }],
      [{ op: 'remove', path: '/attributes/none' }],
      [{ op: 'copy', from: '/attributes', path: '/name' }],
    ],
  },
  'put-access-profile-v1': {
    dangling: { name: 'Renamed', entitlements: ['e-none'] },
  },
  'patch-access-profile-v1': {
    inapplicable: [[{ op: 'remove', path: '/entitlements' }], [{ op: 'remove', path: '/entitlements/4' }]],
    dangling: [{ op: 'add', path: '/entitlements/-', value: 'e-none' }],
  },
  'put-role-v1': {
    dangling: { name: 'Renamed', accessProfiles: ['ap-none'] },
  },
  'patch-role-v1': {
    inapplicable: [[{ op: 'remove', path: '/name' }], [{ op: 'copy', from: '/name', path: '/entitlements' }]],
    dangling: [{ op: 'add', path: '/accessProfiles/-', value: 'ap-none' }],
  },
  'patch-identity-profile-v1': {
    inapplicable: [[{ op: 'remove', path: '/name' }], [{ op: 'copy', from: '/authProfile', path: '/name' }]],
  },
  'put-identity-v1': {
    dangling: { uid: 'hal', identityProfile: 'ip-none' },
  },
  'patch-identity-v1': {
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
).map((operation) => {
  const valid = bodyOf(operation);
  const { inapplicable = [], dangling } = REFUSED[operation.id] ?? {};
  const isPatch = operation.body?.mediaType === 'application/json-patch+json';
  const path = isPatch && Array.isArray(valid) ? String(valid[0].path).replace(/\/(?:-|\d+)$/, '') : null;
  const failing = path === null ? [] : [{ op: 'test', path, value: 'another value' }];
  return { ...operation, valid, inapplicable, failing, dangling };
});

const BESIDE: readonly object[] = [
  { kind: 'source', id: 'erp', name: 'ERP' },
  { kind: 'account', source: 'erp', id: 'of nobody' },
];

const shared = {
  sqlite: shareTestApi(async (api) => api, 'sqlite'),
  postgres: shareTestApi(async (api) => api, 'postgres'),
};

/** A tenant of its own for each test. */
async function openWorld({ method, path, valid }: (typeof CHANGES)[number], engine: keyof typeof shared = 'sqlite') {
  const api = shared[engine]();
  const token = await api.clientToken({ tenant: `t-${randomUUID()}` });
  const call = (...[verb, to, options]: Parameters<typeof api.call>) => api.call(verb, to, { ...options, token });
  expect((await api.importRecords([...sampleIn(valid), ...WORLD, ...BESIDE], token)).status).toBe(200);
  const post = async (to: string, body: object) => (await call('POST', to, { body })).json.id;
  const control = await post('/controls/v1', { name: 'Second signature', expiration: '20d' });
  const client = await post('/oauth-clients/v1', { name: 'c', scopes: ['auth-users:read'] });
  const webhook = await post('/webhooks/v1', { name: 'w', url: 'https://example.com/', types: ['*'] });
  const [account] = (await call('GET', '/accounts/v1')).json;
  const target = fillPath(path, {
    'auth-users': 'i-cleo',
    'auth-profiles': 'ip-emp',
    'oauth-clients': client,
    webhooks: webhook,
    sources: 'erp',
    accounts: account.key,
    controls: control,
    'sod-policies': 'p-1',
    entitlements: 'e-report',
    'access-profiles': 'ap-vendor',
    roles: 'r-buyer',
    'identity-profiles': 'ip-emp',
    identities: 'i-hal',
  });
  const send = (body: unknown, ifMatch: string) =>
    call(method, target, { body, headers: { ...EXPERIMENTAL, 'if-match': ifMatch } });
  const read = async () => {
    // An account is read together with its identity.
    const { headers, text } = await call('GET', target.replace(/\/identity$/, ''), { headers: EXPERIMENTAL });
    return { etag: headers.get('etag') ?? '', text };
  };
  return { send, read };
}

describe.each(CHANGES)('$id', (change) => {
  const { valid, inapplicable, failing } = change;

  test('with an outdated If-Match is 412 and changes nothing, whether or not it could be applied', async () => {
    const { send, read } = await openWorld(change);
    const before = await read();
    expect((await send(valid, before.etag)).status).toBe(200);
    const after = await read();
    expect(after.etag).not.toBe(before.etag);
    for (const body of [valid, ...inapplicable]) {
      const { status, json } = await send(body, before.etag);
      expect([body, status, json.detailCode]).toEqual([body, 412, '412']);
    }
    for (const body of inapplicable) expect([body, (await send(body, after.etag)).status]).toEqual([body, 400]);
    // Conflicts come before If-Match.
    for (const etag of [before.etag, after.etag])
      if (failing.length > 0) expect((await send(failing, etag)).status).toBe(409);
    expect(await read()).toEqual(after);
  });

  test('takes the ETag as proxies weaken it that compress the answer', async () => {
    const { send, read } = await openWorld(change);
    const before = await read();
    expect((await send(valid, `"other", W/${before.etag}`)).status).toBe(200);
    expect((await send(valid, `W/${before.etag}`)).status).toBe(412);
    for (const wrong of [`w/${before.etag}`, `W/W/${(await read()).etag}`, 'W/', 'W/*'])
      expect([wrong, (await send(valid, wrong)).status]).toEqual([wrong, 412]);
  });

  test('of 20 racing requests with one ETag exactly one succeeds', () => race(change, 'sqlite'));
});

test.each(sample(CHANGES))('$id on postgres: of 20 racing requests with one ETag exactly one succeeds', (change) =>
  race(change, 'postgres'),
);

async function race(change: (typeof CHANGES)[number], engine: keyof typeof shared) {
  const { send, read } = await openWorld(change, engine);
  const { etag } = await read();
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(change.valid, etag)));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, ...Array(19).fill(412)]);
}

test.each(CHANGES.filter(({ dangling }) => dangling !== undefined))(
  '$id with an unknown reference is 400, also with an outdated If-Match',
  async (change) => {
    const { send, read } = await openWorld(change);
    const before = await read();
    expect((await send(change.valid, before.etag)).status).toBe(200);
    const after = await read();
    for (const etag of [before.etag, after.etag]) {
      const { status, json } = await send(change.dangling, etag);
      expect([status, json.detailCode]).toEqual([400, '400.1.404']);
    }
    expect(await read()).toEqual(after);
  },
);
