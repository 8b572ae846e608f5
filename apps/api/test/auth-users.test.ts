import { CAPABILITIES } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import { openTestApi, WORLD } from './test-api.ts';

const replace = (capabilities: unknown) => [{ op: 'replace', path: '/capabilities', value: capabilities }];

async function openWorld() {
  const api = await openTestApi();
  await api.importRecords(WORLD);
  return api;
}

describe('get-auth-user-v1', () => {
  test('returns every field, unknown ones as null, with a strong ETag', async () => {
    const { call } = await openWorld();
    const answer = await call('GET', '/auth-users/v1/i-cleo');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('etag')).toMatch(/^"[^"]+"$/);
    expect(answer.json).toEqual({
      tenant: 'default',
      id: 'i-cleo',
      uid: 'cleo',
      profile: 'ip-emp',
      displayName: 'cleo',
      alias: 'cleo',
      firstname: null,
      lastname: null,
      email: 'cleo@example.com',
      personalEmail: null,
      phone: null,
      workPhone: null,
      identificationNumber: null,
      lastPasswordChangeDate: null,
      lastLoginTimestamp: null,
      currentLoginTimestamp: null,
      lastUnlockTimestamp: null,
      capabilities: [],
    });
  });

  test('an identity reads itself without a capability, and others only with one', async () => {
    const { call, clientToken } = await openWorld();
    const token = await clientToken({ identityId: 'i-cleo' });
    expect((await call('GET', '/auth-users/v1/i-cleo', { token })).status).toBe(200);
    expect((await call('GET', '/auth-users/v1/i-ada', { token })).status).toBe(403);
    expect((await call('GET', '/auth-users/v1/i-unknown', { token })).status).toBe(403);
    const helpdesk = await clientToken({ identityId: 'i-hal' });
    expect((await call('GET', '/auth-users/v1/i-ada', { token: helpdesk })).status).toBe(200);
  });
});

describe('patch-auth-user-v1', () => {
  test('replaces the capabilities and changes the ETag', async () => {
    const { call } = await openWorld();
    const before = await call('GET', '/auth-users/v1/i-cleo');
    const patched = await call('PATCH', '/auth-users/v1/i-cleo', { body: replace(['REPORT_ADMIN', 'CERT_ADMIN']) });
    expect(patched.status).toBe(200);
    expect(patched.json.capabilities).toEqual(['REPORT_ADMIN', 'CERT_ADMIN']);
    expect(patched.headers.get('etag')).not.toBe(before.headers.get('etag'));
    const after = await call('GET', '/auth-users/v1/i-cleo');
    expect(after.text).toBe(patched.text);
    expect(after.headers.get('etag')).toBe(patched.headers.get('etag'));
  });

  test.each([
    ['another field', [{ op: 'replace', path: '/email', value: 'x' }], 400, '400.1.1'],
    ['the root', [{ op: 'replace', path: '', value: {} }], 400, '400.1.1'],
    ['no pointer', [{ op: 'replace', path: 'capabilities', value: [] }], 400, '400.1.1'],
    ['a test of another field', [{ op: 'test', path: '/uid', value: 'cleo' }], 400, '400.1.1'],
    ['an unknown capability', replace(['GOD']), 400, '400.1.3'],
    ['a capability in another case', replace(['org_admin']), 400, '400.1.3'],
    ['a repeated capability', replace(['HELPDESK', 'HELPDESK']), 400, '400.1.3'],
    ['an index that is not there', [{ op: 'remove', path: '/capabilities/0' }], 400, '400.1.3'],
    ['65 capabilities', replace(Array.from({ length: 65 }, (_, at) => `C${at}`)), 400, '400.1.4'],
    ['101 operations', Array(101).fill(replace([])[0]), 400, '400.1.4'],
    ['an object as body', {}, 400, '400.1'],
    ['an operation without op', [{ path: '/capabilities' }], 400, '400.1.0'],
    ['the reserved capability', replace(['INTERNAL']), 403, '403'],
    ['a failed test', [{ op: 'test', path: '/capabilities', value: ['HELPDESK'] }], 409, '409.1'],
  ])('refuses %s and changes nothing', async (_, body, status, detailCode) => {
    const { call } = await openWorld();
    const before = await call('GET', '/auth-users/v1/i-cleo');
    const answer = await call('PATCH', '/auth-users/v1/i-cleo', { body });
    expect([answer.status, answer.json.detailCode]).toEqual([status, detailCode]);
    expect((await call('GET', '/auth-users/v1/i-cleo')).text).toBe(before.text);
  });

  test('an illegal path is reported before an unknown resource, and an illegal index after it', async () => {
    const { call } = await openWorld();
    expect((await call('PATCH', '/auth-users/v1/i-no', { body: [{ op: 'remove', path: '/uid' }] })).status).toBe(400);
    expect(
      (await call('PATCH', '/auth-users/v1/i-no', { body: [{ op: 'remove', path: '/capabilities/0' }] })).status,
    ).toBe(404);
  });

  test('an empty patch changes nothing and answers 200', async () => {
    const { call } = await openWorld();
    const before = await call('GET', '/auth-users/v1/i-ada');
    const patched = await call('PATCH', '/auth-users/v1/i-ada', { body: [] });
    expect([patched.status, patched.text, patched.headers.get('etag')]).toEqual([
      200,
      before.text,
      before.headers.get('etag'),
    ]);
  });

  test('removing the capabilities leaves an empty list, for the operations that follow too', async () => {
    const { call } = await openWorld();
    const afterRemoval = async (...following: readonly object[]) =>
      (
        await call('PATCH', '/auth-users/v1/i-hal', {
          body: [{ op: 'remove', path: '/capabilities' }, ...following],
        })
      ).json.capabilities;
    expect(await afterRemoval({ op: 'add', path: '/capabilities/-', value: 'HELPDESK' })).toEqual(['HELPDESK']);
    expect(await afterRemoval({ op: 'replace', path: '/capabilities', value: ['CERT_ADMIN'] })).toEqual(['CERT_ADMIN']);
    expect(await afterRemoval({ op: 'test', path: '/capabilities', value: [] })).toEqual([]);
    expect(await afterRemoval()).toEqual([]);
  });

  test('an administrator gives others every capability but INTERNAL, and itself none', async () => {
    const { call, clientToken } = await openWorld();
    const token = await clientToken({ identityId: 'i-ada' });
    const add = async (id: string, value: string) =>
      (await call('PATCH', `/auth-users/v1/${id}`, { token, body: [{ op: 'add', path: '/capabilities/-', value }] }))
        .status;
    for (const capability of CAPABILITIES)
      expect([capability, await add('i-cleo', capability)]).toEqual([
        capability,
        capability === 'INTERNAL' ? 403 : 200,
      ]);
    expect([await add('i-ada', 'HELPDESK'), await add('i-ada', 'das:ui-auditor')]).toEqual([403, 403]);
  });

  test('ORG_ADMIN cannot be removed from its last holder, also when two requests race', async () => {
    const { call } = await openWorld();
    const demote = (id: string) => call('PATCH', `/auth-users/v1/${id}`, { body: replace([]) });
    const answers = await Promise.all([demote('i-ada'), demote('i-bob')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.json.detailCode).toBe('409.1');
  });

  test('a revoked capability takes effect at once', async () => {
    const { call, clientToken } = await openWorld();
    const token = await clientToken({ identityId: 'i-bob' });
    expect((await call('PATCH', '/auth-users/v1/i-cleo', { token, body: [] })).status).toBe(200);
    await call('PATCH', '/auth-users/v1/i-bob', { body: replace([]) });
    expect((await call('PATCH', '/auth-users/v1/i-cleo', { token, body: [] })).status).toBe(403);
  });
});

describe('If-Match', () => {
  test('accepts a write that names the current state; rights and conflicts come before 412, and 412 before an inapplicable patch', async () => {
    const { call } = await openWorld();
    const etag = (await call('GET', '/auth-users/v1/i-cleo')).headers.get('etag') ?? '';
    const patch = (ifMatch: string, body: unknown) =>
      call('PATCH', '/auth-users/v1/i-cleo', { headers: { 'if-match': ifMatch }, body });
    expect((await patch('"stale"', replace(['HELPDESK']))).json.detailCode).toBe('412');
    expect((await patch('"stale"', [{ op: 'test', path: '/capabilities', value: ['X'] }])).status).toBe(409);
    const inapplicable = [{ op: 'remove', path: '/capabilities/9' }];
    expect((await patch('"stale"', inapplicable)).status).toBe(412);
    expect((await patch(etag, inapplicable)).status).toBe(400);
    expect((await patch(`"stale", ${etag}`, replace(['HELPDESK']))).status).toBe(200);
    expect((await patch(etag, replace([]))).status).toBe(412);
    expect((await patch('*', replace([]))).status).toBe(200);
  });

  test('exactly one of many writers with the same ETag succeeds', async () => {
    const { call } = await openWorld();
    const etag = (await call('GET', '/auth-users/v1/i-cleo')).headers.get('etag') ?? '';
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        call('PATCH', '/auth-users/v1/i-cleo', {
          headers: { 'if-match': etag },
          body: replace(at % 2 === 0 ? ['HELPDESK'] : ['CERT_ADMIN']),
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(7);
  });
});
