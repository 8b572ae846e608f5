import { describe, expect, test } from 'vitest';
import { completeFixPlan, LEFT, STEP, SUMMARY } from './complete-fix-plan.ts';
import { openTestApi, WORLD } from './test-api.ts';

const FIX_PLAN = '/sod-violations/v1/fix-plan';
const REPORTS = '/sod-reports/v1';

async function openWorld() {
  const api = await openTestApi();
  await api.importRecords(WORLD);
  const start = (body: unknown, token?: string) =>
    api.call('POST', FIX_PLAN, { body, ...(token === undefined ? {} : { token }) });
  const linesOf = async (path: string) =>
    (await api.call('GET', path)).text.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)));
  return { ...api, start, linesOf };
}

describe('the request of a fix plan', () => {
  test.each([
    ['names nothing', {}],
    [
      'names all',
      {
        levels: ['CRITICAL', 'LOW'],
        policyIds: ['p-1'],
        identityIds: ['i-cleo'],
        keepHolders: 10,
        protect: [{ type: 'ROLE', id: 'r-buyer' }],
      },
    ],
    ['keeps nobody', { keepHolders: 0, protect: [] }],
  ])('is accepted where it %s', async (_, body) => {
    const { start, call, store, clock } = await openWorld();
    const started = await start(body);
    expect([started.status, Object.keys(started.json)]).toEqual([202, ['reportId', 'created']]);
    expect(started.headers.get('location')).toBe(`${REPORTS}/${started.json.reportId}`);
    const shown = (await call('GET', `${REPORTS}/${started.json.reportId}`)).json;
    expect(shown).toMatchObject({ kind: 'FIX_PLAN', state: 'PENDING', question: body, summary: null });
    const all = { levels: null, policyIds: null, identityIds: null, keepHolders: 1, protect: [] };
    const claimed = await store.reports.claim({ nowMs: clock.nowMs, leaseMs: 1_000 });
    expect(claimed?.fixPlan).toEqual({ ...all, ...body });
  });

  test.each([
    [{ levels: ['SEVERE'] }, '400.1.3', 'levels[0]'],
    [{ levels: [] }, '400.1.0', 'levels'],
    [{ policyIds: Array(501).fill('p-1') }, '400.1.4', 'policyIds'],
    [{ policyIds: ['p-1', 'none'] }, '400.1.404', 'policyIds[1]'],
    [{ identityIds: ['none'] }, '400.1.404', 'identityIds[0]'],
    [{ keepHolders: 11 }, '400.1.3', 'keepHolders'],
    [{ keepHolders: -1 }, '400.1.3', 'keepHolders'],
    [{ keepHolders: 1.5 }, '400.1.3', 'keepHolders'],
    [{ protect: [{ type: 'ENTITLEMENT', id: 'none' }] }, '400.1.404', 'protect[0]'],
    [{ protect: [{ type: 'IDENTITY', id: 'i-cleo' }] }, '400.1.3', 'protect[0].type'],
    [{ all: true }, '400.1', 'all'],
  ])('is refused as %j', async (body, code, at) => {
    const { start, call } = await openWorld();
    const { status, json } = await start(body);
    expect([status, json.detailCode]).toEqual([400, code]);
    expect(json.causes[0].text).toContain(at);
    expect((await call('GET', REPORTS)).json).toEqual([]);
  });

  test('names 500 policies and 500 identities at most', async () => {
    const { start } = await openWorld();
    for (const [name, id] of [
      ['policyIds', 'p-1'],
      ['identityIds', 'i-cleo'],
    ] as const) {
      const most = await start({ [name]: Array(500).fill(id) });
      const more = await start({ [name]: Array(501).fill(id) });
      expect([most.status, more.status, more.json.detailCode]).toEqual([202, 400, '400.1.4']);
    }
  });

  test('names nothing of another tenant', async () => {
    const { start, clientToken } = await openWorld();
    const token = await clientToken({ tenant: 'other' });
    for (const body of [
      { policyIds: ['p-1'] },
      { identityIds: ['i-cleo'] },
      { protect: [{ type: 'ROLE', id: 'r-buyer' }] },
    ])
      expect((await start(body, token)).json.detailCode).toBe('400.1.404');
  });
});

describe('a fix plan that is done', () => {
  test('shows its summary, its steps, and the violations that they leave', async () => {
    const { call, linesOf, ...api } = await openWorld();
    const reportId = await completeFixPlan({ call, ...api });
    const shown = await call('GET', `${REPORTS}/${reportId}`);
    expect(shown.json).toMatchObject({ kind: 'FIX_PLAN', state: 'SUCCESS', progress: 1, summary: SUMMARY });
    const listed = await call('GET', `${REPORTS}?filters=${encodeURIComponent('kind eq "FIX_PLAN"')}`);
    expect(listed.json).toMatchObject([{ reportId, summary: SUMMARY }]);
    const steps = await call('GET', `${REPORTS}/${reportId}/steps`);
    expect(steps.headers.get('content-type')).toBe('application/x-ndjson');
    expect(await linesOf(`${REPORTS}/${reportId}/steps`)).toEqual([STEP]);
    expect(await linesOf(`${REPORTS}/${reportId}/unsolvable`)).toEqual([LEFT]);
    const [event] = await api.store.events
      .read('default', { types: ['sod.report.completed'], limit: 10 })
      .then(({ events }) => events);
    expect(JSON.parse(event?.data ?? '')).toMatchObject({ reportId, summary: SUMMARY });
  });

  test('has no violations of its own, and another report no steps', async () => {
    const { call, ...api } = await openWorld();
    const reportId = await completeFixPlan({ call, ...api });
    expect((await call('GET', `${REPORTS}/${reportId}/violations`)).status).toBe(404);
    const { reportId: scan } = (await call('POST', '/sod-violations/v1/scan', { body: {} })).json;
    for (const what of ['steps', 'unsolvable'])
      expect((await call('GET', `${REPORTS}/${scan}/${what}`)).status).toBe(404);
    const { reportId: open } = (await call('POST', FIX_PLAN, { body: {} })).json;
    for (const what of ['steps', 'unsolvable'])
      expect((await call('GET', `${REPORTS}/${open}/${what}`)).status).toBe(409);
  });
});

describe('a step that is handed over', () => {
  test('is told by an event, and by the audit log', async () => {
    const { call, store, ...api } = await openWorld();
    const reportId = await completeFixPlan({ call, store, ...api });
    const requested = { reportId, comment: 'Soon', ...STEP };
    const answer = await call('POST', `${REPORTS}/${reportId}/steps/1/hand-over`, { body: { comment: 'Soon' } });
    expect([answer.status, answer.json]).toEqual([200, requested]);
    const { events } = await store.events.read('default', { types: ['sod.fix.requested'], limit: 10 });
    expect(events.map(({ data }) => JSON.parse(data ?? ''))).toEqual([requested]);
    const audit = await call('GET', `/audit-events/v1?filters=${encodeURIComponent(`resourceId eq "${reportId}"`)}`);
    expect(audit.json).toMatchObject([
      {
        operation: 'hand-over-sod-fix-step-v1',
        changes: [
          { field: 'handedOver', before: null, after: 1 },
          { field: 'comment', before: null, after: 'Soon' },
        ],
      },
    ]);
  });

  test('shows when it was last, and the event of another time does not', async () => {
    const { call, linesOf, store, clock, ...api } = await openWorld();
    const reportId = await completeFixPlan({ call, store, clock, ...api });
    for (const comment of ['Soon', 'Now']) {
      clock.nowMs += 60_000;
      const { json } = await call('POST', `${REPORTS}/${reportId}/steps/1/hand-over`, { body: { comment } });
      expect(json).toEqual({ reportId, comment, ...STEP });
      const handedOver = new Date(clock.nowMs).toISOString();
      expect(await linesOf(`${REPORTS}/${reportId}/steps`)).toEqual([{ ...STEP, handedOver }]);
    }
    const { events } = await store.events.read('default', { types: ['sod.fix.requested'], limit: 10 });
    const told = events.map(({ data }) => JSON.parse(data ?? ''));
    expect(told).toEqual(['Soon', 'Now'].map((comment) => ({ reportId, comment, ...STEP })));
  });

  test('must be one of a fix plan that is done', async () => {
    const { call, ...api } = await openWorld();
    const reportId = await completeFixPlan({ call, ...api });
    const handOver = async (id: string, step: string) =>
      (await call('POST', `${REPORTS}/${id}/steps/${step}/hand-over`, { body: {} })).status;
    for (const step of ['0', '2', '-1', '1.0', '99999999999', 'one']) expect(await handOver(reportId, step)).toBe(404);
    expect(await handOver('none', '1')).toBe(404);
    const { reportId: open } = (await call('POST', FIX_PLAN, { body: {} })).json;
    expect(await handOver(open, '1')).toBe(409);
  });
});
