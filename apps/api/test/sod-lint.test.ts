import { OPERATIONS, validate } from '@access-admin/contract';
import { describe, expect, test } from 'vitest';
import { accessProfile, entitlement, kOfN, role, two } from './lint-world.ts';
import { readSlowly } from './read-slowly.ts';
import { openTestApi, type TestApi } from './test-api.ts';

const LINT = '/sod-policies/v1/lint';
/** A rulebook with one finding of each code, and similar policies that are not enforced. */
const ODD = [
  ...['a', 'b', 'c', 'd'].map(entitlement),
  accessProfile('ap-both', 'a c'),
  role('r-both', 'ap-both'),
  two('p-wide', 'a b', 'c'),
  two('p-narrow', 'c', 'b'),
  two('p-same', 'c', 'b a'),
  two('p-off', 'a', 'c', { state: 'NOT_ENFORCED' }),
  two('p-dead', 'a', 'x y'),
  kOfN('p-three', 3, ['d', 'd b', 'c']),
];

const ITEM = (id: string) => ({ type: 'ENTITLEMENT', id });
const POLICY = (id: string) => ({ type: 'SOD_POLICY', id, name: `Policy ${id}` });
const deleted = (policyId: string, id: string) => ({
  code: 'DELETED_ITEM',
  severity: 'WARNING',
  policyId,
  ref: ITEM(id),
  related: [],
  text: `Policy ${policyId} names entitlement ${id}, which does not exist: the item cannot match until the entitlement exists.`,
});
const warning = { severity: 'WARNING', ref: null, related: [] };
const error = { severity: 'ERROR', ref: null, related: [] };
const PROFILE = { type: 'ACCESS_PROFILE', id: 'ap-both' };
const ROLE = { type: 'ROLE', id: 'r-both' };

const FINDINGS = [
  deleted('p-dead', 'x'),
  deleted('p-dead', 'y'),
  { ...warning, code: 'DUPLICATE_POLICY', policyId: 'p-wide', related: [POLICY('p-same')] },
  { ...warning, code: 'ITEM_ON_TWO_SIDES', policyId: 'p-three', ref: ITEM('d') },
  { ...error, code: 'SELF_VIOLATING_ACCESS_PROFILE', policyId: 'p-same', ref: PROFILE },
  { ...error, code: 'SELF_VIOLATING_ACCESS_PROFILE', policyId: 'p-wide', ref: PROFILE },
  { ...error, code: 'SELF_VIOLATING_ROLE', policyId: 'p-same', ref: ROLE },
  { ...error, code: 'SELF_VIOLATING_ROLE', policyId: 'p-wide', ref: ROLE },
  { ...warning, code: 'SUBSUMED_POLICY', policyId: 'p-narrow', related: [POLICY('p-same'), POLICY('p-wide')] },
  { ...error, code: 'UNMATCHABLE_POLICY', policyId: 'p-dead' },
];

async function openWith(records: readonly object[]): Promise<TestApi> {
  const api = await openTestApi();
  expect((await api.importRecords(records)).status).toBe(200);
  return api;
}

describe('lint of SOD policies', () => {
  test('returns findings, sorted by code, policy and ref', async () => {
    const api = await openWith(ODD);
    const answer = await api.call('GET', LINT);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(answer.json).toEqual(
      FINDINGS.map((finding) => ({ text: expect.stringContaining(finding.policyId), ...finding })),
    );
    const schema = OPERATIONS.find(({ id }) => id === 'lint-sod-policies-v1')?.response.schema ?? null;
    expect(schema !== null && validate(schema, answer.json).ok).toBe(true);
  });

  test('has no findings without policies or with sound ones', async () => {
    const api = await openTestApi();
    expect(await api.call('GET', LINT)).toMatchObject({ status: 200, text: '[]' });
    await api.importRecords([...['a', 'b', 'c'].map(entitlement), two('p-1', 'a', 'b'), two('p-2', 'b', 'c')]);
    expect(await api.call('GET', LINT)).toMatchObject({ status: 200, text: '[]' });
  });

  test('has as long as any list: its reader may be slow', async () => {
    const dead = Array.from({ length: 600 }, (_, at) => two(`p-${at}`, 'a', `x-${at}`));
    const pieces = await readSlowly(await openWith([entitlement('a'), ...dead]), LINT);
    expect([pieces.length > 1, JSON.parse(pieces.join('')).length]).toEqual([true, 1_200]);
  });

  test('includes earlier writes, also for concurrent requests', async () => {
    const api = await openWith([entitlement('a'), entitlement('b')]);
    const asked: Promise<{ readonly json: readonly { readonly policyId: string }[] }>[] = [];
    for (let at = 0; at < 5; at++) {
      await api.importRecords([two(`p-${at}`, 'a', 'x')]);
      asked.push(api.call('GET', LINT), api.call('GET', LINT));
    }
    const answers = await Promise.all(asked);
    for (const [at, { json }] of answers.entries()) {
      expect(json.map(({ policyId }) => policyId)).toContain(`p-${Math.floor(at / 2)}`);
    }
  });

  test('covers the policies of its tenant only', async () => {
    const api = await openWith(ODD);
    const token = await api.clientToken({ tenant: 'other' });
    expect((await api.call('GET', LINT, { token })).text).toBe('[]');
  });

  test('needs the rights to read policies', async () => {
    const api = await openWith([
      { kind: 'identityProfile', id: 'ip', name: 'Employees' },
      { kind: 'identity', id: 'i-policy', uid: 'p', identityProfile: 'ip', capabilities: ['POLICY_ADMIN'] },
      { kind: 'identity', id: 'i-help', uid: 'h', identityProfile: 'ip', capabilities: ['HELPDESK'] },
    ]);
    const statusFor = async (client: Parameters<TestApi['clientToken']>[0]) =>
      (await api.call('GET', LINT, { token: await api.clientToken(client) })).status;
    expect([
      await statusFor({ scopes: ['sod-policies:read'] }),
      await statusFor({ scopes: ['sod-policies:manage'], identityId: 'i-policy' }),
      await statusFor({ scopes: ['sod-policies:manage'], identityId: 'i-help' }),
      await statusFor({ scopes: ['sod-violations:manage'] }),
      (await api.call('GET', LINT, { token: null })).status,
    ]).toEqual([200, 200, 403, 403, 401]);
  });

  test('has precedence over a policy with the id `lint`, which can still be listed and changed', async () => {
    const api = await openWith([entitlement('a'), entitlement('b'), two('lint', 'a', 'b')]);
    expect((await api.call('GET', LINT)).text).toBe('[]');
    const listed = await api.call('GET', `/sod-policies/v1?filters=${encodeURIComponent('id eq "lint"')}`);
    expect(listed.json.map(({ id }: { readonly id: string }) => id)).toEqual(['lint']);
    const patched = await api.call('PATCH', LINT, { body: [{ op: 'replace', path: '/name', value: 'Renamed' }] });
    expect([patched.status, patched.json.name]).toEqual([200, 'Renamed']);
    expect((await api.call('DELETE', LINT)).status).toBe(204);
  });
});
