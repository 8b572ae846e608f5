import { createHash } from 'node:crypto';
import { canonicalJson, type SodReceipt } from '@access-admin/domain';
import { compactVerify, createLocalJWKSet } from 'jose';
import { expect, test } from 'vitest';
import { rotateSigningKey } from '../src/auth/signing-keys.ts';
import { digestResult } from '../src/routes/checks/result-digest.ts';
import { completeOne } from './complete-check.ts';
import { openOwnSigner } from './sign-own-token.ts';
import { openTestApi, type TestApi, WORLD } from './test-api.ts';

const CHECK = '/sod-violations/v1/check';
const REQUEST = {
  identityId: 'i-cleo',
  accessRefs: [{ type: 'ENTITLEMENT', id: 'e-pay' }],
  clientMetadata: { 'ticket ü': 'REQ-7', a: '€' },
};
const ADDRESS = 'http://127.0.0.1:8080';

const sha256 = (value: unknown) => createHash('sha256').update(canonicalJson(value)).digest('hex');

async function openWorld() {
  const api = await openTestApi();
  await api.importRecords(WORLD);
  const start = async (body: unknown = REQUEST): Promise<string> =>
    (await api.call('POST', CHECK, { body })).json.requestId;
  const receipt = (requestId: string) => api.call('GET', `${CHECK}/${requestId}/receipt`);
  return { ...api, api, start, receipt };
}

async function readReceipt({ call }: Pick<TestApi, 'call'>, text: string) {
  const jwks = (await call('GET', '/.well-known/jwks.json', { token: null })).json;
  const { protectedHeader, payload } = await compactVerify(text, createLocalJWKSet(jwks));
  const content = new TextDecoder().decode(payload);
  const receipt: SodReceipt = JSON.parse(content);
  return { header: protectedHeader, content, receipt, jwks };
}

const ROTATION = { tenant: 'default', newTrackingId: () => '0'.repeat(32) };

const rotate = ({ store, clock }: TestApi, options?: Parameters<typeof rotateSigningKey>[2]) =>
  rotateSigningKey({ ...ROTATION, store: store.signingKeys, now: () => new Date(clock.nowMs) }, ADDRESS, options);

test('a receipt attests the request and the result of a check as its caller has them', async () => {
  const { api, call, start, receipt } = await openWorld();
  const requestId = await start();
  expect((await receipt(requestId)).status).toBe(409);
  await completeOne(api);
  const answer = await receipt(requestId);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/jose']);
  const { header, content, receipt: said } = await readReceipt(api, answer.text);
  expect(header).toEqual({ alg: 'ES256', typ: 'sod-receipt+json', kid: expect.any(String) });
  const { violationCheckResult: result } = (await call('GET', `${CHECK}/${requestId}`)).json;
  expect(said).toEqual({
    tenant: 'default',
    requestId,
    identityId: 'i-cleo',
    violatedPolicies: ['p-1'],
    requestSha256: sha256(REQUEST),
    resultSha256: sha256(result),
    policySetVersion: result.policySetVersion,
    asOf: result.asOf,
  });
  expect(content).toBe(canonicalJson(said));
});

test('the request is hashed in one form: without names and nulls, with instants in UTC', async () => {
  const { api, start, receipt } = await openWorld();
  const requestId = await start({
    identityId: 'i-cleo',
    accessRefs: [{ type: 'ENTITLEMENT', id: 'e-pay', name: 'Pay', start: '2027-01-01T01:00:00+01:00', end: null }],
    clientMetadata: null,
    at: '2027-02-01T00:00:00Z',
  });
  await completeOne(api);
  const { receipt: said } = await readReceipt(api, (await receipt(requestId)).text);
  expect(said.requestSha256).toBe(
    sha256({
      identityId: 'i-cleo',
      accessRefs: [{ type: 'ENTITLEMENT', id: 'e-pay', start: '2027-01-01T00:00:00.000Z' }],
      at: '2027-02-01T00:00:00.000Z',
    }),
  );
});

test('there is no receipt where the check cannot be read, nor without a verdict', async () => {
  const { api, call, importRecords, start, receipt, clientToken } = await openWorld();
  const requestId = await start();
  const path = `${CHECK}/${requestId}`;
  const other = await clientToken({ tenant: 'other' });
  const without = ({ trackingId: _, ...rest }: { trackingId: string }) => rest;
  for (const unknown of [`${CHECK}/none`, path]) {
    const check = await call('GET', unknown, { token: other });
    const its = await call('GET', `${unknown}/receipt`, { token: other });
    expect([its.status, without(its.json)]).toEqual([404, without(check.json)]);
  }
  const token = await clientToken({ scopes: ['sod-policies:read'] });
  expect((await call('GET', `${path}/receipt`, { token })).status).toBe(403);
  await importRecords([{ kind: 'sodPolicy', id: 'p-1', delete: true }]);
  await importRecords([{ kind: 'entitlement', id: 'e-pay', delete: true }]);
  await completeOne(api);
  expect((await call('GET', path)).json.state).toBe('ERROR');
  const refusal = await receipt(requestId);
  expect([refusal.status, refusal.json.causes[0].text]).toEqual([409, expect.stringContaining('ended in ERROR')]);
});

test('a result is hashed item by item as it is as a whole, whatever its size', async () => {
  const item = (at: number) => ({ z: `"[{,\\ ${at} é😀`, a: [1, { b: [at] }], id: `p-${at}` });
  for (const count of [0, 1, 2, 10_000]) {
    const items = Array.from({ length: count }, (_, at) => item(at));
    const result = {
      violationContexts: items,
      message: null,
      violatedPolicies: items,
      more: { list: [items[0] ?? 0] },
      n: 1e21,
    };
    let pauses = 0;
    const pause = async () => pauses++;
    const digest = await digestResult(JSON.stringify(result), pause);
    expect(digest.sha256).toBe(sha256(result));
    expect(digest.violatedPolicies).toEqual(items.map(({ id }) => id));
    expect(pauses).toBeGreaterThan(count > 1_000 ? 10 : 0);
  }
});

test('a receipt of a large result waits for its room and is whole', async () => {
  const { api, call, start, receipt, store, clock } = await openWorld();
  const requestId = await start();
  const [claimed] = await store.checks.claim({ nowMs: clock.nowMs, leaseMs: 1_000, limit: 1 });
  if (claimed === undefined) throw new Error('There is no check.');
  const policies = Array.from({ length: 5_000 }, (_, at) => ({
    type: 'SOD_POLICY',
    id: `p-${at}`,
    name: 'é'.repeat(9),
  }));
  const result = JSON.stringify({
    message: null,
    clientMetadata: null,
    violationContexts: [],
    violatedPolicies: policies,
    violationCount: 5_000,
    omitted: 5_000,
    policySetVersion: 1,
    asOf: '2026-11-21T09:30:00.000Z',
  });
  await store.checks.complete([{ ...claimed, state: 'SUCCESS', completed: '2026-11-21T09:30:00.000Z', result }]);
  const texts = await Promise.all(Array.from({ length: 5 }, () => receipt(requestId)));
  const shown = (await call('GET', `${CHECK}/${requestId}`)).json.violationCheckResult;
  for (const { text } of texts) {
    const { receipt: said } = await readReceipt(api, text);
    expect([said.resultSha256, said.violatedPolicies.length]).toEqual([sha256(shown), 5_000]);
  }
});

test('a receipt is no access token, and a token no receipt', async () => {
  const { api, call, start, receipt, rootToken } = await openWorld();
  const requestId = await start();
  await completeOne(api);
  const { text } = await receipt(requestId);
  expect((await call('GET', '/auth-users/v1/i-ada', { token: text })).status).toBe(401);
  // Not even one with the claims of a token.
  const signer = await openOwnSigner(api);
  const disguised = await signer.sign({}, { typ: 'sod-receipt+json' });
  expect((await call('GET', '/oauth-clients/v1', { token: await signer.sign() })).status).toBe(200);
  expect((await call('GET', '/oauth-clients/v1', { token: disguised })).status).toBe(401);
  expect((await readReceipt(api, await rootToken())).header.typ).toBe('at+jwt');
});

test('a retired key verifies tokens for 15 minutes, and receipts and heads for good', async () => {
  const { api, call, start, receipt, clock, tokenFor } = await openWorld();
  const requestId = await start();
  await completeOne(api);
  const old = { receipt: (await receipt(requestId)).text, token: await tokenFor('root', 'root secret%') };
  const signer = await openOwnSigner(api);
  const seen = await signer.sign({ exp: signer.claims.exp + 86_400 });
  const unseen = await signer.sign({ jti: 'k', exp: signer.claims.exp + 86_400 });
  const list = async (token: string) => (await call('GET', '/oauth-clients/v1', { token })).status;
  expect(await list(seen)).toBe(200);
  clock.nowMs += 60_000;
  const rotated = await rotate(api);
  expect(rotated?.retired.publicJwk).not.toContain('"d"');
  clock.nowMs += 1_000;
  const token = await tokenFor('root', 'root secret%');
  const kidOf = (jws: string) => JSON.parse(Buffer.from(jws.split('.')[0] ?? '', 'base64url').toString()).kid;
  expect([kidOf(old.token), kidOf(token)]).toEqual([rotated?.retired.kid, rotated?.next.kid]);
  for (const known of [old.token, seen, token]) expect(await list(known)).toBe(200);
  expect(kidOf((await receipt(requestId)).text)).toBe(rotated?.next.kid);
  clock.nowMs += 15 * 60_000 - 1_000;
  // Forged with a stolen key, for a day.
  for (const late of [old.token, seen, unseen]) expect(await list(late)).toBe(401);
  const { receipt: said, jwks } = await readReceipt(api, old.receipt);
  expect(said.requestId).toBe(requestId);
  expect(jwks.keys.map((key: { kid: string; d?: string }) => [key.kid, key.d])).toEqual([
    [rotated?.next.kid, undefined],
    [rotated?.retired.kid, undefined],
  ]);
});

test('a compromised key verifies no token from a second later on, but receipts for good', async () => {
  const { api, call, start, receipt, clock, tokenFor } = await openWorld();
  const requestId = await start();
  await completeOne(api);
  const text = (await receipt(requestId)).text;
  const signer = await openOwnSigner(api);
  const seen = await tokenFor('root', 'root secret%');
  const unseen = await signer.sign({ jti: 'k' });
  const list = async (token: string) => (await call('GET', '/oauth-clients/v1', { token })).status;
  expect(await list(seen)).toBe(200);
  await rotate(api, { isCompromised: true });
  clock.nowMs += 1_000;
  const next = await tokenFor('root', 'root secret%');
  expect([await list(seen), await list(unseen), await list(next)]).toEqual([401, 401, 200]);
  expect((await readReceipt(api, text)).receipt.requestId).toBe(requestId);
});

test('a compromised key takes along the keys of its address that were retired before', async () => {
  const { api, call, clock, tokenFor } = await openWorld();
  const list = async (token: string) => (await call('GET', '/oauth-clients/v1', { token })).status;
  const first = await tokenFor('root', 'root secret%');
  await rotate(api);
  clock.nowMs += 1_000;
  const second = await tokenFor('root', 'root secret%');
  expect([await list(first), await list(second)]).toEqual([200, 200]);
  await rotate(api, { isCompromised: true });
  clock.nowMs += 1_000;
  const third = await tokenFor('root', 'root secret%');
  expect([await list(first), await list(second), await list(third)]).toEqual([401, 401, 200]);
});

test('another process uses a new key within a second, and knows tokens that it signs at once', async () => {
  const { api, call, tokenFor } = await openWorld();
  const before = await tokenFor('root', 'root secret%');
  await rotate(api);
  // Signed by the process that has read the new key, and unknown to this one.
  const signer = await openOwnSigner(api);
  expect((await call('GET', '/oauth-clients/v1', { token: await signer.sign() })).status).toBe(200);
  expect((await call('GET', '/oauth-clients/v1', { token: before })).status).toBe(200);
  expect(
    await rotateSigningKey(
      { ...ROTATION, store: api.store.signingKeys, now: () => new Date(0) },
      'https://other.example',
    ),
  ).toBeNull();
});
