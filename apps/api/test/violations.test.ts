import { expect, test } from 'vitest';
import { openViolations } from './open-violations.ts';
import { openTestApi, WORLD } from './test-api.ts';

const LIST = '/violations/v1';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** 4 violations; those of `p-1` are owned by cleo, who has no capability. */
async function openWorld() {
  const api = await openTestApi();
  await api.importRecords([...WORLD, { ...WORLD[WORLD.length - 1], id: 'p-2', name: 'Another' }]);
  const body = [{ op: 'replace', path: '/ownerRef', value: { type: 'IDENTITY', id: 'i-cleo' } }];
  expect((await api.call('PATCH', '/sod-policies/v1/p-1', { body })).status).toBe(200);
  const given = ['i-ada', 'i-bob', 'i-hal'].map((identityId, at) => ({
    policyId: 'p-1',
    identityId,
    levelRank: at + 1,
  }));
  const ids = await openViolations(api.store, [
    ...given,
    { policyId: 'p-2', identityId: 'i-ada', policyName: 'A, "b"' },
  ]);
  const cleo = await api.clientToken({ identityId: 'i-cleo' });
  return { ...api, ids, cleo };
}

test('before the register is filled for the first time, lists are of no instant', async () => {
  const { call, importRecords } = await openTestApi();
  await importRecords(WORLD);
  for (const path of [LIST, `${LIST}/export`]) {
    const { status, headers } = await call('GET', path);
    expect([path, status, headers.get('x-as-of')]).toEqual([path, 200, null]);
  }
  expect((await call('GET', `${LIST}/summary`)).json).toMatchObject({ asOf: null, open: 0 });
});

const nextOf = (link: string | null) => /<http:\/\/[^/]+([^>]+)>; rel="next"/.exec(link ?? '')?.[1] ?? null;

test('violations are listed by pages', async () => {
  const { call, ids } = await openWorld();
  const all = await call('GET', `${LIST}?count=true`);
  expect([all.status, all.headers.get('x-total-count'), all.headers.get('link')]).toEqual([200, '4', null]);
  expect(all.headers.get('x-as-of')).toBe('2026-11-21T09:30:00.000Z');
  expect(all.json.map(({ id }: { id: string }) => id)).toEqual(ids);
  const filters = encodeURIComponent('level in ("Medium", "High") and policyId eq "p-1"');
  for (const name of ['sorters', 'sort']) {
    const found: string[] = [];
    for (let path: string | null = `${LIST}?${name}=-level&limit=1&filters=${filters}`; path !== null; ) {
      const page = await call('GET', path);
      found.push(...page.json.map(({ level }: { level: string }) => level));
      path = nextOf(page.headers.get('link'));
    }
    expect(found).toEqual(['High', 'Medium']);
  }
  const first = await call('GET', `${LIST}?limit=1`);
  const cursor = new URL(nextOf(first.headers.get('link')) ?? '', 'http://a').searchParams.get('cursor') ?? '';
  for (const query of [
    'cursor=x',
    'cursor=',
    `cursor=${cursor}x`,
    `cursor=${cursor}&sorters=level`,
    `cursor=${cursor}&cursor=${cursor}`,
    `cursor=${cursor}&offset=1`,
    'sorters=level&sort=level',
    'sorters=name',
    'filters=status eq "open"',
    'limit=0',
  ]) {
    const { status, json } = await call('GET', `${LIST}?${query}`);
    expect([query, status, json.detailCode]).toEqual([query, 400, '400.1.3']);
  }
});

test('all answers tell the same moment, and no row is later', async () => {
  const { call, cleo, ids } = await openWorld();
  const body = { assigneeId: 'i-hal', assigneeType: 'IDENTITY' };
  const reassigned = await call('POST', `${LIST}/${ids[3]}/reassign`, { body });
  expect(reassigned.status).toBe(200);
  const moment = reassigned.json.lastEvaluatedDate;
  const rowsOf = (text: string) => text.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)));
  const list = await call('GET', `${LIST}?count=true`);
  const exported = await call('GET', `${LIST}/export`);
  const mine = await call('GET', '/my-violations/v1', { token: cleo });
  const summary = await call('GET', `${LIST}/summary`);
  const one = await call('GET', `${LIST}/${ids[0]}`);
  expect([list, exported, mine].map(({ headers }) => headers.get('x-as-of'))).toEqual([moment, moment, moment]);
  expect(summary.json.asOf).toBe(moment);
  for (const row of [...list.json, ...rowsOf(exported.text), ...mine.json, one.json]) {
    expect(row.lastEvaluatedDate).toBe(moment);
    expect(row.created <= row.modified && row.modified <= moment).toBe(true);
  }
});

test('an owner reads its violations without a capability, and no others', async () => {
  const { call, cleo, ids } = await openWorld();
  const mine = await call('GET', '/my-violations/v1', { token: cleo });
  expect(mine.json).toMatchObject(['High', 'Medium', 'Low'].map(() => ({ owner: { id: 'i-cleo', name: 'cleo' } })));
  const owned = new Set(mine.json.map(({ id }: { id: string }) => id));
  for (const id of [...ids, UNKNOWN, 'i-cleo']) {
    const { status } = await call('GET', `${LIST}/${id}`, { token: cleo });
    expect([id, status]).toEqual([id, owned.has(id) ? 200 : 403]);
  }
  for (const path of [LIST, `${LIST}/export`, `${LIST}/summary`])
    expect((await call('GET', path, { token: cleo })).status).toBe(403);
  expect((await call('GET', '/my-violations/v1')).status).toBe(403);
  expect((await call('GET', `${LIST}/${UNKNOWN}`)).status).toBe(404);
});

test('the ETag of a violation leaves its last evaluation out', async () => {
  const { call, ids, clock } = await openWorld();
  const before = await call('GET', `${LIST}/${ids[0]}`);
  clock.nowMs += 1_000;
  const after = await call('GET', `${LIST}/${ids[0]}`);
  expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
});

test('an export is JSON lines, or CSV with a header line', async () => {
  const { call, ids } = await openWorld();
  const lines = await call('GET', `${LIST}/export`);
  expect(lines.headers.get('content-type')).toBe('application/x-ndjson');
  const exported = lines.text.trimEnd().split('\n');
  expect(exported.map((line) => JSON.parse(line).id)).toEqual(ids);
  const filters = encodeURIComponent('policyId eq "p-2"');
  const csv = await call('GET', `${LIST}/export?filters=${filters}`, { headers: { accept: 'text/csv' } });
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
  const [header, row, end, ...others] = csv.text.split('\r\n');
  expect([header?.split(',').slice(0, 5).join(), end, others]).toEqual(['id,name,status,level,created', '', []]);
  expect(row).toContain(',"A, ""b"": i-ada",Open,High,');
});

test('the summary has the kept counts and the days asked for', async () => {
  const { call } = await openWorld();
  const { json } = await call('GET', `${LIST}/summary?days=2`);
  expect(json).toMatchObject({ asOf: '2026-11-21T09:30:00.000Z', open: 4, mitigated: 0 });
  expect(json.byLevel).toContainEqual({ level: 'High', open: 2, mitigated: 0 });
  expect(json.trend).toEqual([
    { date: '2026-11-20', opened: 0, ended: 0, open: 0 },
    { date: '2026-11-21', opened: 4, ended: 0, open: 4 },
  ]);
  expect((await call('GET', `${LIST}/summary`)).json.trend).toHaveLength(30);
  for (const days of ['0', '401', 'x', '1&days=1'])
    expect((await call('GET', `${LIST}/summary?days=${days}`)).status).toBe(400);
});
