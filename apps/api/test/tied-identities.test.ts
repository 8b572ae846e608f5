import { describe, expect, test } from 'vitest';
import { openExceptions, refusalOf } from './sod-exceptions-world.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.parse('2026-11-21T09:30:00.000Z');
const inHours = (hours: number) => new Date(NOW_MS + hours * HOUR_MS).toISOString();

/** An identity that an administrator imports for itself. */
const PUPPET = { kind: 'identity', uid: 'eve', identityProfile: 'ip-emp', capabilities: ['POLICY_ADMIN'] };

async function openWithPuppets() {
  const world = await openExceptions();
  const { api } = world;
  const [second, third] = ['i-second', 'i-third'];
  expect(await api.importRecords([second, third].map((id) => ({ ...PUPPET, id, uid: id })))).toMatchObject({
    status: 200,
  });
  /** Makes a client as a caller and returns a token for it. */
  const makeClient = async (
    token: string,
    identityId: string | null,
    scopes: readonly string[] = ['sod-exceptions:manage'],
  ) => {
    const body = { name: 'made', scopes, ...(identityId === null ? {} : { identityId }) };
    const { status, json } = await api.call('POST', '/oauth-clients/v1', { token, body });
    expect([status, json]).toEqual([201, json]);
    return { id: json.id as string, token: await api.tokenFor(json.id, json.secret) };
  };
  return { ...world, makeClient };
}

describe('what an identity requests is approved by a second person', () => {
  test('not by an identity for which the requester has made a client, for 24 hours', async () => {
    const { api, ada, ask, move, makeClient } = await openWithPuppets();
    const second = await makeClient(ada, 'i-second');
    const { id } = (await ask()).json;
    const [status, code, text] = refusalOf(await move(id, 'approve', second.token));
    expect([status, code]).toEqual([403, '403']);
    expect(text).toContain(`approve after ${inHours(24)}`);
    // The deletion of the client unties nothing.
    await api.call('DELETE', `/oauth-clients/v1/${second.id}`);
    const body = { name: 'other', scopes: ['sod-exceptions:manage'], identityId: 'i-second' };
    const { json: other } = await api.call('POST', '/oauth-clients/v1', { body });
    const approve = async () => move(id, 'approve', await api.tokenFor(other.id, other.secret));
    expect((await approve()).status).toBe(403);
    api.clock.nowMs = NOW_MS + 24 * HOUR_MS - 1;
    expect((await approve()).status).toBe(403);
    api.clock.nowMs += 1;
    expect((await approve()).status).toBe(200);
  });

  test('not the maker approves what its second identity requests', async () => {
    const { ada, ask, move, makeClient, hal } = await openWithPuppets();
    const second = await makeClient(ada, 'i-second');
    const { id } = (await ask({}, second.token)).json;
    expect((await move(id, 'approve', ada)).status).toBe(403);
    expect((await move(id, 'approve', hal)).status).toBe(200);
  });

  test('not by the detour of an application, of a chain of clients, or of two identities of one maker', async () => {
    const { ada, ask, move, makeClient } = await openWithPuppets();
    const scopes = ['sod-exceptions:manage', 'oauth-clients:manage'];
    const application = await makeClient(ada, null, scopes);
    const second = await makeClient(application.token, 'i-second', scopes);
    const third = await makeClient(application.token, 'i-third');
    const { id } = (await ask()).json;
    for (const token of [second.token, third.token]) expect((await move(id, 'approve', token)).status).toBe(403);
    expect((await move(id, 'revoke')).status).toBe(200);
    const bySecond = (await ask({}, second.token)).json;
    expect((await move(bySecond.id, 'approve', third.token)).status).toBe(403);
  });

  test('clients that the bootstrap client makes tie no identities', async () => {
    const { api, ask, move } = await openWithPuppets();
    const second = await api.clientToken({ identityId: 'i-second' });
    expect((await move((await ask()).json.id, 'approve', second)).status).toBe(200);
  });

  test('the event of the client is found by the identity that it acts as', async () => {
    const { api, ada, makeClient } = await openWithPuppets();
    const { id } = await makeClient(ada, 'i-second');
    const filters = encodeURIComponent('resourceId eq "i-second" and operation eq "create-oauth-client-v1"');
    expect((await api.call('GET', `/audit-events/v1?filters=${filters}`)).json).toMatchObject([
      { actor: { identityId: 'i-ada' }, resource: { type: 'OAUTH_CLIENT', id } },
    ]);
  });
});
