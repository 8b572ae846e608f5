import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AccessAdminClient,
  ConflictError,
  createClient,
  ForbiddenError,
  filter,
  InvalidRequestError,
} from '@access-admin/client';
import { openJourneyService, ROOT, startProcess } from '@access-admin/harness';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FORBIDDEN_GRANT, SMALL_COMPANY, VIOLATION } from './small-company.ts';

const sideOf = (...ids: readonly string[]) => ({
  name: null,
  criteriaList: ids.map((id) => ({ type: 'ENTITLEMENT' as const, id })),
});
const WIDER = {
  kind: 'sodPolicy',
  id: 'p-terms',
  name: 'Vendor terms and payment',
  conflictingAccessCriteria: { leftCriteria: sideOf('e-vendor', 'e-terms'), rightCriteria: sideOf('e-pay') },
} as const;

const api = await openJourneyService();
let admin: AccessAdminClient;

beforeAll(() => api.client.accessModel.import(SMALL_COMPANY));

afterAll(() => api[Symbol.asyncDispose]());

test('an application registers a client that acts as an administrator', async () => {
  const scopes = ['auth-users:manage', 'auth-profiles:manage', 'sod-violations:manage', 'ui-metadata:manage'] as const;
  const registered = await api.client.oauthClients.create({ name: 'Ada', scopes, identityId: 'i-ada' });
  admin = createClient({ baseAddress: api.baseAddress, clientId: registered.id, clientSecret: registered.secret });
  expect(await api.client.oauthClients.get(registered.id)).toMatchObject({ name: 'Ada', identityId: 'i-ada', scopes });
});

test('an administrator gives and takes capabilities, but not the reserved one', async () => {
  expect(await admin.authUsers.get('i-eve')).toMatchObject({ id: 'i-eve', uid: 'eve', capabilities: ['HELPDESK'] });
  expect(await admin.authUsers.setCapabilities('i-eve', ['HELPDESK', 'ORG_ADMIN'])).toMatchObject({
    capabilities: ['HELPDESK', 'ORG_ADMIN'],
  });
  await expect(admin.authUsers.setCapabilities('i-eve', ['INTERNAL'])).rejects.toThrow(ForbiddenError);
  await admin.authUsers.setCapabilities('i-eve', []);
  expect((await admin.authUsers.get('i-eve')).capabilities).toEqual([]);
});

test('an administrator changes an auth profile, but not what verifies itself', async () => {
  const profiles = await Array.fromAsync(admin.authProfiles.list());
  expect(profiles).toEqual([{ tenant: 'default', id: 'ip-staff', name: 'Staff', type: 'NON_PTA' }]);
  const { etag } = await admin.authProfiles.get('ip-staff').withETag();
  const change = [{ op: 'replace', path: '/offNetwork', value: true } as const];
  expect(await admin.authProfiles.patch('ip-staff', change, { ifMatch: etag })).toMatchObject({ offNetwork: true });
  const own = [{ op: 'replace', path: '/type', value: 'MFA' } as const];
  await expect(admin.authProfiles.patch('ip-staff', own)).rejects.toThrow(ForbiddenError);
});

test('an administrator changes the UI metadata', async () => {
  const iFrameWhitelist = 'https://intranet.example.com';
  await admin.uiMetadata.set({ iFrameWhitelist });
  expect(await admin.uiMetadata.get()).toEqual({ iFrameWhitelist, usernameLabel: null, usernameEmptyText: null });
});

test('predict shows the violation that a grant would cause, and a check finds the same', async () => {
  expect(await admin.sodViolations.predict(FORBIDDEN_GRANT)).toMatchObject({ violationContexts: [VIOLATION] });
  const { policySetVersion } = await admin.sodViolations.predict(FORBIDDEN_GRANT);
  const clientMetadata = { ticket: 'REQ-1' };
  const { requestId } = await admin.sodViolations.check({ ...FORBIDDEN_GRANT, clientMetadata });
  expect(await admin.sodViolations.waitForCheck(requestId)).toMatchObject({
    requestId,
    state: 'SUCCESS',
    violationCheckResult: {
      message: null,
      clientMetadata,
      violationContexts: [VIOLATION],
      violatedPolicies: [{ type: 'SOD_POLICY', id: 'p-1', name: 'Vendor and payment' }],
      policySetVersion,
      asOf: expect.stringMatching(/^\d{4}-.*Z$/),
    },
  });
});

test('an exception from a policy covers what it was approved for, in predictions and checks', async () => {
  const scopes = ['sod-exceptions:manage', 'sod-violations:read'] as const;
  const connect = async (identityId: string) => {
    const { id, secret } = await api.client.oauthClients.create({ name: identityId, scopes, identityId });
    return createClient({ baseAddress: api.baseAddress, clientId: id, clientSecret: secret });
  };
  const policyAdmin = { kind: 'identity', id: 'i-pol', uid: 'pol', identityProfile: 'ip-staff' } as const;
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const end = inMinutes(60);
  const terms = { type: 'ENTITLEMENT', id: 'e-terms', end } as const;
  const access = [{ type: 'ENTITLEMENT', id: 'e-pay', end } as const, { ...terms, start: inMinutes(30) }];
  await api.client.accessModel.import([
    { ...policyAdmin, capabilities: ['POLICY_ADMIN'] },
    { ...policyAdmin, id: 'i-fay', uid: 'fay', access },
    { kind: 'entitlement', id: 'e-terms', name: 'Vendor: terms' },
    WIDER,
  ]);
  const asker = await connect('i-ada');
  const approver = await connect('i-pol');
  const start = '2000-01-01T00:00:00.000Z';
  const asked = { policyId: 'p-terms', identityId: 'i-fay', justification: 'Covers for Ben.', end };
  await expect(asker.sodExceptions.create({ ...asked, start })).rejects.toThrow(InvalidRequestError);
  const { id } = await asker.sodExceptions.create({ ...asked, start: inMinutes(-1) });
  await expect(asker.sodExceptions.approve(id)).rejects.toThrow(ForbiddenError);
  const { etag } = await approver.sodExceptions.get(id).withETag();
  expect(await approver.sodExceptions.approve(id, { ifMatch: etag })).toMatchObject({ state: 'APPROVED' });
  await expect(approver.sodExceptions.approve(id)).rejects.toThrow(ConflictError);

  const beyond = { identityId: 'i-fay', accessRefs: [{ ...terms, id: 'e-vendor' }] };
  const { violationContexts: notCovered } = await approver.sodViolations.predict(beyond);
  const ended = notCovered.find(({ policy }) => policy.id === 'p-terms');
  expect([ended?.exception, ended?.exceptionEnds]).toEqual([null, undefined]);
  const grant = { identityId: 'i-fay', accessRefs: [terms] };
  const { violationContexts } = await approver.sodViolations.predict(grant);
  expect(violationContexts).toMatchObject([{ policy: { id: 'p-terms' }, preexisting: true, exception: { id, end } }]);
  const { requestId } = await approver.sodViolations.check(grant);
  expect((await approver.sodViolations.waitForCheck(requestId)).violationCheckResult).toMatchObject({
    violationContexts,
  });
  const live = await Array.fromAsync(approver.sodExceptions.list({ filters: 'state eq "APPROVED"' }));
  expect(live.map((exception) => exception.id)).toEqual([id]);
  await api.client.accessModel.import(['i-pol', 'i-fay'].map((id) => ({ kind: 'identity', id, delete: true })));
  expect(await asker.sodExceptions.get(id)).toMatchObject({ state: 'VOID', approverId: 'i-pol' });
  await api.client.accessModel.import([
    { kind: 'sodPolicy', id: 'p-terms', delete: true },
    { kind: 'entitlement', id: 'e-terms', delete: true },
  ]);
});

test('policies and events are found by any text and by instants with an offset', async () => {
  const names = ['R&D "x"', '# 50', 'C+C', '100 %41', 'a\\b', '&limit=1', '😀'];
  const ids = names.map((_, index) => `p-found-${index}`);
  await api.client.accessModel.import(names.map((name, index) => ({ ...WIDER, id: ids[index] ?? '', name })));
  for (const [index, name] of names.entries()) {
    const found = await Array.fromAsync(api.client.sodPolicies.list({ filters: filter`name co ${name}` }));
    expect(found.map(({ id }) => id)).toEqual([ids[index]]);
  }
  const { items } = await api.client.auditEvents.page({ filters: 'time ge "2000-01-01T00:00:00+02:00"', limit: 1 });
  expect(items).toHaveLength(1);
  await api.client.accessModel.import(ids.map((id) => ({ kind: 'sodPolicy', id, delete: true })));
});

test('a grant that breaks no policy is clean', async () => {
  const grant = { identityId: 'i-eve', accessRefs: [{ type: 'ENTITLEMENT' as const, id: 'e-vendor' }] };
  expect(await admin.sodViolations.predict(grant)).toMatchObject({ violationContexts: [] });
});

test('an export holds every record, and changes nothing when imported again', async () => {
  const records = await Array.fromAsync(api.client.accessModel.export());
  const settings = [{ kind: 'uiMetadata', id: 'tenant' }];
  expect(records.map(({ kind, id }) => ({ kind, id }))).toEqual(
    expect.arrayContaining([...SMALL_COMPANY.map(({ kind, id }) => ({ kind, id })), ...settings]),
  );
  expect(records.length).toBe(SMALL_COMPANY.length + 1);
  await api.client.accessModel.import(records);
  expect(await Array.fromAsync(api.client.accessModel.export())).toEqual(records);
});

test('the audit log records every change, and its verification detects tampering', async () => {
  const events = await Array.fromAsync(api.client.auditEvents.export());
  const exported = events.map((event) => `${JSON.stringify(event)}\n`).join('');
  const [imported] = await Array.fromAsync(api.client.auditEvents.list({ filters: 'resourceType eq "ACCESS_MODEL"' }));
  expect(imported).toMatchObject({ sequence: 1, operation: 'import-access-model-v1', outcome: 'ALLOWED' });
  const folder = await mkdtemp(join(tmpdir(), 'access-admin-audit-'));
  const inFolder = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const log = await inFolder('log.ndjson', exported);
  const head = await inFolder('head.json', JSON.stringify(await api.client.auditEvents.head()));
  const jwks = await inFolder('jwks.json', await (await fetch(`${api.baseAddress}/.well-known/jwks.json`)).text());
  const cut = await inFolder('cut.ndjson', exported.slice(0, exported.trimEnd().lastIndexOf('\n') + 1));
  const { length } = events;
  expect(await verifyLog(log, '--head', head, '--jwks', jwks)).toEqual({
    code: 0,
    said: `${length} events, all as they were recorded.\n`,
  });
  expect(await verifyLog(cut, '--head', head)).toEqual({
    code: 1,
    said: `The log is broken at sequence ${length}: the log goes on to ${length}.\n`,
  });
  expect(await verifyLog(await inFolder('changed.ndjson', exported.replace('HELPDESK', 'ORG_ADMIN')))).toMatchObject({
    code: 1,
  });
  expect((await verifyLog(join(folder, 'none.ndjson'))).code).toBe(1);
  expect((await verifyLog()).code).toBe(2);
  await rm(folder, { recursive: true });
});

async function verifyLog(...args: readonly string[]) {
  const tool = startProcess([process.execPath, join(ROOT, 'apps/api/dist/audit-verify.js'), ...args], {
    env: {},
    cwd: ROOT,
  });
  const { code } = await tool.ended;
  return { code, said: tool.output() };
}

test('a deleted client is refused, with the token that it has', async () => {
  const scopes = ['ui-metadata:read'] as const;
  const { id, secret } = await api.client.oauthClients.create({ name: 'Short-lived', scopes });
  const client = createClient({ baseAddress: api.baseAddress, clientId: id, clientSecret: secret, retries: 0 });
  await client.uiMetadata.get();
  await api.client.oauthClients.delete(id);
  const outcome = () =>
    client.uiMetadata.get().then(
      () => 'allowed',
      (error) => error.name,
    );
  await expect.poll(outcome, { interval: 50 }).toMatch(/^(TokenError|UnauthenticatedError)$/);
});
