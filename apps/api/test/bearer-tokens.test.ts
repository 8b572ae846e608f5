import { SCOPES, type Scope } from '@access-admin/domain';
import { expect, test } from 'vitest';
import { openTestApi, type TestApi } from './test-api.ts';

const DAY_MS = 86_400_000;

async function openWithSource() {
  const api = await openTestApi();
  await api.importRecords(['hr', 'crm'].map((id) => ({ kind: 'source', id, name: id })));
  return { api, path: await registered(api, ['scim:manage']) };
}

async function registered(api: TestApi, scopes: readonly Scope[]): Promise<string> {
  const { json } = await api.call('POST', '/oauth-clients/v1', { body: { name: 'c', scopes } });
  return `/oauth-clients/v1/${json.id}/bearer-tokens`;
}

test('a static token is shown once, listed without it, and lasts 180 days where nothing else is said', async () => {
  const { api, path } = await openWithSource();
  const created = await api.call('POST', path, { body: { source: 'hr' } });
  const { token, ...shown } = created.json;
  expect(created.status).toBe(201);
  expect(created.headers.get('location')).toBe(`${path}/${shown.id}`);
  expect(token).toMatch(/^aat_[\w.-]{60,}$/);
  const expires = new Date(api.clock.nowMs + 180 * DAY_MS).toISOString();
  expect(shown).toEqual({ id: expect.any(String), source: 'hr', expires });
  expect((await api.call('GET', path)).json).toEqual([shown]);
  const log = await api.call('GET', '/audit-events/v1');
  expect(log.text).toContain(shown.id);
  expect(log.text).not.toContain(token.split('.')[1]);
});

test.each([1, 366])('a static token lasts %i days', async (expiresDays) => {
  const { api, path } = await openWithSource();
  const { json } = await api.call('POST', path, { body: { source: 'hr', expiresDays } });
  expect(Date.parse(json.expires)).toBe(api.clock.nowMs + expiresDays * DAY_MS);
});

test.each([
  [{ source: 'hr', expiresDays: 0 }, '400.1.3'],
  [{ source: 'hr', expiresDays: 367 }, '400.1.3'],
  [{ source: 'hr', expiresDays: 1.5 }, '400.1.3'],
  [{ source: 'nowhere' }, '400.1.404'],
  [{}, '400.1.0'],
])('%j is refused', async (body, code) => {
  const { api, path } = await openWithSource();
  const { status, json } = await api.call('POST', path, { body });
  expect([status, json.causes[0].detailCode]).toEqual([400, code]);
});

test('a client has at most two valid tokens a source; one that is deleted or has expired makes room', async () => {
  const { api, path } = await openWithSource();
  const rootToken = () => api.tokenFor('root', 'root secret%');
  let token = await rootToken();
  const call = (method: string, to: string, body?: object) =>
    api.call(method, to, { token, ...(body === undefined ? {} : { body }) });
  const post = async (source: string, expiresDays = 180) => (await call('POST', path, { source, expiresDays })).status;
  expect([await post('hr', 1), await post('hr'), await post('hr'), await post('crm')]).toEqual([201, 201, 409, 201]);
  api.clock.nowMs += DAY_MS;
  token = await rootToken();
  expect((await call('GET', `${path}?count=true`)).headers.get('x-total-count')).toBe('2');
  expect([await post('hr'), await post('hr')]).toEqual([201, 409]);
  const valid: readonly { readonly id: string; readonly source: string }[] = (await call('GET', path)).json;
  const ofHr = valid.find(({ source }) => source === 'hr');
  expect((await call('DELETE', `${path}/${ofHr?.id}`)).status).toBe(204);
  expect((await call('DELETE', `${path}/${ofHr?.id}`)).status).toBe(404);
  expect([await post('hr'), await post('hr')]).toEqual([201, 409]);
});

test('tokens need the rights of a rotation of the secret', async () => {
  const { api, path } = await openWithSource();
  const token = await api.clientToken({ scopes: ['oauth-clients:manage'] });
  const { json: made } = await api.call('POST', path, { body: { source: 'hr' } });
  expect((await api.call('POST', path, { token, body: { source: 'hr' } })).status).toBe(403);
  expect((await api.call('DELETE', `${path}/${made.id}`, { token })).status).toBe(403);
  expect((await api.call('GET', path, { token })).status).toBe(200);
  const reader = await api.clientToken({ scopes: SCOPES.filter((scope) => scope.endsWith(':read')) });
  expect((await api.call('GET', path, { token: reader })).status).toBe(403);
});

test('tokens end with their client and with their source', async () => {
  const { api, path } = await openWithSource();
  await api.call('POST', path, { body: { source: 'hr' } });
  await api.call('POST', path, { body: { source: 'crm' } });
  await api.importRecords([{ kind: 'source', id: 'hr', delete: true }]);
  expect((await api.call('GET', path)).json).toMatchObject([{ source: 'crm' }]);
  expect((await api.call('DELETE', path.replace('/bearer-tokens', ''))).status).toBe(204);
  for (const [method, body] of [['GET'], ['POST', { source: 'crm' }]] as const)
    expect((await api.call(method, path, body === undefined ? {} : { body })).status).toBe(404);
});
