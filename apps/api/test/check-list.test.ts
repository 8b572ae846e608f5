import { expect, test } from 'vitest';
import { completeOne } from './complete-check.ts';
import { openTestApi, WORLD } from './test-api.ts';

const LIST = '/sod-violations/v1/checks';

/** Four checks, a second apart: the first is done; the third is of cleo, the others are of ada. */
async function openChecks() {
  const api = await openTestApi();
  await api.importRecords(WORLD);
  const ids: string[] = [];
  for (const identityId of ['i-ada', 'i-ada', 'i-cleo', 'i-ada']) {
    const { json } = await api.call('POST', '/sod-violations/v1/check', { body: { identityId, accessRefs: [] } });
    ids.unshift(json.requestId);
    api.clock.nowMs += 1_000;
  }
  await completeOne(api);
  const list = async (query: string, token?: string) => {
    const answer = await api.call('GET', `${LIST}?${query}`, token === undefined ? {} : { token });
    return { ...answer, ids: answer.json.map(({ requestId }: { requestId: string }) => requestId) };
  };
  return { ...api, ids, list };
}

const filters = (text: string) => `filters=${encodeURIComponent(text)}`;
const nextOf = (link: string | null) => /<http:\/\/[^/]+[^>?]+\?([^>]+)>; rel="next"/.exec(link ?? '')?.[1] ?? null;

test('checks are listed, the newest first, by pages', async () => {
  const { call, list, ids } = await openChecks();
  const all = await list('count=true');
  expect([all.status, all.headers.get('x-total-count'), all.headers.get('link')]).toEqual([200, '4', null]);
  expect(all.ids).toEqual(ids);
  expect(all.json[3]).toEqual({
    requestId: ids[3],
    created: '2026-11-21T09:30:00.000Z',
    identityId: 'i-ada',
    state: 'SUCCESS',
    completed: '2026-11-21T09:30:04.000Z',
  });
  expect(all.json[2]).toMatchObject({ state: 'PENDING', completed: null });
  expect((await list(filters('state eq "PENDING"'))).ids).toEqual(ids.slice(0, 3));
  expect((await list(filters('state in ("SUCCESS", "ERROR")'))).ids).toEqual(ids.slice(3));
  expect((await list(filters('identityId eq "i-cleo"'))).ids).toEqual([ids[1]]);
  expect((await list(`count=true&${filters('identityId eq "nobody"')}`)).headers.get('x-total-count')).toBe('0');

  const ofAda = filters('identityId eq "i-ada" and state in ("PENDING", "SUCCESS")');
  const paged: string[] = [];
  for (let query: string | null = `limit=1&${ofAda}`; query !== null; ) {
    const page = await list(query);
    paged.push(...page.ids);
    query = nextOf(page.headers.get('link'));
    // The next page begins after this one, not at an offset.
    await call('POST', '/sod-violations/v1/check', { body: { identityId: 'i-ada', accessRefs: [] } });
  }
  expect(paged).toEqual([ids[0], ids[2], ids[3]]);
});

test('a list of checks refuses other filters, and cursors that are not its own', async () => {
  const { call, list } = await openChecks();
  const cursor = new URLSearchParams(nextOf((await list('limit=1')).headers.get('link')) ?? '').get('cursor') ?? '';
  for (const query of [
    filters('state eq "DONE"'),
    filters('identityId sw "i-"'),
    filters('created ge "2026-01-01T00:00:00Z"'),
    'limit=0',
    'cursor=x',
    `cursor=${cursor}x`,
    `cursor=${cursor}&offset=1`,
    `cursor=${Buffer.from('["-created,-request_id","today","00000000-0000-0000-0000-000000000000"]').toString('base64url')}`,
  ]) {
    const { status, json } = await call('GET', `${LIST}?${query}`);
    expect([query, status, json.detailCode]).toEqual([query, 400, '400.1.3']);
  }
});

test('a list of checks has those of the tenant of the caller, for whoever may read a check', async () => {
  const { call, list, clientToken } = await openChecks();
  expect((await list('count=true', await clientToken({ tenant: 'other' }))).ids).toEqual([]);
  const withoutScope = await clientToken({ scopes: ['sod-policies:read'] });
  const withoutCapability = await clientToken({ identityId: 'i-cleo' });
  for (const token of [withoutScope, withoutCapability]) expect((await call('GET', LIST, { token })).status).toBe(403);
});
