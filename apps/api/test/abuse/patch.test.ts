import { describe, expect, test } from 'vitest';
import { shareTestApi } from '../share-test-api.ts';
import { type TestApi, WORLD } from '../test-api.ts';
import { refusedPatch } from './refused-patch.ts';

const USER = '/auth-users/v1/i-bob';
const PROFILE = '/auth-profiles/v1/ip-emp';

const world = shareTestApi(async (api) => {
  await api.importRecords(WORLD);
  return api;
});

const refused = (api: TestApi, path: string, body: unknown) => refusedPatch(api, path, { body });

describe('abuse of a patch of an auth user', () => {
  test.each([
    ['""', '', '400.1.1'],
    ['/', '/', '400.1.1'],
    ['x/capabilities', 'x/capabilities', '400.1.1'],
    ['#/capabilities', '#/capabilities', '400.1.1'],
    ['/Capabilities', '/Capabilities', '400.1.1'],
    ['/capabilities with a space', '/capabilities ', '400.1.1'],
    ['/capabilities, percent-encoded', '/%63apabilities', '400.1.1'],
    ['//capabilities', '//capabilities', '400.1.1'],
    ['/capabilities/~2', '/capabilities/~2', '400.1.1'],
    ['/capabilities/~', '/capabilities/~', '400.1.1'],
    ['/capabilities/01', '/capabilities/01', '400.1.3'],
    ['/capabilities/-1', '/capabilities/-1', '400.1.3'],
    ['/capabilities/+1', '/capabilities/+1', '400.1.3'],
    ['/capabilities/1e0', '/capabilities/1e0', '400.1.3'],
    ['/capabilities/4294967296', '/capabilities/4294967296', '400.1.3'],
    ['/capabilities/length', '/capabilities/length', '400.1.3'],
    ['/capabilities/0/x', '/capabilities/0/x', '400.1.3'],
  ])('`%s` as path of any operation is refused and nothing is written', async (_, path, code) => {
    const api = world();
    for (const operation of [
      { op: 'add', path, value: 'CERT_ADMIN' },
      { op: 'replace', path, value: 'CERT_ADMIN' },
      { op: 'remove', path },
      { op: 'test', path, value: 'HELPDESK' },
      { op: 'copy', path, from: '/capabilities/1' },
      { op: 'move', path, from: '/capabilities/1' },
    ])
      expect([operation.op, ...(await refused(api, USER, [operation]))]).toEqual([operation.op, 400, code]);
  });

  test.each(['', '/', '/uid', '/tenant', '/profile', 'capabilities', '/Capabilities', '/__proto__', '/constructor'])(
    '`from` outside the whitelist (%s) is 400.1.1 and nothing is written',
    async (from) => {
      const api = world();
      for (const op of ['copy', 'move'])
        expect(await refused(api, USER, [{ op, from, path: '/capabilities/-' }])).toEqual([400, '400.1.1']);
    },
  );

  test('`test` on another field is 400.1.1 even if it would succeed, so that values cannot be guessed', async () => {
    const api = world();
    for (const value of ['bob', 'ada'])
      expect(await refused(api, USER, [{ op: 'test', path: '/uid', value }])).toEqual([400, '400.1.1']);
  });

  test.each([[null], [7], [true], [['add']], [{ toString: 'add' }], [{}]] as readonly [unknown][])(
    '`op` that is no string (%j) is 400.1.3',
    async (op) => {
      const api = world();
      expect(await refused(api, USER, [{ op, path: '/capabilities/-', value: 'CERT_ADMIN' }])).toEqual([
        400,
        '400.1.3',
      ]);
    },
  );

  test.each([
    ['the last operation fails its test', { op: 'test', path: '/capabilities/0', value: 'NO' }, 409, '409.1'],
    ['the last operation has no target', { op: 'remove', path: '/capabilities/9' }, 400, '400.1.3'],
    ['the last operation may not touch its target', { op: 'remove', path: '/uid' }, 400, '400.1.1'],
    ['the last operation lacks its path', { op: 'remove' }, 400, '400.1.0'],
    [
      'the last operation adds an unknown capability',
      { op: 'add', path: '/capabilities/-', value: 'X' },
      400,
      '400.1.3',
    ],
    ['the last operation adds the reserved one', { op: 'add', path: '/capabilities/-', value: 'INTERNAL' }, 403, '403'],
  ])('if the second operation fails, the first has no effect: %s', async (_, last, status, code) => {
    const api = world();
    const first = { op: 'add', path: '/capabilities/-', value: 'CERT_ADMIN' };
    expect(await refused(api, USER, [first, last])).toEqual([status, code]);
  });

  test.each([
    ['of the list into itself', { op: 'copy', from: '/capabilities', path: '/capabilities/-' }],
    ['of the list to its front', { op: 'copy', from: '/capabilities', path: '/capabilities/0' }],
  ])('100 copies %s are refused with 400.1.4 before they are built, and nothing is written', async (_, operation) => {
    const api = world();
    expect(await refused(api, USER, Array(100).fill(operation))).toEqual([400, '400.1.4']);
  });

  test('copies between large values that the patch itself adds are refused with 400.1.4', async () => {
    const api = world();
    const bomb = [
      { op: 'add', path: '/capabilities', value: { a: Array(900).fill(0) } },
      ...Array.from({ length: 90 }, (_, at) => ({ op: 'copy', from: '/capabilities', path: `/capabilities/${at}` })),
    ];
    expect(await refused(api, USER, bomb)).toEqual([400, '400.1.4']);
  });

  test('moves that nest deeper and deeper are refused with 400.1.4, and nothing is written', async () => {
    const api = world();
    const deeper = [
      { op: 'add', path: '/capabilities/0', value: [] },
      { op: 'move', from: '/capabilities/1', path: '/capabilities/0/-' },
    ];
    const bomb = [{ op: 'replace', path: '/capabilities', value: [[]] }, ...Array(49).fill(deeper).flat()];
    expect(await refused(api, USER, bomb)).toEqual([400, '400.1.4']);
  });
});

describe('abuse of a patch of an auth profile', () => {
  test.each([
    ['""', ''],
    ['/', '/'],
    ['x/type', 'x/type'],
    ['/Type', '/Type'],
    ['/type/~2', '/type/~2'],
    ['/type/0', '/type/0'],
    ['/applicationName/length', '/applicationName/length'],
    ['/strongAuthLogin', '/strongAuthLogin'],
    ['/tenant', '/tenant'],
  ])('`%s` as path or `from` of any operation is 400.1.1 and nothing is written', async (_, path) => {
    const api = world();
    for (const operation of [
      { op: 'add', path, value: 'MFA' },
      { op: 'replace', path, value: 'MFA' },
      { op: 'remove', path },
      { op: 'test', path, value: 'NON_PTA' },
      { op: 'copy', path, from: '/type' },
      { op: 'move', path, from: '/type' },
      { op: 'copy', path: '/applicationName', from: path },
      { op: 'move', path: '/applicationName', from: path },
    ])
      expect([operation.op, ...(await refused(api, PROFILE, [operation]))]).toEqual([operation.op, 400, '400.1.1']);
  });

  test('if the second operation fails, the first has no effect', async () => {
    const api = world();
    const first = { op: 'replace', path: '/type', value: 'MFA' };
    expect(await refused(api, PROFILE, [first, { op: 'test', path: '/offNetwork', value: true }])).toEqual([
      409,
      '409.1',
    ]);
    expect(await refused(api, PROFILE, [first, { op: 'replace', path: '/offNetwork', value: 1 }])).toEqual([
      400,
      '400.1.3',
    ]);
    expect(await refused(api, PROFILE, [first, { op: 'remove', path: '/name' }])).toEqual([400, '400.1.1']);
  });
});
