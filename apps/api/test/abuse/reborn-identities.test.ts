import { hash } from 'node:crypto';
import { webhookReaderOf } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import { clearOwners, endViolations, openViolations } from '../open-violations.ts';
import { openTestApi, type TestCall, WORLD } from '../test-api.ts';
import { openSession } from '../test-session.ts';

const BASE = 'http://127.0.0.1:8080';
const person = (id: string, more: object = {}) => ({
  kind: 'identity',
  id,
  uid: id,
  identityProfile: 'ip-emp',
  ...more,
});

/** Zoe, an administrator and the owner of what she can own, with whatever acts as her; then another person gets her id. */
async function openReborn() {
  const api = await openTestApi();
  const { call, clientToken, importRecords, clock } = api;
  await importRecords(WORLD);
  const zoe = person('i-zoe', { capabilities: ['ORG_ADMIN', 'HELPDESK'] });
  expect((await importRecords([zoe])).status).toBe(200);
  const beReborn = async () => {
    clock.nowMs += 2_000;
    expect((await call('DELETE', '/identities/v1/i-zoe')).status).toBe(204);
    clock.nowMs += 2_000;
    const born = await importRecords([zoe]);
    expect(born.json.counts.identity).toMatchObject({ created: 1 });
  };
  return { ...api, api, beReborn, asZoe: () => clientToken({ identityId: 'i-zoe' }) };
}

describe('an identity that is created with the id of a deleted one', () => {
  test('revives neither its clients nor their tokens, which were deleted with it', async () => {
    const { call, tokenFor, requestToken, beReborn } = await openReborn();
    const body = { name: 'of zoe', scopes: ['auth-users:read', 'oauth-clients:manage'], identityId: 'i-zoe' };
    const { json } = await call('POST', '/oauth-clients/v1', { body });
    const token = await tokenFor(json.id, json.secret);
    expect((await call('GET', '/auth-users/v1/i-ada', { token })).status).toBe(200);
    await beReborn();
    expect((await call('GET', '/auth-users/v1/i-ada', { token })).status).toBe(401);
    const form = { grant_type: 'client_credentials', client_id: json.id, client_secret: json.secret };
    expect((await requestToken(form)).json).toMatchObject({ error: 'invalid_client' });
    expect((await call('GET', `/oauth-clients/v1/${json.id}`)).status).toBe(404);
    const told = await call('GET', `/audit-events/v1?filters=${encodeURIComponent(`resourceId eq "${json.id}"`)}`);
    expect(told.json.at(-1)).toMatchObject({
      operation: 'delete-identity-v1',
      resource: { type: 'OAUTH_CLIENT', id: json.id },
      changes: expect.arrayContaining([{ field: 'identityId', before: 'i-zoe', after: null }]),
    });
    const events = await call('GET', '/events/v1?types=oauth-client.deleted');
    expect(events.json.map(({ data }: { data: { id: string } }) => data.id)).toEqual([json.id]);
  });

  test('revives no session', async () => {
    const { api, call, beReborn } = await openReborn();
    const { cookie } = await openSession(api, 'i-zoe');
    const current = () => call('GET', '/sessions/v1/current', { token: null, headers: { cookie } });
    expect((await current()).status).toBe(200);
    await beReborn();
    expect((await current()).status).toBe(401);
  });

  test('revives no sign-in link that the deleted one made for another, nor one that was made for it', async () => {
    const { call, store, clock, asZoe, beReborn } = await openReborn();
    const token = await asZoe();
    const link = async (id: string, by?: string) => {
      const made = await call('POST', `/auth-users/v1/${id}/sign-in-link`, { body: {}, ...(by && { token: by }) });
      expect(made.status).toBe(201);
      const secret = new URL(made.json.url).pathname.split('/').at(-1) ?? '';
      return () => store.signInLinks.find('default', hash('sha256', secret), clock.nowMs);
    };
    const links = [await link('i-cleo', token), await link('i-zoe')];
    for (const find of links) expect(await find()).not.toBeNull();
    await beReborn();
    for (const find of links) expect(await find()).toBeNull();
    const told = await call('GET', `/audit-events/v1?filters=${encodeURIComponent('resourceId eq "i-cleo"')}`);
    expect(told.json.at(-1).changes).toEqual([{ field: 'openSignInLinks', before: 1, after: 0 }]);
  });

  test('revives no webhook that a session or a client of the deleted one has set', async () => {
    const { api, call, store, asZoe, beReborn } = await openReborn();
    const { cookie } = await openSession(api, 'i-zoe');
    const body = { name: 'w', url: 'https://example.com/hook', types: ['sod.*'] };
    const ids: string[] = [];
    for (const by of [{ token: null, headers: { cookie, origin: BASE } }, { token: await asZoe() }]) {
      const set = await call('POST', '/webhooks/v1', { ...by, body });
      expect(set.status).toBe(201);
      ids.push(set.json.id);
    }
    const isCovered = async (webhookId: string) => {
      const webhook = await store.webhooks.find('default', webhookId);
      const present = await store.webhooks.readPresentRights({ tenant: 'default', webhookId });
      return webhook !== null && webhookReaderOf(webhook.rights, present).ok;
    };
    for (const id of ids) expect(await isCovered(id)).toBe(true);
    await beReborn();
    for (const id of ids) expect(await isCovered(id)).toBe(false);
  });

  test('owns no policy and no control of the deleted one, and gets none of the violations that were to be its own', async () => {
    const { call, importRecords, beReborn } = await openReborn();
    const ownerRef = { type: 'IDENTITY', id: 'i-zoe' };
    const criteria = WORLD.at(-1);
    const assigned = { assignmentRule: 'STATIC', ownerRef };
    const control = { name: 'k', expiration: '24h', owner: ownerRef, secondaryOwners: [ownerRef] };
    const made = await call('POST', '/controls/v1', { body: control });
    expect(made.status).toBe(201);
    const policy = { ...criteria, kind: undefined, ownerRef, violationOwnerAssignmentConfig: assigned };
    expect((await call('PUT', '/sod-policies/v1/p-1', { body: policy })).status).toBe(200);
    await beReborn();
    const shown = (await call('GET', '/sod-policies/v1/p-1')).json;
    expect(shown.ownerRef).toBeUndefined();
    expect(shown.violationOwnerAssignmentConfig).toEqual({ assignmentRule: 'STATIC', ownerRef: null });
    expect((await call('GET', `/controls/v1/${made.json.id}`)).json).toMatchObject({
      owner: null,
      secondaryOwners: [],
    });
    expect((await importRecords([{ ...criteria }])).status).toBe(200);
  });

  test('owns no violation of the deleted one, neither a present nor an ended one', async () => {
    const { api, call, clientToken, importRecords, clock } = await openReborn();
    const { store } = api;
    const yan = person('i-yan');
    await importRecords([yan, { ...WORLD.at(-1), ownerRef: { type: 'IDENTITY', id: 'i-yan' } }]);
    const ids = await openViolations(store, [
      { policyId: 'p-1', identityId: 'i-cleo' },
      { policyId: 'p-1', identityId: 'i-hal' },
    ]);
    await endViolations(store, 'i-hal');
    const seenBy = async (token: string) => {
      const mine = await call('GET', '/my-violations/v1?count=true', { token });
      const each = await Promise.all(ids.map((id) => call('GET', `/violations/v1/${id}`, { token })));
      const shown = await Promise.all(ids.map((id) => call('GET', `/violations/v1/${id}`)));
      return {
        mine: mine.json.length,
        counted: mine.headers.get('x-total-count'),
        each: each.map(({ status }) => status),
        present: shown.flatMap(({ json }) => (json.closed === null ? [json.owner?.id] : [])),
      };
    };
    const asYan = () => clientToken({ identityId: 'i-yan' });
    expect(await seenBy(await asYan())).toEqual({
      mine: 2,
      counted: '2',
      each: [200, 200],
      present: ['i-yan'],
    });
    clock.nowMs += 2_000;
    await importRecords([{ kind: 'identity', id: 'i-yan', delete: true }]);
    clock.nowMs += 2_000;
    await importRecords([yan]);
    const token = await asYan();
    const nothing = { mine: 0, counted: '0', each: [403, 403], present: [undefined] };
    expect(await seenBy(token)).toEqual(nothing);
    const reassign = (options: TestCall) =>
      Promise.all(ids.map((id) => call('POST', `/violations/v1/${id}/reassign`, options)));
    const refused = await reassign({ token, body: { assigneeId: 'i-ada', assigneeType: 'IDENTITY' } });
    expect(refused.map(({ status }) => status)).toEqual([403, 403]);
    const early = await call('POST', `/violations/v1/${ids[0]}/reassign`, {
      body: { assigneeId: 'i-yan', assigneeType: 'IDENTITY' },
    });
    expect(early.status).toBe(404);
    // The register takes the deletion in.
    await openViolations(store, [{ policyId: 'p-1', identityId: 'i-bob' }], {
      at: new Date(clock.nowMs).toISOString(),
    });
    await clearOwners(store);
    expect(await seenBy(token)).toEqual(nothing);
    const given = await reassign({ body: { assigneeId: 'i-yan', assigneeType: 'IDENTITY' } });
    expect(given.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await seenBy(token)).toMatchObject({ mine: 1, counted: '1' });
  });

  test('holds no exception of the deleted one, whether approved or requested', async () => {
    const { call, clientToken, importRecords, clock } = await openReborn();
    const access = [
      { type: 'ENTITLEMENT', id: 'e-vendor' },
      { type: 'ENTITLEMENT', id: 'e-pay' },
    ];
    const held = [person('i-held', { access }), person('i-asked', { access })];
    await importRecords(held);
    const ada = await clientToken({ identityId: 'i-ada' });
    const bob = await clientToken({ identityId: 'i-bob' });
    const ids: string[] = [];
    for (const identityId of ['i-held', 'i-asked']) {
      const end = new Date(clock.nowMs + 86_400_000).toISOString();
      const body = { policyId: 'p-1', identityId, start: new Date(clock.nowMs).toISOString(), end, justification: 'j' };
      const { status, json } = await call('POST', '/sod-exceptions/v1', { token: ada, body });
      expect(status).toBe(201);
      ids.push(json.id);
    }
    expect((await call('POST', `/sod-exceptions/v1/${ids[0]}/approve`, { token: bob })).status).toBe(200);
    await importRecords(held.map(({ id }) => ({ kind: 'identity', id, delete: true })));
    clock.nowMs += 2_000;
    await importRecords(held);
    for (const id of ids)
      expect((await call('GET', `/sod-exceptions/v1/${id}`, { token: ada })).json).toMatchObject({ state: 'VOID' });
    const body = { identityId: 'i-held', accessRefs: [], include: undefined };
    expect((await call('POST', '/sod-violations/v1/predict', { body })).json.violationContexts).toEqual([]);
  });
});
