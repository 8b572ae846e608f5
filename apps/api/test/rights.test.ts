import { OPERATIONS, type Operation, type OperationId } from '@access-admin/contract';
import { SCOPES } from '@access-admin/domain';
import { beforeEach, describe, expect, test } from 'vitest';
import { openViolations } from './open-violations.ts';
import { bodyOf } from './operation-calls.ts';
import { openTestApi, type TestAnswer, type TestApi, WORLD } from './test-api.ts';
import { openSession } from './test-session.ts';

const OTHER = 'other-tenant';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const CRITERIA = {
  leftCriteria: { name: 'left', criteriaList: [{ type: 'ENTITLEMENT', id: 'e-vendor' }] },
  rightCriteria: { name: 'right', criteriaList: [{ type: 'ENTITLEMENT', id: 'e-pay' }] },
};
const FOREIGN_WORLD = [
  { kind: 'entitlement', id: 'e-vendor', name: 'of the other tenant' },
  { kind: 'entitlement', id: 'e-pay', name: 'of the other tenant' },
  { kind: 'entitlement', id: 'e-foreign', name: 'of the other tenant' },
  { kind: 'accessProfile', id: 'ap-foreign', name: 'of the other tenant', entitlements: ['e-foreign'] },
  { kind: 'role', id: 'r-foreign', name: 'of the other tenant' },
  { kind: 'sodPolicy', id: 'p-foreign', name: 'of the other tenant', conflictingAccessCriteria: CRITERIA },
  { kind: 'identityProfile', id: 'ip-foreign', name: 'of the other tenant' },
  { kind: 'identity', id: 'i-foreign', uid: 'foreign', identityProfile: 'ip-foreign' },
  { kind: 'source', id: 's-foreign', name: 'of the other tenant' },
  { kind: 'account', source: 's-foreign', id: 'foreign' },
];

let api: TestApi;
let foreignToken: string;
let asIdentity: string;
/** An id of the other tenant, by the first segment of the paths that contain it. */
let foreignIds: Readonly<Record<string, string>>;

beforeEach(async () => {
  api = await openTestApi();
  await api.importRecords(WORLD);
  foreignToken = await api.clientToken({ tenant: OTHER });
  await api.importRecords(FOREIGN_WORLD, foreignToken);
  const check = await api.call('POST', '/sod-violations/v1/check', {
    token: foreignToken,
    body: { identityId: 'i-foreign', accessRefs: [] },
  });
  const clients = await api.call('GET', '/oauth-clients/v1', { token: foreignToken });
  const report = await api.call('POST', '/sod-violations/v1/scan', { token: foreignToken, body: {} });
  const webhook = await api.call('POST', '/webhooks/v1', {
    token: foreignToken,
    body: { name: 'foreign', url: 'https://example.com/', types: ['*'] },
  });
  const control = await api.call('POST', '/controls/v1', {
    token: foreignToken,
    body: { name: 'foreign', expiration: '20d' },
  });
  const reservation = await api.call('POST', '/sod-reservations/v1', {
    token: foreignToken,
    body: { identityId: 'i-foreign', accessRefs: [{ type: 'ENTITLEMENT', id: 'e-foreign' }] },
  });
  const accounts = await api.call('GET', '/accounts/v1', { token: foreignToken });
  // Only clients that act as an identity may use exceptions.
  asIdentity = await api.clientToken({ identityId: 'i-ada' });
  const exceptionId = await askForException();
  const [violationId = ''] = await openViolations(api.store, [{ policyId: 'p-foreign', identityId: 'i-foreign' }], {
    tenant: OTHER,
  });
  foreignIds = {
    'sod-reports': report.json.reportId,
    'auth-users': 'i-foreign',
    'auth-profiles': 'ip-foreign',
    'sod-violations': check.json.requestId,
    'oauth-clients': clients.json[0].id,
    'sod-policies': 'p-foreign',
    'sod-exceptions': exceptionId,
    'sod-reservations': reservation.json.id,
    tenants: OTHER,
    webhooks: webhook.json.id,
    identities: 'i-foreign',
    'identity-profiles': 'ip-foreign',
    entitlements: 'e-foreign',
    'access-profiles': 'ap-foreign',
    roles: 'r-foreign',
    sources: 's-foreign',
    accounts: accounts.json[0].key,
    controls: control.json.id,
    violations: violationId,
    sessions: (await openSession(api, 'i-foreign', { tenant: OTHER })).id,
  };
});

/** In the other tenant. */
async function askForException(): Promise<string> {
  const admin = {
    kind: 'identity',
    id: 'i-admin',
    uid: 'admin',
    identityProfile: 'ip-foreign',
    capabilities: ['ORG_ADMIN'],
  };
  await api.importRecords([admin], foreignToken);
  const client = { name: 'admin', scopes: ['sod-exceptions:manage'], identityId: 'i-admin' };
  const { json } = await api.call('POST', '/oauth-clients/v1', { token: foreignToken, body: client });
  const token = await api.tokenFor(json.id, json.secret);
  const asked = { policyId: 'p-foreign', identityId: 'i-foreign', justification: 'of the other tenant' };
  const body = { ...asked, start: '2026-11-21T00:00:00Z', end: '2026-12-21T00:00:00Z' };
  return (await api.call('POST', '/sod-exceptions/v1', { token, body })).json.id;
}

const withId = ({ path }: Operation, id: string): string => path.replace('{n}', '1').replaceAll(/\{\w+\}/g, id);
function foreignIdFor({ id, path }: Operation): string {
  const foreignId = foreignIds[path.split('/')[1] ?? ''];
  if (foreignId === undefined) throw new Error(`${id}: the other tenant has no such resource`);
  return foreignId;
}

const bytesOf = ({ status, headers, text }: TestAnswer) => ({
  status,
  text: text.replaceAll(/"trackingId":"\w+"/g, ''),
  headers: [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date'),
});

/** With a body that every operation refuses, and without the header of experimental operations. */
const sendBadly = ({ method, body }: Operation, path: string, token: string): Promise<TestAnswer> =>
  api.call(method, path, {
    token,
    ...(body === null ? {} : { body: '{', headers: { 'content-type': body.mediaType } }),
  });

const send = (operation: Operation<OperationId>, path: string) =>
  api.call(operation.method, path, {
    ...(operation.rights.identitiesOnly ? { token: asIdentity } : {}),
    headers: {
      'x-service-experimental': 'true',
      ...(operation.body === null ? {} : { 'content-type': operation.body.mediaType }),
      ...(operation.confirmation === null ? {} : { [operation.confirmation]: path.split('/')[3] ?? '' }),
    },
    ...(operation.body === null ? {} : { body: bodyOf(operation) }),
  });

describe('a caller without rights to an operation', () => {
  test('is refused before the request is validated', async () => {
    const withoutCapability = await api.clientToken({ identityId: 'i-cleo' });
    const ofAccess = SCOPES.filter((scope) => scope.startsWith('a'));
    const ofTheRest = SCOPES.filter((scope) => !ofAccess.includes(scope));
    const access = await api.clientToken({ scopes: ofAccess });
    const rest = await api.clientToken({ scopes: ofTheRest });
    for (const operation of OPERATIONS) {
      const { scopes, capabilities, forOwn } = operation.rights;
      const withoutScope = scopes.some((scope) => ofAccess.includes(scope)) ? rest : access;
      // A list of the caller's own violations needs no capability.
      const needsCapability = capabilities.length > 0 && forOwn !== 'NOTHING_FOR_ROWS';
      for (const token of needsCapability ? [withoutScope, withoutCapability] : [withoutScope]) {
        const ids = operation.path.includes('{') ? ['i-ada', UNKNOWN, foreignIdFor(operation)] : [''];
        const answers = [];
        for (const id of ids) answers.push(bytesOf(await sendBadly(operation, withId(operation, id), token)));
        for (const answer of answers) expect([operation.id, answer]).toEqual([operation.id, answers[0]]);
        expect([operation.id, answers[0]?.status]).toEqual([operation.id, 403]);
      }
    }
  });

  test('is unauthenticated once its identity is deleted', async () => {
    const gone = await api.clientToken({ identityId: 'i-bob' });
    await api.importRecords([{ kind: 'identity', id: 'i-bob', delete: true }]);
    for (const operation of OPERATIONS)
      expect([operation.id, (await sendBadly(operation, withId(operation, 'i-bob'), gone)).status]).toEqual([
        operation.id,
        401,
      ]);
  });
});

test('a resource of another tenant is answered like an unknown one', async () => {
  // Tenants are no resources of a tenant.
  for (const operation of OPERATIONS.filter(({ path }) => path.includes('{') && !path.startsWith('/tenants/'))) {
    const foreign = await send(operation, withId(operation, foreignIdFor(operation)));
    expect([operation.id, foreign.status]).toEqual([operation.id, 404]);
    expect(bytesOf(foreign)).toEqual(bytesOf(await send(operation, withId(operation, UNKNOWN))));
  }
  for (const what of ['predict', 'check']) {
    const about = (identityId: string) =>
      api.call('POST', `/sod-violations/v1/${what}`, { body: { identityId, accessRefs: [] } });
    const foreign = await about('i-foreign');
    expect([what, foreign.status]).toEqual([what, 404]);
    expect(bytesOf(foreign)).toEqual(bytesOf(await about('i-unknown')));
  }
});

test('a body that names a resource of another tenant is answered like one that names an unknown one', async () => {
  await api.importRecords([
    { kind: 'source', id: 's-own', name: 'Own' },
    { kind: 'account', source: 's-own', id: 'own' },
  ]);
  const [account] = (await api.call('GET', '/accounts/v1')).json;
  const [client] = (await api.call('GET', '/oauth-clients/v1')).json;
  const naming: readonly (readonly [method: string, path: string, name: string, id: string])[] = [
    ['PUT', `/accounts/v1/${account.key}/identity`, 'identityId', 'i-foreign'],
    ['PUT', '/sources/v1/s-own', 'identityProfileId', 'ip-foreign'],
    ['POST', `/oauth-clients/v1/${client.id}/bearer-tokens`, 'source', 's-foreign'],
  ];
  for (const [method, path, name, id] of naming) {
    const ask = (named: string) =>
      api.call(method, path, { body: { ...(path.startsWith('/sources') ? { name: 'Own' } : {}), [name]: named } });
    const foreign = await ask(id);
    expect([path, foreign.status, foreign.json.detailCode]).toEqual([path, 400, '400.1.404']);
    const unknownId = id.replace('foreign', 'unknown');
    const unknown = bytesOf(await ask(unknownId));
    expect(bytesOf(foreign)).toEqual({ ...unknown, text: unknown.text.replaceAll(unknownId, id) });
  }
});

describe('the tenant', () => {
  test('comes from the token, even if the request names another one', async () => {
    const own = await api.call('GET', '/auth-users/v1/i-ada');
    for (const name of ['x-tenant', 'tenant', 'x-tenant-id', 'x-forwarded-host', 'host', 'forwarded']) {
      const named = await api.call('GET', '/auth-users/v1/i-ada', { headers: { [name]: OTHER } });
      expect([name, bytesOf(named)]).toEqual([name, bytesOf(own)]);
    }
    expect(bytesOf(await api.call('GET', `/auth-users/v1/i-ada?tenant=${OTHER}`))).toEqual(bytesOf(own));
    expect((await api.call('GET', `/${OTHER}/auth-users/v1/i-ada`)).status).toBe(404);
  });

  test('cannot be given in a body', async () => {
    const body = { identityId: 'i-foreign', accessRefs: [], tenant: OTHER };
    for (const what of ['predict', 'check'])
      expect((await api.call('POST', `/sod-violations/v1/${what}`, { body })).json.detailCode).toBe('400.1');
    const imported = await api.importRecords([{ ...FOREIGN_WORLD[0], tenant: OTHER, name: 'taken over' }]);
    expect(imported.json.detailCode).toBe('400.1');
    const exported = await api.call('GET', '/access-model/v1/export', { token: foreignToken });
    expect(exported.text).toContain('of the other tenant');
    expect(exported.text).not.toContain('taken over');
  });
});
