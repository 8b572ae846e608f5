import { compileSodIndex, expandAccess } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import { concludeCheck } from './conclude-check.ts';
import { openTestApi, type TestApi } from './test-api.ts';

const PREDICT = '/sod-violations/v1/predict';
const CHECK = '/sod-violations/v1/check';

const ref = (type: string, id: string) => ({ type, id });
const sideOf = (ids: readonly string[], name: string | null = null) => ({
  name,
  criteriaList: ids.map((id) => ref('ENTITLEMENT', id)),
});
const bundles = Array.from({ length: 12 }, (_, at) => `ap-${at}`);

/** Cleo can create vendors through a role, in two ways, and directly. */
const MODEL = [
  ...['e-vendor', 'e-pay', 'e-audit', 'e-gone'].map((id) => ({
    kind: 'entitlement',
    id,
    name: `The ${id}`,
    source: null,
  })),
  { kind: 'accessProfile', id: 'ap-vendor', name: 'Vendor master', entitlements: ['e-vendor'] },
  ...bundles.map((id) => ({ kind: 'accessProfile', id, name: id, entitlements: ['e-pay'] })),
  { kind: 'role', id: 'r-buyer', name: 'Buyer', accessProfiles: ['ap-vendor'], entitlements: ['e-vendor', 'e-gone'] },
  { kind: 'role', id: 'R-payer', name: 'Payer', accessProfiles: ['ap-1', 'ap-0'], entitlements: [] },
  { kind: 'role', id: 'r-all', name: 'All', accessProfiles: bundles, entitlements: ['e-pay'] },
  { kind: 'identityProfile', id: 'ip-emp', name: 'Employees' },
  {
    kind: 'identity',
    id: 'i-cleo',
    uid: 'cleo',
    identityProfile: 'ip-emp',
    access: [ref('ROLE', 'r-buyer'), ref('ENTITLEMENT', 'e-vendor')],
  },
  {
    kind: 'sodPolicy',
    id: 'p-1',
    name: 'Vendor and payment',
    level: 'CRITICAL',
    correctionAdvice: 'Revoke one.',
    compensatingControls: 'A log.',
    conflictingAccessCriteria: { leftCriteria: sideOf(['e-vendor']), rightCriteria: sideOf(['e-pay', 'e-gone']) },
  },
  {
    kind: 'sodPolicy',
    id: 'p-2',
    name: 'Two of three',
    conflictingAccessCriteria: {
      criteria: [sideOf(['e-vendor'], 'vendor'), sideOf(['e-audit'], 'audit'), sideOf(['e-pay'], 'pay')],
      atLeast: 2,
    },
  },
];

const ROLE = (id: string, name: string) => ({ type: 'ROLE', id, name });
const PROFILE = (id: string, name = id) => ({ type: 'ACCESS_PROFILE', id, name });
const VENDOR = {
  type: 'ENTITLEMENT',
  id: 'e-vendor',
  name: 'The e-vendor',
  existing: true,
  via: [
    { source: 'ASSIGNED', path: [] },
    { source: 'ASSIGNED', path: [ROLE('r-buyer', 'Buyer')] },
    { source: 'ASSIGNED', path: [ROLE('r-buyer', 'Buyer'), PROFILE('ap-vendor', 'Vendor master')] },
  ],
  viaMore: 0,
};
const GONE = {
  type: 'ENTITLEMENT',
  id: 'e-gone',
  name: 'The e-gone',
  existing: true,
  via: [{ source: 'ASSIGNED', path: [ROLE('r-buyer', 'Buyer')] }],
  viaMore: 0,
};
const PAY = { type: 'ENTITLEMENT', id: 'e-pay', name: 'The e-pay', existing: false };

type OperationResult = {
  readonly violationContexts: readonly {
    readonly conflictingAccessCriteria: Readonly<
      Record<'leftCriteria' | 'rightCriteria', { readonly criteriaList: readonly { readonly id: string }[] }>
    >;
  }[];
};

const sidesOf = ({ violationContexts: [first] }: OperationResult) => first?.conflictingAccessCriteria;
const rightOf = (answer: OperationResult) => sidesOf(answer)?.rightCriteria.criteriaList;

async function openWorld() {
  const api = await openTestApi();
  const imported = await api.importRecords(MODEL);
  if (imported.status !== 200) throw new Error(imported.text);
  const ask = (accessRefs: readonly object[], query = '?include=via') =>
    api.call('POST', `${PREDICT}${query}`, { body: { identityId: 'i-cleo', accessRefs } });
  return { ...api, ask };
}

describe('a prediction with include=via', () => {
  test('shows for each item the paths by which it is held, and the advice of the policy', async () => {
    const { ask } = await openWorld();
    const accessRefs = [ref('ROLE', 'R-payer'), ref('ACCESS_PROFILE', 'ap-1'), ref('ENTITLEMENT', 'e-pay')];
    const answer = await ask(accessRefs);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    const pay = {
      ...PAY,
      via: [
        { source: 'REQUESTED', path: [] },
        { source: 'REQUESTED', path: [PROFILE('ap-1')] },
        { source: 'REQUESTED', path: [ROLE('R-payer', 'Payer'), PROFILE('ap-0')] },
        { source: 'REQUESTED', path: [ROLE('R-payer', 'Payer'), PROFILE('ap-1')] },
      ],
      viaMore: 0,
    };
    const expected = {
      violationContexts: [
        {
          policy: { type: 'SOD_POLICY', id: 'p-1', name: 'Vendor and payment', level: 'CRITICAL' },
          preexisting: true,
          conflictingAccessCriteria: {
            leftCriteria: { criteriaList: [VENDOR] },
            rightCriteria: { criteriaList: [GONE, pay] },
          },
          correctionAdvice: 'Revoke one.',
          compensatingControls: 'A log.',
        },
        {
          policy: { type: 'SOD_POLICY', id: 'p-2', name: 'Two of three', level: 'HIGH' },
          preexisting: false,
          conflictingAccessCriteria: {
            criteria: [
              { name: 'vendor', criteriaList: [VENDOR] },
              { name: 'pay', criteriaList: [pay] },
            ],
            atLeast: 2,
          },
          correctionAdvice: null,
          compensatingControls: null,
        },
      ],
      policySetVersion: 1,
      asOf: '2026-11-21T09:30:00.000Z',
    };
    expect(answer.text).toBe(JSON.stringify(expected));
  });

  test('equals a prediction without the query, apart from the additions', async () => {
    const { ask } = await openWorld();
    for (const accessRefs of [[], [ref('ROLE', 'R-payer')], [ref('ROLE', 'r-buyer')], [ref('ROLE', 'r-none')]]) {
      const plain = await ask(accessRefs, '');
      const other = await ask(accessRefs, '?other=include');
      const explained = await ask(accessRefs);
      const comparable = ({ text, json }: typeof plain) => text.replaceAll(json.trackingId ?? 'none', '');
      expect(comparable(other)).toBe(comparable(plain));
      expect(plain.text).not.toMatch(/via|Advice|compensating/);
      const without = JSON.stringify(explained.json, (key, value) =>
        ['via', 'viaMore', 'correctionAdvice', 'compensatingControls'].includes(key) ? undefined : value,
      );
      expect(comparable({ ...explained, text: without })).toBe(comparable(plain));
      expect(explained.status).toBe(plain.status);
    }
  });

  test('shows ten paths and the number of the others', async () => {
    const { ask } = await openWorld();
    const accessRefs = [ref('ROLE', 'r-all'), ...bundles.map((id) => ref('ACCESS_PROFILE', id))];
    const [, pay] = rightOf((await ask(accessRefs)).json) ?? [];
    const first = [...bundles].sort().slice(0, 10);
    expect(pay).toEqual({
      ...PAY,
      via: first.map((id) => ({ source: 'REQUESTED', path: [PROFILE(id)] })),
      // Paths through two access profiles, the role itself, and twelve access profiles of the role.
      viaMore: 15,
    });
  });

  test('of an item that is held and requested shows the assignments first', async () => {
    const { ask } = await openWorld();
    const sides = sidesOf((await ask([ref('ROLE', 'r-buyer'), ref('ENTITLEMENT', 'e-pay')])).json);
    const twice = VENDOR.via.slice(1).flatMap((path) => [path, { ...path, source: 'REQUESTED' }]);
    expect(sides?.leftCriteria.criteriaList).toEqual([{ ...VENDOR, via: [VENDOR.via[0], ...twice] }]);
  });

  test('uses the current content of roles and access profiles', async () => {
    const { ask, importRecords } = await openWorld();
    const payIn = async () => rightOf((await ask([ref('ROLE', 'R-payer')])).json);
    expect((await payIn())?.map(({ id }) => id)).toEqual(['e-gone', 'e-pay']);
    const changed = await importRecords([
      { kind: 'role', id: 'r-buyer', name: 'Purchaser', accessProfiles: ['ap-vendor'], entitlements: [] },
      { kind: 'role', id: 'R-payer', name: 'Payer', accessProfiles: ['ap-1'], entitlements: [] },
      { kind: 'entitlement', id: 'e-gone', delete: true },
    ]);
    expect(changed.status).toBe(200);
    expect(await payIn()).toEqual([
      { ...PAY, via: [{ source: 'REQUESTED', path: [ROLE('R-payer', 'Payer'), PROFILE('ap-1')] }], viaMore: 0 },
    ]);
    const left = sidesOf((await ask([ref('ROLE', 'R-payer')])).json)?.leftCriteria.criteriaList;
    expect(left).toEqual([
      {
        ...VENDOR,
        via: [
          { source: 'ASSIGNED', path: [] },
          { source: 'ASSIGNED', path: [ROLE('r-buyer', 'Purchaser'), PROFILE('ap-vendor', 'Vendor master')] },
        ],
      },
    ]);
  });

  test('is consistent during concurrent writes', async () => {
    const { ask, importRecords } = await openWorld();
    const write = async () => {
      for (let round = 0; round < 10; round++) {
        const access = round % 2 === 0 ? [ref('ROLE', 'r-buyer')] : [ref('ENTITLEMENT', 'e-vendor')];
        await importRecords([
          { kind: 'identity', id: 'i-cleo', uid: 'cleo', identityProfile: 'ip-emp', access },
          { kind: 'role', id: 'r-buyer', name: `Buyer ${round}`, accessProfiles: [], entitlements: ['e-vendor'] },
        ]);
      }
    };
    const writing = write();
    for (let round = 0; round < 10; round++) {
      const { json } = await ask([ref('ENTITLEMENT', 'e-pay')]);
      const [vendor] = sidesOf(json)?.leftCriteria.criteriaList ?? [];
      expect(vendor).toMatchObject({ existing: true, viaMore: 0 });
      // Each round adds one to the version, so the round follows from it.
      const name = `Buyer ${json.policySetVersion - 2}`;
      const path = json.policySetVersion % 2 === 0 ? [ROLE('r-buyer', name)] : [];
      if (json.policySetVersion > 1) expect(vendor).toMatchObject({ via: [{ source: 'ASSIGNED', path }] });
    }
    await writing;
  });

  test('refuses the requests that predict refuses', async () => {
    const { call, ask } = await openWorld();
    const unknown = await ask([ref('ROLE', 'no')]);
    expect([unknown.status, unknown.json.detailCode]).toEqual([400, '400.1.404']);
    const body = { identityId: 'nobody', accessRefs: [] };
    expect((await call('POST', `${PREDICT}?include=via`, { body })).status).toBe(404);
  });
});

describe.each([PREDICT, CHECK])('%s', (path) => {
  test('refuses an include that is unknown, empty or repeated, before anything else', async () => {
    const { call, store } = await openWorld();
    const queries = ['include=', 'include', 'include=Remediation', 'include=via,remedy', 'include=via,via'];
    for (const query of [...queries, 'include=via&include=via', 'include=via,', 'include=Via', 'include=%20via']) {
      const answer = await call('POST', `${path}?${query}`, { body: { identityId: 'nobody', accessRefs: [] } });
      expect([answer.status, answer.json.detailCode], query).toEqual([400, '400.1.3']);
      expect(answer.json.causes[0].text).toMatch(/^include: /);
    }
    expect((await store.checks.measureBacklog()).depth).toBe(0);
    const bad = await call('POST', `${path}?include=no`, { body: { identityId: 1, accessRefs: [] } });
    expect(bad.json.causes[0].text).toMatch(/^identityId: /);
  });
});

/** Concludes the oldest pending check as a worker does. */
async function completeOne({ store, clock }: TestApi): Promise<void> {
  const [check] = await store.checks.claim({ nowMs: clock.nowMs, leaseMs: 1000, limit: 1 });
  if (check === undefined) throw new Error('nothing to claim');
  const { tenant, identityId, accessRefs } = check;
  const { policies, catalogue } = await store.sod.loadRulebook(tenant);
  const index = compileSodIndex(policies, catalogue);
  const version = await store.sod.readVersion(tenant, identityId);
  const assignments = await store.sod.readAssignments(tenant, identityId);
  const held = expandAccess(index, assignments?.access ?? []).entitlements;
  const basis = { index, held, timed: null, check, nowMs: clock.nowMs };
  const { state, result } = await concludeCheck(basis, async (policyIds) => {
    const explanation = await store.sod.readExplanation(tenant, { identityId, accessRefs, policyIds, version });
    if (explanation === null || explanation === 'tooLarge') throw new Error('The data has changed since.');
    return explanation;
  });
  await store.checks.complete([{ ...check, completed: new Date(clock.nowMs).toISOString(), state, result }]);
}

describe('a check with include=via', () => {
  test('has the result that predict returns with it; a check without it has no paths', async () => {
    const api = await openWorld();
    const body = { identityId: 'i-cleo', accessRefs: [ref('ROLE', 'R-payer'), ref('ROLE', 'r-all')] };
    for (const query of ['?include=via', '']) {
      const started = await api.call('POST', `${CHECK}${query}`, { body });
      expect(started.status).toBe(202);
      const path = `${CHECK}/${started.json.requestId}`;
      expect(started.headers.get('location')).toBe(path);
      await completeOne(api);
      const { violationContexts } = (await api.call('POST', `${PREDICT}${query}`, { body })).json;
      const { violationCheckResult } = (await api.call('GET', path)).json;
      expect(JSON.stringify(violationCheckResult.violationContexts)).toBe(JSON.stringify(violationContexts));
      expect(violationCheckResult.violatedPolicies).toHaveLength(2);
    }
  });

  test('is another request for an Idempotency-Key; without it the id is the same as in earlier versions', async () => {
    const { call, store } = await openWorld();
    const body = { identityId: 'i-cleo', accessRefs: [ref('ENTITLEMENT', 'e-pay')], clientMetadata: { ticket: '1' } };
    const ask = async (query: string) => {
      const answer = await call('POST', `${CHECK}${query}`, { headers: { 'idempotency-key': 'one' }, body });
      return answer.json.requestId;
    };
    expect(await ask('')).toBe('b6c79f43-18fd-8fcd-8d81-961407905787');
    expect(await ask('?other=1')).toBe(await ask(''));
    expect(await ask('?include=via')).toBe(await ask('?include=via'));
    expect(await ask('?include=via')).not.toBe(await ask(''));
    expect((await store.checks.measureBacklog()).depth).toBe(2);
  });
});
