import { expect, test } from 'vitest';
import { openTestApi, type TestApi } from './test-api.ts';

const NDJSON = { 'content-type': 'application/x-ndjson' };
const LOADS = '/sources/v1/erp/loads';

async function openWorld() {
  const api = await openTestApi();
  await api.importRecords([
    { kind: 'entitlement', id: 'e-pay', name: 'Pay vendor' },
    { kind: 'identityProfile', id: 'ip', name: 'P' },
    { kind: 'identity', id: 'i-1', uid: 'ada', identityProfile: 'ip' },
    { kind: 'source', id: 'erp', name: 'ERP' },
  ]);
  return api;
}

const open = async (api: TestApi, body: object = { mode: 'FULL' }) =>
  (await api.call('POST', LOADS, { body })).json.loadId as string;

const put = (api: TestApi, loadId: string, n: number | string, ...records: readonly object[]) =>
  api.call('PUT', `${LOADS}/${loadId}/parts/${n}`, {
    headers: NDJSON,
    body: records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  });

/** Applies what is committed, as a worker does. */
async function work({ store }: TestApi): Promise<void> {
  const now = '2026-03-01T12:00:00.000Z';
  for (const claim of await store.loads.claim({ nowMs: Date.parse(now), leaseMs: 1_000, limit: 1 }))
    while ((await store.loads.advance(claim, { now, pause: () => {} })) === 'more');
}

test('a load is opened, sent, committed and applied', async () => {
  const api = await openWorld();
  const created = await api.call('POST', LOADS, { body: { mode: 'DELTA' } });
  expect([created.status, created.json]).toMatchObject([
    201,
    { source: 'erp', mode: 'DELTA', dryRun: false, state: 'OPEN', reason: null, deletes: null, summary: null },
  ]);
  const { loadId } = created.json;
  expect(created.headers.get('location')).toBe(`${LOADS}/${loadId}`);
  const account = { kind: 'account', id: 'a', name: 'ADA', access: [{ type: 'ENTITLEMENT', id: 'e-pay' }] };
  expect((await put(api, loadId, 1, account)).status).toBe(204);
  const committed = await api.call('POST', `${LOADS}/${loadId}/commit`);
  expect([committed.status, committed.json]).toMatchObject([202, { loadId, state: 'RUNNING' }]);
  expect((await put(api, loadId, 2, account)).json).toMatchObject({ detailCode: '409.1' });
  await work(api);
  const done = (await api.call('GET', `${LOADS}/${loadId}`)).json;
  expect(done).toMatchObject({
    state: 'SUCCESS',
    summary: { accounts: { created: 1 }, correlated: { byRule: 1 }, access: { added: 1 }, faultCount: 0 },
  });
  expect((await api.call('GET', LOADS)).json).toEqual([done]);
  expect((await api.call('GET', '/sources/v1/erp')).json).toMatchObject({ lastLoad: loadId });
  expect((await api.call('GET', '/accounts/v1')).json).toMatchObject([{ id: 'a', identityId: 'i-1' }]);
});

test('bad records refuse the load, and are named by part and line', async () => {
  const api = await openWorld();
  const loadId = await open(api);
  await put(api, loadId, 1, { kind: 'account', id: 'good' });
  expect((await put(api, loadId, 2, { kind: 'account' }, { kind: 'role', id: 'r', name: 'R' })).status).toBe(204);
  await api.call('POST', `${LOADS}/${loadId}/commit`, { body: {} });
  await work(api);
  expect((await api.call('GET', `${LOADS}/${loadId}`)).json).toMatchObject({
    state: 'REFUSED',
    reason: 'FAULTS',
    summary: { faults: [{ part: 2, line: 1, text: 'id: is required' }], faultCount: 1 },
  });
  expect((await api.call('GET', '/accounts/v1')).json).toEqual([]);
});

test.each([
  ['POST', LOADS, {}, 400, '400.1.0'],
  ['POST', LOADS, { mode: 'SOME' }, 400, '400.1.3'],
  ['POST', LOADS, { mode: 'FULL', more: 1 }, 400, '400.1'],
  ['POST', '/sources/v1/none/loads', { mode: 'FULL' }, 404, '404'],
  ['POST', `${LOADS}/none/commit`, {}, 404, '404'],
  ['POST', `${LOADS}/none/commit`, { confirmDeletes: -1 }, 400, '400.1.3'],
  ['DELETE', `${LOADS}/none`, undefined, 404, '404'],
  ['GET', `${LOADS}/none`, undefined, 404, '404'],
  ['GET', '/sources/v1/none/loads', undefined, 404, '404'],
] as const)('%s %s %j is answered with %i', async (method, path, body, status, detailCode) => {
  const api = await openWorld();
  const { status: answered, json } = await api.call(method, path, body === undefined ? {} : { body });
  expect([answered, json]).toMatchObject([status, { detailCode }]);
});

test.each(['0', '1001', '01', '1.5', 'x'])('a part has a number from 1 to 1000, not %s', async (n) => {
  const api = await openWorld();
  const loadId = await open(api);
  for (const taken of ['1', '1000'])
    expect((await put(api, loadId, taken, { kind: 'account', id: taken })).status).toBe(204);
  for (const id of [loadId, 'none']) {
    const refused = await put(api, id, n, { kind: 'account', id: 'a' });
    const causes = [{ text: 'n: must be the number of a part, from 1 to 1000' }];
    expect([refused.status, refused.json]).toMatchObject([400, { detailCode: '400.1.3', causes }]);
  }
  expect((await put(api, 'a~b', n, { kind: 'account', id: 'a' })).status).toBe(404);
});

test('a source has one load at a time, and an open one can be cancelled', async () => {
  const api = await openWorld();
  const loadId = await open(api);
  expect((await api.call('POST', LOADS, { body: { mode: 'FULL' } })).json).toMatchObject({ detailCode: '409.1' });
  expect((await api.call('DELETE', `${LOADS}/${loadId}`)).status).toBe(204);
  expect((await api.call('GET', `${LOADS}/${loadId}`)).status).toBe(404);
  expect((await api.call('POST', LOADS, { body: { mode: 'FULL' } })).status).toBe(201);
});
