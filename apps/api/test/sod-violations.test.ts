import { describe, expect, test } from 'vitest';
import { completeOne } from './complete-check.ts';
import { openTestApi, type TestApi, WORLD } from './test-api.ts';

const PREDICT = '/sod-violations/v1/predict';
const CHECK = '/sod-violations/v1/check';
const pay = { type: 'ENTITLEMENT', id: 'e-pay' };

async function openWorld() {
  const api = await openTestApi();
  await api.importRecords(WORLD);
  return api;
}

/** The version after one import. */
const BASIS = { policySetVersion: 1, asOf: '2026-11-21T09:30:00.000Z' };

describe('start-predict-sod-violations-v1', () => {
  test('returns the violation with the items of both sides', async () => {
    const { call } = await openWorld();
    const answer = await call('POST', PREDICT, { body: { identityId: 'i-cleo', accessRefs: [pay] } });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      violationContexts: [
        {
          policy: { type: 'SOD_POLICY', id: 'p-1', name: 'Vendor and payment', level: 'CRITICAL' },
          preexisting: false,
          conflictingAccessCriteria: {
            leftCriteria: {
              criteriaList: [{ type: 'ENTITLEMENT', id: 'e-vendor', name: 'ERP: create vendor', existing: true }],
            },
            rightCriteria: {
              criteriaList: [{ type: 'ENTITLEMENT', id: 'e-pay', name: 'AP: release payment', existing: false }],
            },
          },
        },
      ],
      ...BASIS,
    });
  });

  test.each([
    ['no request', []],
    ['what is already held', [{ type: 'ROLE', id: 'r-buyer' }]],
    ['what conflicts with nothing', [{ type: 'ENTITLEMENT', id: 'e-report' }]],
  ])('%s causes no violation', async (_, accessRefs) => {
    const { call } = await openWorld();
    const answer = await call('POST', PREDICT, { body: { identityId: 'i-cleo', accessRefs } });
    expect(answer.json).toEqual({ violationContexts: [], ...BASIS });
  });

  test('all unknown access refs are named, before an unknown identity', async () => {
    const { call } = await openWorld();
    const accessRefs = [pay, { type: 'ROLE', id: 'e-pay' }, { type: 'ENTITLEMENT', id: 'no such' }];
    const answer = await call('POST', PREDICT, { body: { identityId: 'nobody', accessRefs } });
    expect([answer.status, answer.json.detailCode]).toEqual([400, '400.1.404']);
    expect(answer.json.causes.map(({ text }: { text: string }) => text.split(':')[0])).toEqual([
      'accessRefs[1]',
      'accessRefs[2]',
    ]);
    expect((await call('POST', PREDICT, { body: { identityId: 'nobody', accessRefs: [pay] } })).status).toBe(404);
  });

  test('uses every write that has been answered', async () => {
    const { call, importRecords } = await openWorld();
    const contexts = async () =>
      (await call('POST', PREDICT, { body: { identityId: 'i-hal', accessRefs: [pay] } })).json.violationContexts.length;
    expect(await contexts()).toBe(0);
    await importRecords([
      {
        kind: 'identity',
        id: 'i-hal',
        uid: 'hal',
        identityProfile: 'ip-emp',
        access: [{ type: 'ENTITLEMENT', id: 'e-vendor' }],
      },
    ]);
    expect(await contexts()).toBe(1);
    await importRecords([{ kind: 'sodPolicy', id: 'p-1', delete: true }]);
    expect(await contexts()).toBe(0);
  });

  test('the data of another tenant has no effect', async () => {
    const { call, clientToken } = await openWorld();
    const other = await clientToken({ tenant: 'other' });
    const answer = await call('POST', PREDICT, { token: other, body: { identityId: 'i-cleo', accessRefs: [] } });
    expect(answer.status).toBe(404);
  });
});

describe('start-violation-check-v1', () => {
  test('repeated with one Idempotency-Key is one check', async () => {
    const { call, clientToken, store, clock, importRecords } = await openWorld();
    const ask = (key: string, body: object = {}, token?: string) =>
      call('POST', CHECK, {
        headers: { 'idempotency-key': key },
        body: { identityId: 'i-cleo', accessRefs: [pay], ...body },
        ...(token === undefined ? {} : { token }),
      });
    const first = await ask('one');
    expect(first.status).toBe(202);
    expect(first.json.requestId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    clock.nowMs += 1_000;
    const [again, atOnce] = await Promise.all([ask('one'), ask('one')]);
    expect([again.text, atOnce.text]).toEqual([first.text, first.text]);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect((await store.checks.measureBacklog()).depth).toBe(1);
    const others = [
      await ask('two'),
      await ask('one', { accessRefs: [] }),
      await ask('one', { clientMetadata: { ticket: '1' } }),
      await ask('one', { identityId: 'i-ada' }),
      await ask('one', {}, await clientToken()),
      await call('POST', CHECK, { body: { identityId: 'i-cleo', accessRefs: [pay] } }),
    ];
    expect(others.map(({ status }) => status)).toEqual(others.map(() => 202));
    expect(new Set([first, ...others].map(({ json }) => json.requestId)).size).toBe(others.length + 1);
    await completeOne({ store, clock } as TestApi);
    expect((await ask('one')).text).toBe(first.text);
    expect((await importRecords([{ kind: 'identity', id: 'i-cleo', delete: true }])).status).toBe(200);
    expect((await ask('one')).text).toBe(first.text);
    expect((await ask('three')).status).toBe(404);
  });

  test.each(['', ' ', 'a b', 'a, a', 'k'.repeat(256), 'ä'])('refuses the Idempotency-Key %j', async (key) => {
    const { call } = await openWorld();
    const answer = await call('POST', CHECK, {
      headers: { 'idempotency-key': key },
      body: { identityId: 'i-cleo', accessRefs: [pay] },
    });
    expect([answer.status, answer.json.detailCode]).toEqual([400, '400.1.3']);
  });

  test('returns 202 with the location of the result, which equals a prediction', async () => {
    const api = await openWorld();
    const { call } = api;
    const body = { identityId: 'i-cleo', accessRefs: [pay], clientMetadata: { ticket: 'REQ-1' } };
    const started = await call('POST', CHECK, { body });
    expect(started.status).toBe(202);
    expect(started.json).toEqual({ requestId: expect.any(String), created: '2026-11-21T09:30:00.000Z' });
    const path = `${CHECK}/${started.json.requestId}`;
    expect(started.headers.get('location')).toBe(path);
    expect((await call('GET', path)).json).toEqual({
      ...started.json,
      state: 'PENDING',
      completed: null,
      violationCheckResult: null,
    });
    await completeOne(api);
    const { violationContexts } = (await call('POST', PREDICT, { body })).json;
    expect((await call('GET', path)).json).toEqual({
      ...started.json,
      state: 'SUCCESS',
      completed: '2026-11-21T09:30:00.000Z',
      violationCheckResult: {
        message: null,
        clientMetadata: { ticket: 'REQ-1' },
        violationContexts,
        violatedPolicies: [{ type: 'SOD_POLICY', id: 'p-1', name: 'Vendor and payment' }],
        violationCount: 1,
        omitted: 0,
        ...BASIS,
      },
    });
  });

  test('without metadata the result has null', async () => {
    const api = await openWorld();
    const started = await api.call('POST', CHECK, { body: { identityId: 'i-cleo', accessRefs: [] } });
    await completeOne(api);
    const check = await api.call('GET', `${CHECK}/${started.json.requestId}`);
    expect(check.json.violationCheckResult).toEqual({
      message: null,
      clientMetadata: null,
      violationContexts: [],
      violatedPolicies: [],
      violationCount: 0,
      omitted: 0,
      ...BASIS,
    });
  });

  test('refuses the requests that predict refuses, and stores nothing', async () => {
    const { call, store } = await openWorld();
    expect((await call('POST', CHECK, { body: { identityId: 'nobody', accessRefs: [] } })).status).toBe(404);
    expect(
      (await call('POST', CHECK, { body: { identityId: 'i-cleo', accessRefs: [{ type: 'ROLE', id: 'no' }] } })).json
        .detailCode,
    ).toBe('400.1.404');
    expect((await store.checks.measureBacklog()).depth).toBe(0);
  });

  test('a check of another tenant is answered like an unknown one', async () => {
    const { call, clientToken } = await openWorld();
    const started = await call('POST', CHECK, { body: { identityId: 'i-cleo', accessRefs: [] } });
    const other = await clientToken({ tenant: 'other' });
    const bytes = async (id: string) => {
      const answer = await call('GET', `${CHECK}/${id}`, { token: other });
      return [answer.status, answer.text.replaceAll(answer.json.trackingId, '')];
    };
    expect(await bytes(started.json.requestId)).toEqual(await bytes('00000000-0000-4000-8000-000000000000'));
  });
});

describe('Prefer: wait', () => {
  test('delays the response until the result exists', async () => {
    const api = await openWorld();
    const started = await api.call('POST', CHECK, { body: { identityId: 'i-cleo', accessRefs: [pay] } });
    const waiting = api.call('GET', `${CHECK}/${started.json.requestId}`, {
      headers: { prefer: 'respond-async, wait=30' },
    });
    await completeOne(api);
    const answer = await waiting;
    expect(answer.json.state).toBe('SUCCESS');
    expect(answer.headers.get('preference-applied')).toBe('wait=30');
  });

  test('a stopping service answers waiting requests with the current state', async () => {
    const api = await openWorld();
    const started = await api.call('POST', CHECK, { body: { identityId: 'i-cleo', accessRefs: [] } });
    const waiting = api.call('GET', `${CHECK}/${started.json.requestId}`, { headers: { prefer: 'wait=30' } });
    api.stopping.abort();
    expect((await waiting).json.state).toBe('PENDING');
  });

  test('a malformed preference is ignored', async () => {
    const api = await openWorld();
    const started = await api.call('POST', CHECK, { body: { identityId: 'i-cleo', accessRefs: [] } });
    for (const prefer of ['wait', 'wait=', 'wait=-1', 'wait=1.5', 'wait=soon', '=wait']) {
      const answer = await api.call('GET', `${CHECK}/${started.json.requestId}`, { headers: { prefer } });
      expect([answer.status, answer.headers.has('preference-applied')]).toEqual([200, false]);
    }
  });
});
