import { expect, test } from 'vitest';
import { parseNetworks } from '../src/http/client-address.ts';
import { openTestApi, type TestApi, WORLD } from './test-api.ts';

const EXPERIMENTAL = { 'x-service-experimental': 'true' };
const NETWORK = '/auth-org/v1/network-config';
const replace = (path: string, value: unknown) => ({ op: 'replace', path, value });

/** A tenant in which Ada alone can sign in. */
async function openWorld(config = {}): Promise<TestApi> {
  const api = await openTestApi(config);
  await api.importRecords(WORLD);
  await enrol(api, 'i-ada');
  return api;
}

async function enrol({ store, clock }: TestApi, identityId: string): Promise<void> {
  const time = new Date(clock.nowMs).toISOString();
  const actor = { clientId: 'c', identityId: null };
  const context = { tenant: 'default', actor, operation: 'test', time, trackingId: '0'.repeat(32) };
  await store.credentials.setPassword(context, identityId, {
    hash: 'phc',
    link: null,
    usedLink: null,
    keepSession: null,
  });
}

const outcome = ({ status, json }: { readonly status: number; readonly json: { readonly detailCode?: string } }) =>
  [status, json.detailCode].join(' ').trim();

/** Each change that would lock the last administrator out. */
async function outcomes(api: TestApi, headers: Record<string, string> = {}) {
  const patch = (path: string, body: unknown) =>
    api.call('PATCH', path, { body, headers: { ...EXPERIMENTAL, ...headers } }).then(outcome);
  const { kind, id, uid, identityProfile } = WORLD[6];
  return [
    await patch('/auth-profiles/v1/ip-emp', [replace('/type', 'MFA')]),
    await patch('/auth-profiles/v1/ip-emp', [replace('/type', 'BLOCK')]),
    await patch('/auth-profiles/v1/ip-emp', [replace('/type', 'PTA')]),
    await patch('/auth-users/v1/i-ada', [replace('/capabilities', ['HELPDESK'])]),
    outcome(await api.importRecords([{ kind, id, delete: true }])),
    outcome(await api.importRecords([{ kind, id, uid, identityProfile, capabilities: [] }])),
    outcome(
      await api.importRecords([{ kind: 'identityProfile', id: 'ip-emp', name: 'E', authProfile: { type: 'MFA' } }]),
    ),
  ];
}

test('no change takes away that the last ORG_ADMIN can sign in', async () => {
  const api = await openWorld();
  const before = await api.call('GET', '/auth-profiles/v1/ip-emp', { headers: EXPERIMENTAL });
  expect(await outcomes(api)).toEqual(Array.from({ length: 7 }, () => '409 409.1'));
  const after = await api.call('GET', '/auth-profiles/v1/ip-emp', { headers: EXPERIMENTAL });
  expect(after.text).toBe(before.text);
  await enrol(api, 'i-bob');
  const demoted = await api.call('PATCH', '/auth-users/v1/i-ada', { body: [replace('/capabilities', [])] });
  expect(demoted.status).toBe(200);
});

test('a tenant of programs alone is not concerned', async () => {
  const api = await openTestApi();
  await api.importRecords(WORLD);
  expect(await outcomes(api)).toEqual(Array.from({ length: 7 }, () => '200'));
});

test('the address of the asker must stay in the networks, behind a proxy too', async () => {
  const api = await openWorld({ trustedProxies: parseNetworks('127.0.0.1,::1') });
  const offNetwork = await api.call('PATCH', '/auth-profiles/v1/ip-emp', {
    body: [replace('/offNetwork', true)],
    headers: EXPERIMENTAL,
  });
  expect(offNetwork.status).toBe(200);
  const set = async (range: readonly string[], address: string) =>
    outcome(await api.call('POST', NETWORK, { body: { range }, headers: { 'x-forwarded-for': address } }));
  expect(await set(['10.0.0.0/8'], '192.0.2.1')).toBe('409 409.1');
  expect((await api.call('GET', NETWORK)).json.range).toBeNull();
  expect(await set(['10.0.0.0/8'], '10.1.2.3')).toBe('200');
  const patched = await api.call('PATCH', NETWORK, {
    body: [replace('/range/0', '11.0.0.0/8')],
    headers: { 'x-forwarded-for': '10.1.2.3' },
  });
  expect(outcome(patched)).toBe('409 409.1');
  // Nobody could sign in from there before.
  expect(await set(['12.0.0.0/8'], '192.0.2.1')).toBe('200');
});
