import { StorageUnavailable } from '@access-admin/store';
import { describe, expect, test } from 'vitest';
import { openTestApi, WORLD } from './test-api.ts';

const EXPORT = '/access-model/v1/export';
const NONE = { created: 0, updated: 0, deleted: 0, unchanged: 0 };
const KINDS = [
  'entitlement',
  'accessProfile',
  'role',
  'identityProfile',
  'source',
  'identity',
  'account',
  'sodPolicy',
  'control',
  'uiMetadata',
  'branding',
  'lockoutConfig',
  'sessionConfig',
  'networkConfig',
];

describe('import-access-model-v1', () => {
  test('returns counts by kind and the policy-set version', async () => {
    const { importRecords } = await openTestApi();
    const first = await importRecords(WORLD);
    expect(first.status).toBe(200);
    expect(Object.keys(first.json.counts)).toEqual(KINDS);
    expect(first.json.counts).toMatchObject({
      entitlement: { ...NONE, created: 3 },
      identity: { ...NONE, created: 4 },
      sodPolicy: { ...NONE, created: 1 },
    });
    expect(first.json.warnings).toEqual([]);
    const second = await importRecords([
      WORLD[0],
      { kind: 'sodPolicy', id: 'p-1', delete: true },
      { kind: 'role', id: 'none', delete: true },
    ]);
    expect(second.json.counts).toMatchObject({
      entitlement: { ...NONE, unchanged: 1 },
      sodPolicy: { ...NONE, deleted: 1 },
      role: NONE,
    });
    expect(second.json.policySetVersion).toBeGreaterThan(first.json.policySetVersion);
  });

  test('an empty import succeeds and changes nothing', async () => {
    const { importRecords } = await openTestApi();
    const { json } = await importRecords(WORLD);
    const empty = await importRecords([]);
    expect([empty.status, empty.json.policySetVersion]).toEqual([200, json.policySetVersion]);
  });

  test('has no effect if one line is invalid, and names that line', async () => {
    const { call, importRecords } = await openTestApi();
    const answer = await importRecords([
      ...WORLD,
      { kind: 'role', id: 'r-bad', name: 'Bad', entitlements: ['no-such'] },
    ]);
    expect([answer.status, answer.json.detailCode]).toEqual([400, '400.1.404']);
    expect(answer.json.causes[0].text).toContain(`line ${WORLD.length + 1}`);
    expect((await call('GET', EXPORT)).text).toBe('');
  });

  test('deleting a referenced record is a conflict, except for an entitlement of a policy', async () => {
    const { importRecords, call } = await openTestApi();
    await importRecords(WORLD);
    for (const [kind, id] of [
      ['role', 'r-buyer'],
      ['accessProfile', 'ap-vendor'],
      ['entitlement', 'e-vendor'],
      ['identityProfile', 'ip-emp'],
    ]) {
      const answer = await importRecords([{ kind, id, delete: true }]);
      expect([kind, answer.status, answer.json.detailCode]).toEqual([kind, 409, '409.1']);
    }
    expect((await importRecords([{ kind: 'entitlement', id: 'e-pay', delete: true }])).status).toBe(200);
    expect((await call('GET', EXPORT)).text).toContain('"id":"e-pay"');
  });

  test('an unknown policy item is stored and reported as a warning', async () => {
    const { importRecords } = await openTestApi();
    const answer = await importRecords([WORLD[10]]);
    expect(answer.status).toBe(200);
    expect(answer.json.warnings).toMatchObject([
      { code: 'UNKNOWN_ITEM', policyId: 'p-1', ref: { type: 'ENTITLEMENT', id: 'e-pay' } },
      { code: 'UNKNOWN_ITEM', policyId: 'p-1', ref: { type: 'ENTITLEMENT', id: 'e-vendor' } },
      { code: 'UNMATCHABLE_POLICY', policyId: 'p-1', ref: null },
    ]);
  });

  test('of what is already stored changes nothing: no event, no version', async () => {
    const { call, importRecords } = await openTestApi();
    const first = await importRecords(WORLD);
    const head = (await call('GET', '/audit-events/v1/head')).json.sequence;
    const again = await importRecords(WORLD);
    expect(again.json.counts).toMatchObject({
      entitlement: { ...NONE, unchanged: 3 },
      identityProfile: { ...NONE, unchanged: 1 },
      identity: { ...NONE, unchanged: 4 },
      sodPolicy: { ...NONE, unchanged: 1 },
      control: NONE,
      uiMetadata: NONE,
    });
    expect(again.json.policySetVersion).toBe(first.json.policySetVersion);
    expect((await call('GET', '/audit-events/v1/head')).json.sequence).toBe(head);
  });

  test('for another policy-set version than the present one is refused after conflicts, and changes nothing', async () => {
    const { importRecords, call } = await openTestApi();
    const { policySetVersion } = (await importRecords(WORLD)).json;
    const importFor = (version: number | string, record: object) =>
      call('POST', `/access-model/v1/import?ifPolicySetVersion=${version}`, {
        headers: { 'content-type': 'application/x-ndjson' },
        body: JSON.stringify(record),
      });
    const renamed = { ...WORLD[10], name: 'Renamed' };
    const refused = await importFor(policySetVersion + 1, renamed);
    expect([refused.status, refused.json.detailCode]).toEqual([412, '412']);
    expect(refused.json.causes[0].text).toContain(`the present policy-set version is ${policySetVersion}`);
    expect((await importFor(policySetVersion + 1, { kind: 'role', id: 'r-buyer', delete: true })).status).toBe(409);
    expect((await importFor('last', renamed)).json.detailCode).toBe('400.1.3');
    expect((await call('GET', EXPORT)).text).not.toContain('Renamed');
    expect((await importFor(policySetVersion, renamed)).json.policySetVersion).toBe(policySetVersion + 1);
  });

  test.each([['yes'], [1], [null], [[]], [{}], ['true']])('refuses the value %j of delete', async (value) => {
    const { importRecords } = await openTestApi();
    for (const line of [{ kind: 'entitlement', id: 'e-1' }, WORLD[0], { kind: 'nonsense', id: 'e-1' }]) {
      const answer = await importRecords([{ ...line, delete: value }]);
      expect([answer.status, answer.json.detailCode]).toEqual([400, '400.1.3']);
      expect(JSON.stringify(answer.json.causes)).toContain('line 1: delete');
    }
  });

  test('upserts a line that says that it does not delete', async () => {
    const { importRecords } = await openTestApi();
    const answer = await importRecords([{ ...WORLD[0], delete: false }]);
    expect(answer.json.counts.entitlement).toEqual({ ...NONE, created: 1 });
    const nameless = await importRecords([{ kind: 'entitlement', id: 'e-1', delete: false }]);
    expect(nameless.json.detailCode).toBe('400.1.0');
  });

  test('only an application sets INTERNAL', async () => {
    const { importRecords, clientToken } = await openTestApi();
    await importRecords(WORLD);
    const internal = {
      kind: 'identity',
      id: 'i-new',
      uid: 'new',
      identityProfile: 'ip-emp',
      capabilities: ['INTERNAL'],
    };
    const asIdentity = await clientToken({ identityId: 'i-ada' });
    expect((await importRecords([internal], asIdentity)).status).toBe(403);
    expect((await importRecords([internal])).status).toBe(200);
    expect((await importRecords([{ ...internal, capabilities: [] }], asIdentity)).status).toBe(403);
  });

  test('two identities of a tenant cannot have the same uid, whatever its case', async () => {
    const { importRecords } = await openTestApi();
    await importRecords(WORLD);
    const second = { kind: 'identity', id: 'i-second', uid: 'ADA', identityProfile: 'ip-emp' };
    for (const records of [
      [second],
      [
        { ...second, uid: 'new' },
        { ...second, id: 'i-third', uid: 'New' },
      ],
    ]) {
      const { status, json } = await importRecords(records);
      expect([status, json.detailCode]).toEqual([409, '409.1']);
      expect(JSON.stringify(json.causes)).toContain(`line ${records.length}: uid: the identity i-`);
    }
    expect((await importRecords([second, { kind: 'identity', id: 'i-ada', delete: true }])).status).toBe(200);
  });

  test('an identity that imports can neither raise its rights nor lock the tenant out', async () => {
    const { importRecords, clientToken } = await openTestApi();
    await importRecords(WORLD);
    const token = await clientToken({ identityId: 'i-ada' });
    const identity = (id: string, uid: string, capabilities: string[]) => ({
      kind: 'identity',
      id,
      uid,
      identityProfile: 'ip-emp',
      capabilities,
    });
    expect((await importRecords([identity('i-ada', 'ada', ['ORG_ADMIN', 'HELPDESK'])], token)).status).toBe(403);
    expect((await importRecords([identity('i-ada', 'ada', []), identity('i-bob', 'bob', [])], token)).status).toBe(409);
    expect(
      (
        await importRecords(
          [
            { kind: 'identity', id: 'i-ada', delete: true },
            { kind: 'identity', id: 'i-bob', delete: true },
          ],
          token,
        )
      ).status,
    ).toBe(409);
  });

  test('refuses a body that is not NDJSON or exceeds 16 MiB', async () => {
    const { call } = await openTestApi();
    const wrong = await call('POST', '/access-model/v1/import', { body: '' });
    expect(wrong.status).toBe(415);
    const large = await call('POST', '/access-model/v1/import', {
      headers: { 'content-type': 'application/x-ndjson' },
      body: '\n'.repeat(16 * 1024 * 1024 + 1),
    });
    expect(large.status).toBe(413);
  });
});

describe('export-access-model-v1', () => {
  test('is 503 if the storage is unavailable at the start', async () => {
    const away = { next: () => Promise.reject(new StorageUnavailable('The storage is away.')) };
    const { call, store } = await openTestApi();
    Object.assign(store.accessModel, { export: () => ({ [Symbol.asyncIterator]: () => away }) });
    expect((await call('GET', EXPORT)).status).toBe(503);
  });

  test('writes every kind in an order that can be imported, and an import of it exports equally', async () => {
    const full = [...WORLD, { kind: 'uiMetadata', id: 'tenant', usernameLabel: 'User' }];
    const first = await openTestApi();
    await first.importRecords(full);
    const exported = await first.call('GET', EXPORT);
    expect(exported.headers.get('content-type')).toBe('application/x-ndjson');
    const kinds = exported.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).kind as string);
    expect([...kinds].sort((a, b) => KINDS.indexOf(a) - KINDS.indexOf(b))).toEqual(kinds);
    expect(kinds).toHaveLength(full.length);
    expect(exported.text).not.toContain('secret');
    const second = await openTestApi();
    const imported = await second.call('POST', '/access-model/v1/import', {
      headers: { 'content-type': 'application/x-ndjson' },
      body: exported.text,
    });
    expect(imported.status).toBe(200);
    expect((await second.call('GET', EXPORT)).text).toBe(exported.text);
  });

  test('always writes the settings of an identity profile', async () => {
    const { call, importRecords } = await openTestApi();
    await importRecords([{ kind: 'identityProfile', id: 'ip', name: 'P', authProfile: { type: 'MFA' } }]);
    expect(JSON.parse((await call('GET', EXPORT)).text)).toEqual({
      kind: 'identityProfile',
      id: 'ip',
      name: 'P',
      authProfile: {
        type: 'MFA',
        offNetwork: false,
        untrustedGeography: false,
        applicationId: null,
        applicationName: null,
      },
    });
  });
});
