import { describe, expect, test } from 'vitest';
import { openTestApi, WORLD } from './test-api.ts';

const PREDICT = '/sod-violations/v1/predict';
const ref = (type: string, id: string) => ({ type, id });

const BASIS = { policySetVersion: 1, asOf: '2026-11-21T09:30:00.000Z' };

/** Cleo can create vendors through a role and directly; two other roles can pay. */
const MODEL = [
  ...WORLD,
  { kind: 'role', id: 'r-payer', name: 'Payer', accessProfiles: [], entitlements: ['e-pay'] },
  { kind: 'role', id: 'r-cashier', name: 'Cashier', accessProfiles: [], entitlements: ['e-pay', 'e-report'] },
  {
    kind: 'identity',
    id: 'i-cleo',
    uid: 'cleo',
    identityProfile: 'ip-emp',
    access: [ref('ROLE', 'r-buyer'), ref('ENTITLEMENT', 'e-vendor'), ref('ENTITLEMENT', 'e-report')],
  },
];

async function openWorld() {
  const api = await openTestApi();
  const imported = await api.importRecords(MODEL);
  if (imported.status !== 200) throw new Error(imported.text);
  const ask = (accessRefs: readonly object[], query = '?include=remediation') =>
    api.call('POST', `${PREDICT}${query}`, { body: { identityId: 'i-cleo', accessRefs } });
  return { ...api, ask };
}

describe('a prediction with include=remediation', () => {
  test('names the requested refs to drop, and the assignments to revoke instead', async () => {
    const { ask } = await openWorld();
    const accessRefs = [ref('ROLE', 'r-payer'), ref('ENTITLEMENT', 'e-report'), ref('ROLE', 'r-cashier')];
    const plain = await ask(accessRefs, '');
    const answer = await ask(accessRefs);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.text).toBe(
      JSON.stringify({
        violationContexts: plain.json.violationContexts,
        remediation: {
          drop: { accessRefs: [ref('ROLE', 'r-cashier'), ref('ROLE', 'r-payer')], optimal: true },
          revoke: { assignments: [ref('ENTITLEMENT', 'e-vendor'), ref('ROLE', 'r-buyer')], optimal: true },
        },
        ...BASIS,
      }),
    );
    expect(plain.json.violationContexts).toHaveLength(1);
    expect((await ask([ref('ENTITLEMENT', 'e-report')], '')).json.violationContexts).toEqual([]);
  });

  test('is correct: after revoking the assignments there is no violation', async () => {
    const { ask, importRecords } = await openWorld();
    const accessRefs = [ref('ROLE', 'r-payer')];
    const { assignments } = (await ask(accessRefs)).json.remediation.revoke;
    const left = [ref('ROLE', 'r-buyer'), ref('ENTITLEMENT', 'e-vendor'), ref('ENTITLEMENT', 'e-report')].filter(
      ({ id }) => !assignments.some((gone: { readonly id: string }) => gone.id === id),
    );
    await importRecords([{ kind: 'identity', id: 'i-cleo', uid: 'cleo', identityProfile: 'ip-emp', access: left }]);
    expect((await ask(accessRefs)).json).toMatchObject({
      violationContexts: [],
      remediation: { drop: { accessRefs: [] }, revoke: { assignments: [] } },
    });
  });

  test('revokes nothing if the request alone violates a policy', async () => {
    const { ask } = await openWorld();
    const { remediation } = (await ask([ref('ENTITLEMENT', 'e-pay'), ref('ACCESS_PROFILE', 'ap-vendor')])).json;
    expect(remediation).toEqual({
      drop: { accessRefs: [ref('ENTITLEMENT', 'e-pay')], optimal: true },
      revoke: null,
    });
  });

  test('is empty if nothing is violated', async () => {
    const { ask } = await openWorld();
    for (const accessRefs of [[], [ref('ENTITLEMENT', 'e-report')], [ref('ROLE', 'r-buyer')]])
      expect((await ask(accessRefs)).text).toBe(
        JSON.stringify({
          violationContexts: [],
          remediation: {
            drop: { accessRefs: [], optimal: true },
            revoke: { assignments: [], optimal: true },
          },
          ...BASIS,
        }),
      );
  });

  test('can be combined with `via`, in any order', async () => {
    const { ask } = await openWorld();
    const accessRefs = [ref('ROLE', 'r-payer')];
    const via = await ask(accessRefs, '?include=via');
    const remediation = await ask(accessRefs);
    for (const query of ['?include=via,remediation', '?include=remediation,via']) {
      const both = await ask(accessRefs, query);
      expect(both.json.violationContexts).toEqual(via.json.violationContexts);
      expect(both.json.remediation).toEqual(remediation.json.remediation);
    }
  });

  test('is marked as possibly not minimal beyond 12 refs', async () => {
    const { ask, importRecords } = await openWorld();
    const roles = Array.from({ length: 200 }, (_, at) => `r-${at + 100}`);
    await importRecords(
      roles.map((id) => ({ kind: 'role', id, name: id, accessProfiles: [], entitlements: ['e-pay'] })),
    );
    const { remediation } = (await ask(roles.map((id) => ref('ROLE', id)))).json;
    expect(remediation.drop).toEqual({ accessRefs: roles.map((id) => ref('ROLE', id)), optimal: false });
    expect(remediation.revoke.optimal).toBe(true);
  });

  test('refuses the requests that predict refuses', async () => {
    const { call, ask } = await openWorld();
    const unknown = await ask([ref('ROLE', 'no')]);
    expect([unknown.status, unknown.json.detailCode]).toEqual([400, '400.1.404']);
    const body = { identityId: 'nobody', accessRefs: [] };
    expect((await call('POST', `${PREDICT}?include=remediation`, { body })).status).toBe(404);
  });
});
