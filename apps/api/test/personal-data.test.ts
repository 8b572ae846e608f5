import { SCOPES } from '@access-admin/domain';
import { expect, test } from 'vitest';
import { exceptionsOf } from './sod-exceptions-world.ts';
import { openTestApi, type TestApi, WORLD } from './test-api.ts';

const pathOf = (id: string) => `/identities/v1/${id}/personal-data`;

/** The properties of records that tests look at; each kind has some of them. */
interface Line {
  readonly kind: string;
  readonly id: string;
  readonly type: string;
  readonly operation: string;
  readonly resource: { readonly type: string; readonly id: string | null };
  readonly changes: readonly { readonly field: string }[];
}

/** The lines about an identity by their kind, and their text. */
async function read({ call }: TestApi, id: string, token?: string) {
  const { status, headers, text } = await call('GET', pathOf(id), token === undefined ? {} : { token });
  expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
  const lines: readonly Line[] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { text, ofKind: (kind: string) => lines.filter((line) => line.kind === kind) };
}

/** More policies than one statement looks at, and so more of their events than are read together. */
const POLICIES = 1_010;

const PASSWORD_HASH = 'the hash of a password';

async function openWorld() {
  const api = await openTestApi({ mail: { smtpUrl: 'smtp://mail.example.com', from: 'access@example.com' } });
  const world = await exceptionsOf(api);
  const owner = { type: 'IDENTITY', id: 'i-ada' };
  const secondaryOwners = [{ type: 'IDENTITY', id: 'i-cleo' }];
  const control = { kind: 'control', id: 'c-1', name: 'Review', owner, secondaryOwners, expiration: '20d' };
  expect((await api.importRecords([control])).status).toBe(200);
  return world;
}

test('tells all that names a person, and secrets of nobody', async () => {
  const { api, ada, ask, move } = await openWorld();
  const { json: asked } = await ask();
  await move(asked.id, 'approve');
  const setUp = { tenant: 'default', actor: { clientId: 'c', identityId: null }, operation: 'set-up', trackingId: '0' };
  const password = { hash: PASSWORD_HASH, link: null, usedLink: null, keepSession: null };
  await api.store.credentials.setPassword({ ...setUp, time: '2026-11-21T09:30:00.000Z' }, 'i-cleo', password);
  const link = await api.call('POST', '/auth-users/v1/i-cleo/sign-in-link', { token: ada });
  expect(link.status).toBe(201);
  const { json: check } = await api.call('POST', '/sod-violations/v1/check', {
    body: { identityId: 'i-cleo', accessRefs: [{ type: 'ENTITLEMENT', id: 'e-pay' }] },
  });
  const { text, ofKind } = await read(api, 'i-cleo');
  expect(ofKind('identity')).toMatchObject([{ id: 'i-cleo', capabilities: [], ownAccess: null }]);
  expect(ofKind('exception')).toMatchObject([{ id: asked.id, identityId: 'i-cleo', approverId: 'i-hal' }]);
  expect(ofKind('signInLink')).toMatchObject([{ identityId: 'i-cleo', makerId: 'i-ada' }]);
  expect(ofKind('control')).toMatchObject([{ id: 'c-1', ownerId: 'i-ada', secondaryOwnerIds: ['i-cleo'] }]);
  expect(ofKind('check')).toMatchObject([{ requestId: check.requestId, state: 'PENDING' }]);
  expect(ofKind('mail').map(({ type }) => type)).toContain('sign-in-link');
  expect(ofKind('event').map(({ type }) => type)).toContain('sod.exception.requested');
  const audited = ofKind('auditEvent').map(({ operation }) => operation);
  expect(audited).toEqual(expect.arrayContaining(['import-access-model-v1', 'create-sod-exception-v1']));
  expect(ofKind('signIn')).toMatchObject([{ passwordChanged: expect.any(String) }]);
  for (const secret of [PASSWORD_HASH, link.json.url.split('/').at(-1)]) expect(text).not.toContain(secret);
  // The export of an approver has what the approver did.
  const hal = await read(api, 'i-hal');
  expect(hal.ofKind('exception')).toMatchObject([{ id: asked.id }]);
  expect(hal.ofKind('client')).toMatchObject([{ identityId: 'i-hal' }]);
  expect(hal.ofKind('auditEvent').map(({ operation }) => operation)).toContain('approve-sod-exception-v1');
});

test('leaves out what an import changed of others', async () => {
  const { api } = await openWorld();
  const { ofKind } = await read(api, 'i-cleo');
  const ofMany = ofKind('auditEvent').filter(({ resource }) => resource.type === 'IDENTITY' && resource.id === null);
  expect(ofMany.length).toBeGreaterThan(0);
  for (const { changes } of ofMany) expect(changes.map(({ field }) => field)).toEqual(['i-cleo']);
});

test('goes on after the identity is deleted', async () => {
  const { api, ask } = await openWorld();
  const { json: asked } = await ask();
  expect((await api.call('DELETE', '/identities/v1/i-cleo')).status).toBe(204);
  const { ofKind } = await read(api, 'i-cleo');
  expect(ofKind('identity')).toEqual([]);
  expect(ofKind('exception')).toMatchObject([{ id: asked.id }]);
  expect(ofKind('auditEvent').map(({ operation }) => operation)).toContain('delete-identity-v1');
});

test('an id that nothing names is not found, nor one of another case or tenant', async () => {
  const { api } = await openWorld();
  const acme = await api.clientToken({ tenant: 'acme', scopes: SCOPES });
  expect((await api.call('GET', pathOf('i-nobody'))).status).toBe(404);
  expect((await api.call('GET', pathOf('I-CLEO'))).status).toBe(404);
  expect((await api.call('GET', pathOf('i-cleo'), { token: acme })).status).toBe(404);
});

test('reads what is long in pieces', async () => {
  const { api } = await openWorld();
  const policies = Array.from({ length: POLICIES }, (_, at) => ({
    ...WORLD.at(-1),
    id: `p-${10_000 + at}`,
    ownerRef: { type: 'IDENTITY', id: 'i-cleo' },
  }));
  expect((await api.importRecords(policies)).status).toBe(200);
  const { ofKind } = await read(api, 'i-cleo');
  const ids = policies.map(({ id }) => id);
  expect(ofKind('policy').map(({ id }) => id)).toEqual(ids);
  const audited = ofKind('auditEvent').map(({ resource }) => resource.id ?? '');
  expect(audited.filter((id) => ids.includes(id)).toSorted()).toEqual(ids);
});
