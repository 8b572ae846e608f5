import { describe, expect, test } from 'vitest';
import { shareTestApi } from '../share-test-api.ts';
import { openTestApi, type TestApi, WORLD } from '../test-api.ts';
import { refusedPatch } from './refused-patch.ts';

const identity = (id: string, capabilities: readonly string[]) => ({
  kind: 'identity',
  id,
  uid: id,
  identityProfile: 'ip-emp',
  capabilities,
});

/** An application, an administrator, and an administrator with the reserved capability. */
async function prepare(api: TestApi) {
  await api.importRecords([
    ...WORLD,
    identity('i-int', ['INTERNAL', 'HELPDESK']),
    identity('i-own', ['ORG_ADMIN', 'INTERNAL', 'HELPDESK']),
  ]);
  const callers = {
    'an application': await api.rootToken(),
    'an administrator': await api.clientToken({ identityId: 'i-ada' }),
    'an administrator who has it': await api.clientToken({ identityId: 'i-own' }),
  };
  return { api, callers };
}

const path = (id: string) => `/auth-users/v1/${id}`;

const refused = (api: TestApi, id: string, patch: { readonly token?: string; readonly body: unknown }) =>
  refusedPatch(api, path(id), patch);

describe('abuse of capabilities', () => {
  const world = shareTestApi(prepare);
  const alone = shareTestApi(async (api) => {
    await api.importRecords([WORLD[5], identity('i-ada', ['ORG_ADMIN', 'CERT_ADMIN'])]);
    return { api, itself: await api.clientToken({ identityId: 'i-ada' }) };
  });

  test.each([
    ['by add', [{ op: 'add', path: '/capabilities/-', value: 'INTERNAL' }]],
    ['by replacing one', [{ op: 'replace', path: '/capabilities/1', value: 'INTERNAL' }]],
    [
      'by whole-array replace',
      [{ op: 'replace', path: '/capabilities', value: ['ORG_ADMIN', 'HELPDESK', 'INTERNAL'] }],
    ],
    ['by whole-array add', [{ op: 'add', path: '/capabilities', value: ['INTERNAL'] }]],
    [
      'by removing and replacing all',
      [
        { op: 'remove', path: '/capabilities' },
        { op: 'add', path: '/capabilities', value: ['INTERNAL'] },
      ],
    ],
  ])('adding INTERNAL %s is 403 for every caller, and nothing is written', async (_, body) => {
    const { api, callers } = world();
    for (const [caller, token] of Object.entries(callers))
      expect([caller, ...(await refused(api, 'i-bob', { token, body }))]).toEqual([caller, 403, '403']);
  });

  test.each([
    ['by remove', [{ op: 'remove', path: '/capabilities/0' }]],
    ['by removing all', [{ op: 'remove', path: '/capabilities' }]],
    ['by replacing it', [{ op: 'replace', path: '/capabilities/0', value: 'ORG_ADMIN' }]],
    ['by whole-array replace', [{ op: 'replace', path: '/capabilities', value: ['HELPDESK'] }]],
    ['by whole-array replace with nothing', [{ op: 'replace', path: '/capabilities', value: [] }]],
    ['by moving over it', [{ op: 'move', from: '/capabilities/1', path: '/capabilities' }], 400, '400.1.3'],
  ])(
    'removing INTERNAL %s is refused for every caller, and nothing is written',
    async (_, body, status = 403, code = '403') => {
      const { api, callers } = world();
      for (const [caller, token] of Object.entries(callers))
        expect([caller, ...(await refused(api, 'i-int', { token, body }))]).toEqual([caller, status, code]);
    },
  );

  test('a whole-array replace that keeps INTERNAL, in any order, does not count as a removal', async () => {
    const { api } = await prepare(await openTestApi());
    const body = [{ op: 'replace', path: '/capabilities', value: ['CERT_ADMIN', 'INTERNAL'] }];
    const answer = await api.call('PATCH', path('i-int'), { body });
    expect([answer.status, answer.json.capabilities]).toEqual([200, ['CERT_ADMIN', 'INTERNAL']]);
  });

  test.each([
    ['unknown', 'SUPER_ADMIN'],
    ['in another case', 'Org_Admin'],
    ['in another case after its colon', 'das:UI-auditor'],
    ['a look-alike with a Cyrillic letter', '\u041eRG_ADMIN'],
    ['a look-alike in full width', '\uff2f\uff32\uff27\uff3f\uff21\uff24\uff2d\uff29\uff2e'],
    ['a look-alike with a zero-width space', 'ORG_\u200bADMIN'],
    ['a look-alike with a combining mark', 'ORG_ADMIN\u0301'],
    ['with a trailing space', 'ORG_ADMIN '],
    ['with a leading space', ' ORG_ADMIN'],
    ['with a trailing tab', 'ORG_ADMIN\t'],
    ['with a trailing line feed', 'ORG_ADMIN\n'],
    ['empty', ''],
    ['a prototype', '__proto__'],
    ['a member of every object', 'constructor'],
    ['a duplicate', 'HELPDESK'],
    ['a number', 7],
    ['null', null],
    ['a list', ['ORG_ADMIN']],
  ])('a capability that is %s is 400.1.3 and nothing is written', async (_, value) => {
    const { api } = world();
    for (const body of [
      [{ op: 'add', path: '/capabilities/-', value }],
      [{ op: 'replace', path: '/capabilities', value: ['HELPDESK', 'ORG_ADMIN', value] }],
    ])
      expect(await refused(api, 'i-bob', { body })).toEqual([400, '400.1.3']);
    const imported = await api.importRecords([{ ...identity('i-new', []), capabilities: ['HELPDESK', value] }]);
    expect([imported.status, imported.json.detailCode]).toEqual([400, '400.1.3']);
    expect((await api.call('GET', path('i-new'))).status).toBe(404);
  });

  test.each([
    ['by replace', [{ op: 'replace', path: '/capabilities', value: ['HELPDESK'] }]],
    ['by remove', [{ op: 'remove', path: '/capabilities' }]],
    ['by index', [{ op: 'remove', path: '/capabilities/0' }]],
    ['by replacing it', [{ op: 'replace', path: '/capabilities/0', value: 'HELPDESK' }]],
    ['by moving away all', [{ op: 'replace', path: '/capabilities', value: [] }]],
  ])('removing the last ORG_ADMIN %s is 409 for every caller, and nothing is written', async (_, body) => {
    const { api, itself } = alone();
    expect(await refused(api, 'i-ada', { body })).toEqual([409, '409.1']);
    const isGrant = JSON.stringify(body).includes('HELPDESK');
    // An identity must not add a capability to itself: that refusal comes first.
    expect(await refused(api, 'i-ada', { token: itself, body })).toEqual(isGrant ? [403, '403'] : [409, '409.1']);
  });

  test('when eight requests race to remove all administrators, exactly one is refused, with 409', async () => {
    const api = await openTestApi();
    const ids = Array.from({ length: 8 }, (_, at) => `i-${at}`);
    await api.importRecords([WORLD[5], ...ids.map((id) => identity(id, ['ORG_ADMIN']))]);
    const body = [{ op: 'remove', path: '/capabilities' }];
    const answers = await Promise.all(ids.map((id) => api.call('PATCH', path(id), { body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(7).fill(200), 409]);
    const left = await Promise.all(ids.map(async (id) => (await api.call('GET', path(id))).json.capabilities));
    expect(left.flat()).toEqual(['ORG_ADMIN']);
  });

  test('a PATCH and an import that race to remove the last two administrators leave one of them', async () => {
    const { api } = await prepare(await openTestApi());
    await api.importRecords([identity('i-own', [])]);
    const token = await api.clientToken({ identityId: 'i-ada' });
    const [patched, imported] = await Promise.all([
      api.call('PATCH', path('i-ada'), { body: [{ op: 'remove', path: '/capabilities' }] }),
      api.importRecords([identity('i-bob', [])], token),
    ]);
    // If the patch came first, the importer is no longer an administrator.
    expect([
      [200, 403],
      [200, 409],
      [409, 200],
    ]).toContainEqual([patched.status, imported.status]);
    const left = ['i-ada', 'i-bob'].map(async (id) => (await api.call('GET', path(id))).json.capabilities);
    expect((await Promise.all(left)).filter((capabilities) => capabilities.includes('ORG_ADMIN'))).toHaveLength(1);
  });
});
