import { describe, expect, test } from 'vitest';
import { authProfilePatch } from './auth-profiles.ts';

const profile = {
  type: 'NON_PTA',
  offNetwork: false,
  untrustedGeography: false,
  applicationId: 'app-1',
  applicationName: null,
} as const;

function run(operations: readonly unknown[]) {
  const patch = authProfilePatch.parse(operations);
  return patch.ok ? authProfilePatch.apply(profile, patch.value) : patch;
}

const replace = (name: string, value: unknown) => ({ op: 'replace', path: `/${name}`, value });

describe('a patch changes the five settings', () => {
  test.each<[string, unknown[], object]>([
    ['nothing to do', [], {}],
    ['type BLOCK', [replace('type', 'BLOCK')], { type: 'BLOCK' }],
    ['type MFA', [replace('type', 'MFA')], { type: 'MFA' }],
    ['type PTA', [replace('type', 'PTA')], { type: 'PTA' }],
    ['offNetwork', [replace('offNetwork', true)], { offNetwork: true }],
    ['untrustedGeography', [{ op: 'add', path: '/untrustedGeography', value: true }], { untrustedGeography: true }],
    ['applicationId to null', [replace('applicationId', null)], { applicationId: null }],
    ['applicationId removed', [{ op: 'remove', path: '/applicationId' }], { applicationId: null }],
    ['applicationName removed while null', [{ op: 'remove', path: '/applicationName' }], { applicationName: null }],
    ['applicationId of 1', [replace('applicationId', 'x')], { applicationId: 'x' }],
    ['applicationId of 128', [replace('applicationId', 'x'.repeat(128))], { applicationId: 'x'.repeat(128) }],
    ['applicationName of 256', [replace('applicationName', 'x'.repeat(256))], { applicationName: 'x'.repeat(256) }],
    [
      'applicationName of 256 emoji',
      [replace('applicationName', '🔐'.repeat(256))],
      { applicationName: '🔐'.repeat(256) },
    ],
    [
      'copied between settings',
      [{ op: 'copy', from: '/applicationId', path: '/applicationName' }],
      { applicationName: 'app-1' },
    ],
    [
      'moved between settings',
      [{ op: 'move', from: '/applicationId', path: '/applicationName' }],
      { applicationId: null, applicationName: 'app-1' },
    ],
    [
      'removed, then added',
      [
        { op: 'remove', path: '/type' },
        { op: 'add', path: '/type', value: 'MFA' },
      ],
      { type: 'MFA' },
    ],
    [
      'a test that holds',
      [
        { op: 'test', path: '/applicationName', value: null },
        { op: 'test', path: '/type', value: 'NON_PTA' },
        replace('type', 'MFA'),
      ],
      { type: 'MFA' },
    ],
    [
      'a removed application is null for what follows',
      [
        { op: 'remove', path: '/applicationId' },
        { op: 'test', path: '/applicationId', value: null },
        { op: 'remove', path: '/applicationId' },
      ],
      { applicationId: null },
    ],
  ])('%s', (_title, operations, change) => {
    expect(run(operations)).toStrictEqual({ ok: true, value: { ...profile, ...change } });
  });
});

describe('anything else is IllegalUpdate', () => {
  test.each([
    '',
    '/',
    '/id',
    '/name',
    '/tenant',
    '/strongAuthLogin',
    '/Type',
    '/type ',
    '/unknown',
    '/toString',
    '/type/',
    '/type/0',
    '/applicationId/x',
    '/applicationName/0/1',
    '/__proto__',
    '/__proto__/type',
    '/~0',
    'type',
  ])('%j as path or from, of any operation', (pointer) => {
    const refused = { ok: false, failure: { type: 'IllegalUpdate' } };
    for (const op of ['add', 'remove', 'replace', 'test']) {
      expect(run([{ op, path: pointer, value: 'MFA' }])).toMatchObject(refused);
    }
    for (const op of ['move', 'copy']) {
      expect(run([{ op, from: pointer, path: '/applicationName' }])).toMatchObject(refused);
      expect(run([{ op, from: '/applicationId', path: pointer }])).toMatchObject(refused);
    }
  });
});

describe('invalid settings are refused', () => {
  const remove = (name: string) => ({ op: 'remove', path: `/${name}` });

  test.each([
    ['IllegalValue', 'type', replace('type', 'NONE')],
    ['IllegalValue', 'type', replace('type', 'mfa')],
    ['IllegalValue', 'type', replace('type', null)],
    ['IllegalValue', 'type', replace('type', ['MFA'])],
    ['IllegalValue', 'type', replace('type', 'toString')],
    ['IllegalValue', 'type', remove('type')],
    ['IllegalValue', 'type', { op: 'move', from: '/type', path: '/applicationName' }],
    ['IllegalValue', 'offNetwork', remove('offNetwork')],
    ['IllegalValue', 'offNetwork', replace('offNetwork', 'true')],
    ['IllegalValue', 'offNetwork', replace('offNetwork', 1)],
    ['IllegalValue', 'offNetwork', replace('offNetwork', null)],
    ['IllegalValue', 'untrustedGeography', remove('untrustedGeography')],
    ['IllegalValue', 'untrustedGeography', replace('untrustedGeography', {})],
    ['IllegalValue', 'applicationId', replace('applicationId', 7)],
    ['IllegalValue', 'applicationId', replace('applicationId', ['app'])],
    ['IllegalValue', 'applicationName', replace('applicationName', { length: 3 })],
    ['IllegalValue', 'applicationName', { op: 'copy', from: '/offNetwork', path: '/applicationName' }],
    ['LengthOutOfRange', 'applicationId', replace('applicationId', '')],
    ['LengthOutOfRange', 'applicationId', replace('applicationId', 'x'.repeat(129))],
    ['LengthOutOfRange', 'applicationName', replace('applicationName', '')],
    ['LengthOutOfRange', 'applicationName', replace('applicationName', 'x'.repeat(257))],
    ['LengthOutOfRange', 'applicationName', replace('applicationName', '🔐'.repeat(257))],
    ['Conflict', '[1]', replace('type', 'MFA'), { op: 'test', path: '/type', value: 'NON_PTA' }],
  ])('%s at %s: %j', (type, at, ...operations) => {
    const refused = run(operations);
    expect(refused).toMatchObject({ ok: false, failure: { type, causes: [{ at }] } });
    expect(refused.ok ? [] : refused.failure.causes).toHaveLength(1);
  });
});
