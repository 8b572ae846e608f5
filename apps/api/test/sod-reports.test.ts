import { OPEN_REPORTS_MAX } from '@access-admin/domain';
import type { ClaimedReport } from '@access-admin/store';
import { describe, expect, test, vi } from 'vitest';
import { piecesOf, readSlowly } from './read-slowly.ts';
import { openTestApi, type TestApi, WORLD } from './test-api.ts';

const DRY_RUN = '/sod-policies/v1/dry-run';
const SCAN = '/sod-violations/v1/scan';
const BLAST = '/sod-violations/v1/blast-radius';
const REPORTS = '/sod-reports/v1';
const MOMENT = '2026-11-21T09:30:00.000Z';
const side = (...ids: readonly string[]) => ({
  name: null,
  criteriaList: ids.map((id) => ({ type: 'ENTITLEMENT', id })),
});
const policy = (left: string, right: string, fields: object = {}) => ({
  name: 'Tried out',
  conflictingAccessCriteria: { leftCriteria: side(left), rightCriteria: side(right) },
  ...fields,
});

async function openWorld() {
  const api = await openTestApi();
  await api.importRecords(WORLD);
  const post = (path: string, body: unknown, token?: string) =>
    api.call('POST', path, { body, ...(token === undefined ? {} : { token }) });
  return { ...api, post };
}

async function claim({ store, clock }: TestApi): Promise<ClaimedReport> {
  const claimed = await store.reports.claim({ nowMs: clock.nowMs, leaseMs: 1_000 });
  if (claimed === null) throw new Error('there is no report to be made');
  return claimed;
}

const BY_ROOT = { clientId: 'root', identityId: null, displayName: null };
const EXCEPTION = { id: 'x-1', end: '2027-01-01T00:00:00.000Z' };

/**
 * Stores a report as a worker does: `count` violations of `p-1`, the first of which an exception covers, and one of `p-2`
 * that the change removes.
 */
async function complete(api: TestApi, count: number): Promise<void> {
  const claimed = await claim(api);
  const { reports } = api.store;
  const leaseEndMs = api.clock.nowMs + 1_000;
  const items: readonly (readonly [string, string])[] = [['e-pay', 'AP: release payment']];
  const sides = {
    atLeast: null,
    sides: [
      { name: null, items },
      { name: null, items: [] },
    ],
  };
  const lines = Array.from({ length: count }, (_, at) => ({
    number: 0,
    identityId: `i-${String(at).padStart(4, '0')}`,
    displayName: null,
    change: at % 2 === 0 ? ('new' as const) : ('same' as const),
    items: [1],
    exception: at === 0 ? EXCEPTION : null,
  }));
  const none = { new: 0, same: 0, gone: 0 };
  const counts = { new: Math.ceil(count / 2), same: Math.floor(count / 2), gone: 0, excepted: { ...none, new: 1 } };
  const gone = { ...none, gone: 1, excepted: none };
  await reports.renew(claimed, { progress: 0.25, leaseEndMs, basis: { policySetVersion: 1, asOf: MOMENT } });
  const ended = {
    number: 3,
    identityId: 'i-1',
    displayName: 'Ada',
    change: 'gone',
    items: [1],
    exception: null,
  } as const;
  await reports.saveViolations(claimed, [...lines, ended], leaseEndMs);
  const named = { before: sides, after: sides };
  await reports.savePolicies(
    claimed,
    [
      { ...named, policyId: 'p-1', name: 'One', level: 'HIGH', number: 0, ...counts },
      { ...named, policyId: 'p-2', name: 'Two', level: 'LOW', number: 3, ...gone },
    ],
    leaseEndMs,
  );
  const totals = { identities: 7, ...counts, gone: 1, excepted: 1 };
  await reports.complete(claimed, { state: 'SUCCESS', completed: MOMENT, totals, message: null }, 50);
}

/** Stores a report with one violation of each policy. */
async function completeWithPolicies(api: TestApi, count: number): Promise<void> {
  const claimed = await claim(api);
  const none = { new: 0, same: 0, gone: 0 };
  const policies = Array.from({ length: count }, (_, number) => ({
    policyId: `p-${number}`,
    name: `Policy ${number}`,
    level: 'LOW' as const,
    number,
    before: null,
    after: null,
    ...none,
    same: 1,
    excepted: none,
  }));
  await api.store.reports.savePolicies(claimed, policies, api.clock.nowMs + 1_000);
  const totals = { identities: count, ...none, same: count, excepted: 0 };
  await api.store.reports.complete(claimed, { state: 'SUCCESS', completed: MOMENT, totals, message: null }, 50);
}

describe('a report', () => {
  test.each([
    ['DRY_RUN', DRY_RUN, { add: [policy('e-vendor', 'e-report')], change: [], remove: ['p-1'] }],
    ['DRY_RUN', DRY_RUN, {}],
    ['SCAN', SCAN, {}],
    ['BLAST_RADIUS', BLAST, { kind: 'role', id: 'r-buyer', add: [{ type: 'ENTITLEMENT', id: 'e-pay' }] }],
    ['BLAST_RADIUS', BLAST, { kind: 'role', id: 'r-buyer', add: [{ type: 'ACCESS_PROFILE', id: 'ap-vendor' }] }],
    ['BLAST_RADIUS', BLAST, { kind: 'accessProfile', id: 'ap-vendor', add: [] }],
  ])('of kind %s is accepted and exists for its tenant only', async (kind, path, body) => {
    const { post, call, clientToken } = await openWorld();
    const started = await post(path, body);
    const { reportId } = started.json;
    expect([started.status, started.json]).toEqual([202, { reportId, created: MOMENT }]);
    expect(started.headers.get('location')).toBe(`${REPORTS}/${reportId}`);
    const pending = {
      reportId,
      kind,
      state: 'PENDING',
      progress: 0,
      created: MOMENT,
      requestedBy: BY_ROOT,
      question: body,
      completed: null,
      policySetVersion: null,
      asOf: null,
      summary: null,
    };
    const found = await call('GET', `${REPORTS}/${reportId}`);
    expect([found.status, found.json]).toEqual([200, pending]);
    const token = await clientToken({ tenant: 'other' });
    for (const what of ['', '/violations'])
      expect((await call('GET', `${REPORTS}/${reportId}${what}`, { token })).status).toBe(404);
  });

  test('keeps who asked, named as at the request, and the question as it was sent', async () => {
    const { post, call, clientToken, importRecords } = await openWorld();
    const eve = {
      kind: 'identity',
      id: 'i-eve',
      uid: 'eve',
      identityProfile: 'ip-emp',
      capabilities: ['POLICY_ADMIN'],
    };
    expect((await importRecords([{ ...eve, displayName: 'Eve L.' }])).status).toBe(200);
    const token = await clientToken({ scopes: ['sod-violations:read'], identityId: 'i-eve' });
    const question = { at: '2027-03-01T01:30:00+01:30' };
    const { reportId } = (await post(SCAN, question, token)).json;
    await importRecords([{ ...eve, displayName: 'Eve Lovelace' }]);
    const requestedBy = { clientId: expect.any(String), identityId: 'i-eve', displayName: 'Eve L.' };
    const asked = { at: '2027-03-01T00:00:00.000Z', requestedBy, question };
    expect((await call('GET', `${REPORTS}/${reportId}`)).json).toMatchObject(asked);
    expect((await call('GET', REPORTS)).json).toMatchObject([asked]);
    await importRecords([{ kind: 'identity', id: 'i-eve', delete: true }]);
    expect((await call('GET', `${REPORTS}/${reportId}`)).json).toMatchObject(asked);
  });

  test('keeps a question of at most 16 KiB', async () => {
    const { post, call } = await openWorld();
    const question = { add: [policy('e-vendor', 'e-report', { description: '…'.repeat(100) })] };
    const text = JSON.stringify(question);
    const keptOf = async (bytes: number) => {
      const started = await post(DRY_RUN, text + ' '.repeat(bytes - Buffer.byteLength(text)));
      return (await call('GET', `${REPORTS}/${started.json.reportId}`)).json.question;
    };
    expect(await keptOf(16 * 1024)).toEqual(question);
    expect(await keptOf(16 * 1024 + 1)).toBeNull();
  });

  test('shows its progress and its result', async () => {
    const api = await openWorld();
    const { reportId } = (await api.post(SCAN, {})).json;
    const { store, clock } = api;
    const claimed = await claim(api);
    const basis = { policySetVersion: 1, asOf: MOMENT };
    await store.reports.renew(claimed, { progress: 0.25, leaseEndMs: clock.nowMs, basis });
    const running = await api.call('GET', `${REPORTS}/${reportId}`);
    expect(running.json).toMatchObject({ state: 'RUNNING', progress: 0.25, ...basis, completed: null, summary: null });
    await store.reports.release(claimed, { availableAtMs: 0, isAttempt: false });
    await complete(api, 3);
    const done = await api.call('GET', `${REPORTS}/${reportId}`);
    expect(done.headers.get('content-type')).toBe('application/json');
    expect(done.json).toEqual({
      reportId,
      kind: 'SCAN',
      state: 'SUCCESS',
      progress: 1,
      created: MOMENT,
      requestedBy: BY_ROOT,
      question: {},
      completed: MOMENT,
      policySetVersion: 1,
      asOf: MOMENT,
      summary: {
        identities: 7,
        new: 2,
        same: 1,
        gone: 1,
        excepted: 1,
        byPolicy: [
          { policyId: 'p-1', name: 'One', level: 'HIGH', new: 2, same: 1, gone: 0, excepted: 1 },
          { policyId: 'p-2', name: 'Two', level: 'LOW', new: 0, same: 0, gone: 1, excepted: 0 },
        ],
      },
    });
  });

  test('is sent in one piece, unless its summary is long: a piece waits for a turn of the event loop', async () => {
    const api = await openWorld();
    const piecesOfReport = async (reportId: string) => {
      const pieces: string[] = [];
      for await (const piece of piecesOf(api, `${REPORTS}/${reportId}`)) pieces.push(piece);
      return pieces;
    };
    const short = (await api.post(SCAN, {})).json;
    await complete(api, 3);
    const long = (await api.post(SCAN, {})).json;
    await completeWithPolicies(api, 1_000);
    const [whole = '', ...others] = await piecesOfReport(short.reportId);
    expect(others).toEqual([]);
    expect(JSON.parse(whole)).toMatchObject({ state: 'SUCCESS', summary: { identities: 7, byPolicy: [{}, {}] } });
    const pieces = await piecesOfReport(long.reportId);
    const { byPolicy } = JSON.parse(pieces.join('')).summary;
    expect([pieces.length > 1, byPolicy.length, byPolicy[999].policyId]).toEqual([true, 1_000, 'p-999']);
  });

  test('that is removed while its summary is sent ends without its last piece', async () => {
    const api = await openWorld();
    const { reportId } = (await api.post(SCAN, {})).json;
    await completeWithPolicies(api, 1_000);
    const pieces = piecesOf(api, `${REPORTS}/${reportId}`);
    expect((await pieces.next()).value).toContain('"byPolicy":[');
    while (await api.store.reports.removeExpired('2027-01-01T00:00:00.000Z'));
    const readRest = async () => {
      for await (const _ of pieces);
    };
    await expect(readRest()).rejects.toThrow();
  });

  test('that is removed while its short answer is made is refused until it is asked for again', async () => {
    const api = await openWorld();
    const { reportId } = (await api.post(SCAN, {})).json;
    await complete(api, 3);
    const { reports } = api.store;
    const { policies } = reports;
    vi.spyOn(reports, 'policies').mockImplementationOnce(async function* (report) {
      yield* policies(report);
      while (await reports.removeExpired('2027-01-01T00:00:00.000Z'));
    });
    const refused = await api.call('GET', `${REPORTS}/${reportId}`);
    expect([refused.status, refused.json.detailCode]).toEqual([503, '503']);
    expect((await api.call('GET', `${REPORTS}/${reportId}`)).status).toBe(404);
  });

  test('without violations has an empty summary', async () => {
    const api = await openWorld();
    const { reportId } = (await api.post(SCAN, {})).json;
    const totals = { identities: 4, new: 0, same: 0, gone: 0, excepted: 0 };
    const end = { state: 'SUCCESS', completed: MOMENT, totals, message: null } as const;
    await api.store.reports.complete(await claim(api), end, 50);
    expect((await api.call('GET', `${REPORTS}/${reportId}`)).json.summary).toEqual({ ...totals, byPolicy: [] });
    const violations = await api.call('GET', `${REPORTS}/${reportId}/violations`);
    expect([violations.status, violations.text]).toEqual([200, '']);
  });

  test('that failed has a message and no violations', async () => {
    const api = await openWorld();
    const { reportId } = (await api.post(SCAN, {})).json;
    const end = { state: 'ERROR', completed: MOMENT, totals: null, message: 'It failed.' } as const;
    await api.store.reports.complete(await claim(api), end, 50);
    const failed = (await api.call('GET', `${REPORTS}/${reportId}`)).json;
    expect(failed).toMatchObject({ state: 'ERROR', message: 'It failed.', completed: MOMENT, summary: null });
    expect((await api.call('GET', `${REPORTS}/${reportId}/violations`)).json.detailCode).toBe('409.1');
  });
});

describe('the violations of a report', () => {
  const idsOf = (text: string) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
      .map(({ policyId, identityId }) => `${policyId} ${identityId}`);

  test('are lines ordered by policy and identity, page by page', async () => {
    const api = await openWorld();
    const { reportId } = (await api.post(SCAN, {})).json;
    await complete(api, 300);
    const path = `${REPORTS}/${reportId}/violations`;
    const first = await api.call('GET', `${path}?count=true`);
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
    expect(first.headers.get('x-total-count')).toBe('301');
    expect(idsOf(first.text)).toHaveLength(250);
    expect(JSON.parse(first.text.slice(0, first.text.indexOf('\n')))).toEqual({
      change: 'new',
      identityId: 'i-0000',
      displayName: null,
      policyId: 'p-1',
      policyName: 'One',
      level: 'HIGH',
      conflictingAccessCriteria: {
        leftCriteria: {
          criteriaList: [{ type: 'ENTITLEMENT', id: 'e-pay', name: 'AP: release payment', existing: true }],
        },
        rightCriteria: { criteriaList: [] },
      },
      exception: EXCEPTION,
    });
    const next = new URL(/<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '');
    const second = await api.call('GET', next.pathname + next.search);
    expect(second.headers.get('link')).toBeNull();
    const all = [...idsOf(first.text), ...idsOf(second.text)];
    expect(all).toHaveLength(301);
    expect(all).toEqual(all.toSorted());
  });

  test('have as long as any list: their reader may be slow', async () => {
    const api = await openWorld();
    const { reportId } = (await api.post(SCAN, {})).json;
    await complete(api, 300);
    const pieces = await readSlowly(api, `${REPORTS}/${reportId}/violations`);
    expect([pieces.length > 1, idsOf(pieces.join('')).length]).toEqual([true, 250]);
  });

  test('can be filtered by change and policy, and the link to the next page keeps the filters', async () => {
    const api = await openWorld();
    const { reportId } = (await api.post(SCAN, {})).json;
    await complete(api, 10);
    const get = (query: string) => api.call('GET', `${REPORTS}/${reportId}/violations${query}`);
    expect(idsOf((await get('?change=gone')).text)).toEqual(['p-2 i-1']);
    expect(idsOf((await get('?policyId=p-2')).text)).toEqual(['p-2 i-1']);
    expect(idsOf((await get('?policyId=none')).text)).toEqual([]);
    expect(idsOf((await get('?policyId=p-2&change=new')).text)).toEqual([]);
    const page = await get('?change=new&policyId=p-1&limit=2&offset=1&count=true');
    expect([idsOf(page.text), page.headers.get('x-total-count')]).toEqual([['p-1 i-0002', 'p-1 i-0004'], '5']);
    const next = new URL(/<([^>]+)>/.exec(page.headers.get('link') ?? '')?.[1] ?? '');
    const rest = await api.call('GET', next.pathname + next.search);
    expect(idsOf(rest.text)).toEqual(['p-1 i-0006', 'p-1 i-0008']);
  });

  test.each([
    ['identityId eq "i-0001"', ['p-1 i-0001']],
    ['identityId in ("i-1", "i-0003", "i-none")', ['p-1 i-0003', 'p-2 i-1']],
    ['identityId in ("i-1", "i-0003") and policyId eq "p-1"', ['p-1 i-0003']],
    ['identityId eq "i-1" and identityId eq "i-0003"', []],
    ['policyId in ("p-2", "p-3")', ['p-2 i-1']],
    ['policyId eq "none"', []],
    ['level in ("LOW", "CRITICAL")', ['p-2 i-1']],
    ['level eq "LOW" and level eq "HIGH"', []],
    ['excepted eq "true"', ['p-1 i-0000']],
    ['excepted eq "false" and identityId in ("i-0000", "i-0001", "i-1")', ['p-1 i-0001', 'p-2 i-1']],
    ['excepted eq "true" and excepted eq "false"', []],
  ])('can be filtered by %s', async (filters, expected) => {
    const api = await openWorld();
    const { reportId } = (await api.post(SCAN, {})).json;
    await complete(api, 10);
    const get = (query: string) => api.call('GET', `${REPORTS}/${reportId}/violations?${query}`);
    const all = `filters=${encodeURIComponent(filters)}&count=true`;
    const whole = await get(all);
    expect([idsOf(whole.text), whole.headers.get('x-total-count')]).toEqual([expected, String(expected.length)]);
    const paged: string[] = [];
    for (let next = `${all}&limit=1`; next !== ''; ) {
      const page = await get(next);
      paged.push(...idsOf(page.text));
      next = /\?([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
    }
    expect(paged).toEqual(expected);
  });

  test('are found by filters together with the change and the policy', async () => {
    const api = await openWorld();
    const { reportId } = (await api.post(SCAN, {})).json;
    await complete(api, 600);
    const get = (query: string) => api.call('GET', `${REPORTS}/${reportId}/violations?${query}`);
    const filters = encodeURIComponent('excepted eq "false" and level eq "HIGH"');
    const page = await get(`filters=${filters}&change=new&policyId=p-1&limit=2&offset=297&count=true`);
    expect([idsOf(page.text), page.headers.get('x-total-count')]).toEqual([['p-1 i-0596', 'p-1 i-0598'], '299']);
    expect(page.headers.get('link')).toBeNull();
    expect(idsOf((await get(`filters=${filters}&policyId=p-2`)).text)).toEqual([]);
  });

  test.each([
    'filters=',
    'filters=name eq "a"',
    'filters=excepted eq "yes"',
    'filters=excepted in ("true")',
    'filters=level eq "high"',
    'filters=identityId sw "i"',
    'filters=identityId eq "i"&filters=identityId eq "i"',
    'change=NEW',
    'change=',
    'change=new&change=new',
    'policyId=a&policyId=b',
    'limit=0',
    'offset=-1',
    'count=1',
  ])('cannot be requested with %s', async (query) => {
    const api = await openWorld();
    const { reportId } = (await api.post(SCAN, {})).json;
    const refused = await api.call('GET', `${REPORTS}/${reportId}/violations?${query}`);
    expect([refused.status, refused.json.detailCode]).toEqual([400, '400.1.3']);
  });

  test('are not available before the report is done', async () => {
    const api = await openWorld();
    const { reportId } = (await api.post(SCAN, {})).json;
    for (const state of ['PENDING', 'RUNNING']) {
      expect((await api.call('GET', `${REPORTS}/${reportId}`)).json.state).toBe(state);
      const refused = await api.call('GET', `${REPORTS}/${reportId}/violations`);
      expect([refused.status, refused.json.detailCode]).toEqual([409, '409.1']);
      if (state === 'PENDING') await claim(api);
    }
  });
});

const OTHER = { ...policy('e-vendor', 'e-report'), id: 'p-new' };
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('a dry-run is refused', () => {
  test.each([
    ['what is no object', '[]', '400.1'],
    ['what is no JSON', '{"add":[{]}', '400.1'],
    ['a list without its end', '{"add":[{}', '400.1'],
    ['a comma too many', '{"remove":["p-1",]}', '400.1'],
    ['an item too few', '{"remove":[,"p-1"]}', '400.1'],
    ['something behind it', '{"remove":["p-1"]} {}', '400.1'],
    ['a list twice', '{"remove":["p-1"],"remove":["p-1"]}', '400.1'],
    ['a property twice within a policy', '{"add":[{"name":"a","name":"b"}]}', '400.1'],
    ['a NUL within a policy', '{"add":[{"name":"a\\u0000"}]}', '400.1'],
    ['an unknown property', { drop: [] }, '400.1'],
    ['an unknown property of a policy', { add: [{ ...OTHER, owner: 'x' }] }, '400.1'],
    ['what is nested 33 deep', `{"add":[${nested(31)}]}`, '400.1'],
    ['what is nested 32 deep', `{"add":[${nested(30)}]}`, '400.1.3'],
    ['no list', { add: {} }, '400.1.3'],
    ['no policy', { add: ['p-1'] }, '400.1.3'],
    ['an id that is none', { remove: ['a b'] }, '400.1.3'],
    ['an id that is no text', { remove: [1] }, '400.1.3'],
    ['an empty id', { remove: [''] }, '400.1.0'],
    ['a policy without a name', { add: [{ ...OTHER, name: undefined }] }, '400.1.0'],
    ['a change that does not say of what', { change: [policy('e-pay', 'e-report')] }, '400.1.0'],
    ['an id that is too long', { remove: ['x'.repeat(129)] }, '400.1.2'],
    ['an item on both sides', { add: [policy('e-pay', 'e-pay')] }, '400.1.3'],
    [
      'too few sides',
      { add: [{ ...OTHER, conflictingAccessCriteria: { criteria: [side('e-pay')], atLeast: 2 } }] },
      '400.1.3',
    ],
    ['the same id added twice', { add: [OTHER, OTHER] }, '400.1.3'],
    ['the same id changed and removed', { change: [{ ...OTHER, id: 'p-1' }], remove: ['p-1'] }, '400.1.3'],
    ['the same id removed twice', { remove: ['p-1', 'p-1'] }, '400.1.3'],
    ['an item that does not exist', { add: [policy('e-pay', 'e-none')] }, '400.1.404'],
    ['a change of a policy that does not exist', { change: [{ ...OTHER, id: 'p-none' }] }, '400.1.404'],
    ['the removal of a policy that does not exist', { remove: ['p-none'] }, '400.1.404'],
    ['the addition of a policy that exists', { add: [{ ...OTHER, id: 'p-1' }] }, '409.1'],
    ['10,001 policies', { remove: Array.from({ length: 10_001 }, (_, at) => `p-${at}`) }, '400.1.4'],
    ['10,001 of two kinds', { add: [OTHER], remove: Array.from({ length: 10_000 }, (_, at) => `p-${at}`) }, '400.1.4'],
  ])('for %s', async (_, body, code) => {
    const { post, store } = await openWorld();
    const refused = await post(DRY_RUN, body);
    expect([refused.json.detailCode, refused.json]).toEqual([code, refused.json]);
    expect(refused.status).toBe(Number(code.slice(0, 3)));
    expect((await store.reports.measureBacklog()).depth).toBe(0);
  });

  test('with the position of each cause', async () => {
    const { post } = await openWorld();
    const textsOf = async (body: unknown) =>
      (await post(DRY_RUN, body)).json.causes.map(({ text }: { text: string }) => text);
    expect(await textsOf({ add: [OTHER, { ...OTHER, level: 'X' }], remove: [''] })).toEqual([
      expect.stringMatching(/^add\[1\]\.level: must be/),
      'remove[0]: must not be empty',
    ]);
    expect(await textsOf({ change: [{ ...policy('e-none', 'e-pay'), id: 'p-x' }], remove: ['p-y'] })).toEqual([
      'change[0].id: there is no SOD policy p-x',
      'change[0].conflictingAccessCriteria.leftCriteria.criteriaList[0].id: there is no ENTITLEMENT e-none',
      'remove[0]: there is no SOD policy p-y',
    ]);
    expect(await textsOf({ remove: ['p-1', 'p-1'] })).toEqual([
      'remove[1]: is the id of another policy of this dry-run',
    ]);
  });
});

test('a change may keep deleted items, but not add unknown ones', async () => {
  const { post, importRecords } = await openWorld();
  await importRecords([{ kind: 'entitlement', id: 'e-pay', delete: true }]);
  const change = (right: string) => ({ change: [{ ...policy('e-vendor', right), id: 'p-1' }] });
  expect((await post(DRY_RUN, change('e-pay'))).status).toBe(202);
  expect((await post(DRY_RUN, change('e-none'))).json.detailCode).toBe('400.1.404');
  expect((await post(DRY_RUN, { add: [policy('e-vendor', 'e-pay')] })).json.detailCode).toBe('400.1.404');
});

test('a dry-run accepts a policy as it was read', async () => {
  const { post, call } = await openWorld();
  const read = (await call('GET', '/sod-policies/v1/p-1')).json;
  expect((await post(DRY_RUN, { change: [{ ...read, state: 'NOT_ENFORCED' }] })).status).toBe(202);
});

describe('a blast radius is refused', () => {
  const gain = (fields: object) => ({ kind: 'role', id: 'r-buyer', add: [], ...fields });
  test.each([
    ['another kind', gain({ kind: 'identity' }), '400.1.3'],
    ['no kind', { id: 'r-buyer', add: [] }, '400.1.0'],
    ['no id', gain({ id: '' }), '400.1.0'],
    ['nothing to add', { kind: 'role', id: 'r-buyer' }, '400.1.0'],
    ['an unknown property', gain({ remove: [] }), '400.1'],
    ['a role within a role', gain({ add: [{ type: 'ROLE', id: 'r-buyer' }] }), '400.1.3'],
    [
      'an access profile within another',
      { kind: 'accessProfile', id: 'ap-vendor', add: [{ type: 'ACCESS_PROFILE', id: 'ap-vendor' }] },
      '400.1.3',
    ],
    ['a role that does not exist', gain({ id: 'r-none' }), '400.1.404'],
    ['an access profile that is a role', gain({ kind: 'accessProfile' }), '400.1.404'],
    ['access that does not exist', gain({ add: [{ type: 'ENTITLEMENT', id: 'e-none' }] }), '400.1.404'],
    ['501 access refs', gain({ add: Array(501).fill({ type: 'ENTITLEMENT', id: 'e-pay' }) }), '400.1.4'],
  ])('for %s', async (_, body, code) => {
    const { post } = await openWorld();
    const refused = await post(BLAST, body);
    expect([refused.json.detailCode, refused.json]).toEqual([code, refused.json]);
  });
});

describe('the list of reports', () => {
  test('has the newest first, with totals and without policies, and can be filtered and counted', async () => {
    const api = await openWorld();
    const start = async (path: string, body: object): Promise<string> => {
      api.clock.nowMs += 1_000;
      return (await api.post(path, body)).json.reportId;
    };
    const ids = [await start(SCAN, {}), await start(DRY_RUN, {}), await start(SCAN, {})];
    const [first = '', second = '', third = ''] = ids;
    await complete(api, 3);
    const list = async (query: string, token?: string) => {
      const answer = await api.call('GET', `${REPORTS}?${query}`, token === undefined ? {} : { token });
      return { ...answer, ids: answer.json.map(({ reportId }: { reportId: string }) => reportId) };
    };
    const filtered = async (filters: string) => (await list(`filters=${encodeURIComponent(filters)}`)).ids;
    const all = await list('count=true');
    expect([all.ids, all.headers.get('x-total-count')]).toEqual([[third, second, first], '3']);
    const { byPolicy: _, ...totals } = (await api.call('GET', `${REPORTS}/${first}`)).json.summary;
    const pending = (await api.call('GET', `${REPORTS}/${third}`)).json;
    expect(all.json[2]).toMatchObject({ reportId: first, state: 'SUCCESS', progress: 1, summary: totals });
    expect(Object.keys(all.json[2].summary)).not.toContain('byPolicy');
    expect(all.json[0]).toEqual(pending);
    expect(await filtered('kind eq "SCAN"')).toEqual([third, first]);
    expect(await filtered('kind in ("DRY_RUN", "BLAST_RADIUS")')).toEqual([second]);
    expect(await filtered('state in ("PENDING", "RUNNING")')).toEqual([third, second]);
    expect(await filtered('state eq "SUCCESS" and kind eq "DRY_RUN"')).toEqual([]);
    const page = await list('limit=1&offset=1');
    expect(page.ids).toEqual([second]);
    const next = new URL(/<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? '');
    expect((await list(next.search.slice(1))).ids).toEqual([first]);
    expect((await list('', await api.clientToken({ tenant: 'other' }))).ids).toEqual([]);
  });

  test.each(['filters=kind eq "scan"', 'filters=created ge "x"', 'limit=0', 'filters=kind sw "SCAN"'])(
    'cannot be requested with %s',
    async (query) => {
      const api = await openWorld();
      const refused = await api.call('GET', `${REPORTS}?${query}`);
      expect([refused.status, refused.json.detailCode]).toEqual([400, '400.1.3']);
    },
  );

  test('needs the right to read violations', async () => {
    const { call, clientToken } = await openWorld();
    const status = async (scope: 'sod-policies:read' | 'sod-violations:read') =>
      (await call('GET', REPORTS, { token: await clientToken({ scopes: [scope] }) })).status;
    expect([await status('sod-violations:read'), await status('sod-policies:read')]).toEqual([200, 403]);
  });
});

test('the summary of a finished scan at an instant is complete', async () => {
  const api = await openWorld();
  const { reportId } = (await api.post(SCAN, { at: '2027-01-01T00:00:00Z' })).json;
  await complete(api, 3);
  const { json } = await api.call('GET', `${REPORTS}/${reportId}`);
  expect([json.state, json.at, json.summary.byPolicy.length]).toEqual(['SUCCESS', '2027-01-01T00:00:00.000Z', 2]);
});

test('a scan accepts an instant and nothing else', async () => {
  const { post, call } = await openWorld();
  for (const body of ['[]', '{"all":true}']) expect((await post(SCAN, body)).json.detailCode).toBe('400.1');
  for (const at of ['tomorrow', '2026-02-30T00:00:00Z', 7])
    expect((await post(SCAN, { at })).json.detailCode).toBe('400.1.3');
  const { reportId } = (await post(SCAN, { at: '2027-01-01T01:00:00+01:00' })).json;
  expect((await call('GET', `${REPORTS}/${reportId}`)).json.at).toBe('2027-01-01T00:00:00.000Z');
  const now = (await post(SCAN, { at: null })).json.reportId;
  expect((await call('GET', `${REPORTS}/${now}`)).json).not.toHaveProperty('at');
});

test('a tenant may have 20 unfinished reports; one more is 429', async () => {
  const api = await openWorld();
  for (let at = 0; at < OPEN_REPORTS_MAX; at++) expect((await api.post(SCAN, {})).status).toBe(202);
  const refused = await api.post(DRY_RUN, {});
  expect([OPEN_REPORTS_MAX, refused.status, refused.json.detailCode]).toEqual([20, 429, '429']);
  expect(refused.headers.get('retry-after')).toBe('5');
  const token = await api.clientToken({ tenant: 'other' });
  expect((await api.post(SCAN, {}, token)).status).toBe(202);
  // The limit holds for each tenant separately.
  for (let at = 0; at <= OPEN_REPORTS_MAX; at++) await complete(api, 1);
  expect((await api.post(BLAST, { kind: 'role', id: 'r-buyer', add: [] })).status).toBe(202);
  const { text } = await api.metrics.render();
  expect(text).toContain('access_admin_queue_depth{queue="reports"} 1');
  expect(text).toContain('access_admin_register_corrections 0');
});

test('a caller that may only read policies may start dry-runs and no other report', async () => {
  const { post, clientToken } = await openWorld();
  const token = await clientToken({ scopes: ['sod-policies:read'] });
  expect((await post(DRY_RUN, {}, token)).status).toBe(202);
  expect((await post(SCAN, {}, token)).status).toBe(403);
  const reader = await clientToken({ scopes: ['sod-violations:read'] });
  expect((await post(SCAN, {}, reader)).status).toBe(202);
  expect((await post(DRY_RUN, {}, reader)).status).toBe(403);
});

test('a dry-run of 10,000 large policies is validated in many small steps', async () => {
  const { post, store } = await openWorld();
  const large = { ...policy('e-vendor', 'e-pay'), description: 'x'.repeat(1_200) };
  const body = JSON.stringify({ add: Array(10_000).fill(large) });
  expect(body.length).toBeGreaterThan(14_000_000);
  expect((await post(DRY_RUN, body)).status).toBe(202);
  const claimed = await store.reports.claim({ nowMs: Date.parse(MOMENT), leaseMs: 1_000 });
  let policies = 0;
  if (claimed !== null) for await (const { add } of store.reports.readDryRun(claimed)) policies += add.length;
  expect(policies).toBe(10_000);
});
