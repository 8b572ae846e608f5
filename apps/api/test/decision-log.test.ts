import { createHash } from 'node:crypto';
import { receiptRequest } from '@access-admin/domain';
import type { Decision } from '@access-admin/telemetry';
import { expect, test } from 'vitest';
import { openTestApi, WORLD } from './test-api.ts';

const PREDICT = '/sod-violations/v1/predict';

async function openWorld() {
  const decisions: Decision[] = [];
  const api = await openTestApi({ decisions: { write: (decision) => void decisions.push(decision) } });
  await api.importRecords(WORLD);
  return { ...api, decisions };
}

const BAD = { identityId: 'i-cleo', accessRefs: [{ type: 'ENTITLEMENT', id: 'e-pay' }] };

test.each(['', '?include=via', '?include=remediation'])(
  'a prediction%s is logged as it was answered',
  async (query) => {
    const { call, decisions } = await openWorld();
    const answer = await call('POST', PREDICT + query, { body: BAD });
    expect(answer.status).toBe(200);
    expect(decisions).toEqual([
      {
        kind: 'prediction',
        tenant: 'default',
        clientId: 'root',
        request: expect.objectContaining({ identityId: 'i-cleo' }),
        violatedPolicies: answer.json.violationContexts.map(({ policy }: { policy: { id: string } }) => policy.id),
        basis: { policySetVersion: answer.json.policySetVersion, asOf: answer.json.asOf },
        trackingId: answer.headers.get('x-request-id'),
      },
    ]);
    expect(decisions[0]?.violatedPolicies?.length).toBeGreaterThan(0);
  },
);

test('a prediction without violations is a decision, a refused one is none', async () => {
  const { call, decisions } = await openWorld();
  expect(
    (await call('POST', PREDICT, { body: { ...BAD, accessRefs: [{ type: 'ENTITLEMENT', id: '?' }] } })).status,
  ).toBe(400);
  expect(decisions).toEqual([]);
  expect((await call('POST', PREDICT, { body: { ...BAD, identityId: 'i-bob' } })).status).toBe(200);
  expect(decisions).toMatchObject([{ violatedPolicies: [] }]);
});

test('each line of a batch is a decision', async () => {
  const { call, decisions } = await openWorld();
  const lines = [BAD, { ...BAD, identityId: 'i-bob' }].map((line) => JSON.stringify(line)).join('\n');
  const answer = await call('POST', `${PREDICT}/batch`, {
    headers: { 'content-type': 'application/x-ndjson' },
    body: lines,
  });
  expect(answer.status).toBe(200);
  expect(decisions.map(({ request }) => request.identityId)).toEqual(['i-cleo', 'i-bob']);
  expect(new Set(decisions.map(({ trackingId }) => trackingId))).toEqual(new Set([answer.headers.get('x-request-id')]));
});

test('a check tells the worker which request made it', async () => {
  const { call, store } = await openWorld();
  const answer = await call('POST', '/sod-violations/v1/check', { body: BAD });
  expect(answer.status).toBe(202);
  const [claimed] = await store.checks.claim({ nowMs: 0, leaseMs: 1, limit: 1 });
  expect(claimed?.origin).toEqual({
    clientId: 'root',
    trackingId: answer.headers.get('x-request-id'),
    traceparent: null,
  });
  if (claimed === undefined) throw new Error('there is no check');
  expect(createHash('sha256').update(receiptRequest(claimed)).digest('hex')).toMatch(/^[0-9a-f]{64}$/);
});
