import {
  DEFAULT_LOCKOUT_CONFIG,
  DEFAULT_NETWORK_CONFIG,
  DEFAULT_SESSION_CONFIG,
  type Failure,
  type Patch,
  parsePatch,
  type Result,
} from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import { validate } from '../validation/validate.ts';
import { lockoutPatch, networkPatch, newNetworkConfig, sessionPatch } from './sign-in.ts';

type Operations = readonly Readonly<Record<string, unknown>>[];

const replace = (path: string, value: unknown) => ({ op: 'replace', path, value });
const lockout = (operations: Operations) => run(lockoutPatch, DEFAULT_LOCKOUT_CONFIG, operations);
const session = (operations: Operations) => run(sessionPatch, DEFAULT_SESSION_CONFIG, operations);
const network = (operations: Operations) => run(networkPatch, DEFAULT_NETWORK_CONFIG, operations);

function run<T, R>(
  { apply }: { readonly apply: (resource: T, patch: Patch) => Result<R, Failure> },
  resource: T,
  operations: Operations,
) {
  const patch = parsePatch(operations);
  return patch.ok ? apply(resource, patch.value) : patch;
}

const refused = (type: string, at: string) => ({
  ok: false,
  failure: { type, causes: expect.arrayContaining([expect.objectContaining({ at })]) },
});

test('the defaults are those of the contract', () => {
  expect(DEFAULT_LOCKOUT_CONFIG).toEqual({ maximumAttempts: 5, lockoutDuration: 15, lockoutWindow: 5 });
  expect(DEFAULT_SESSION_CONFIG).toEqual({ maxIdleTime: 15, rememberMe: false, maxSessionTime: 480 });
  expect(DEFAULT_NETWORK_CONFIG).toEqual({ range: null, geolocation: null, whitelisted: false });
});

describe('a lockout config', () => {
  test.each([
    ['maximumAttempts', 1, 15],
    ['lockoutDuration', 5, 60],
    ['lockoutWindow', 5, 60],
  ])('%s takes %i to %i and nothing beyond', (name, min, max) => {
    for (const value of [min, max]) {
      expect(lockout([replace(`/${name}`, value)])).toEqual({
        ok: true,
        value: { ...DEFAULT_LOCKOUT_CONFIG, [name]: value },
      });
    }
    for (const value of [min - 1, max + 1, min + 0.5, String(min), null, true, [min], {}]) {
      expect(lockout([replace(`/${name}`, value)])).toEqual(refused('IllegalValue', name));
    }
    expect(lockout([{ op: 'remove', path: `/${name}` }])).toEqual(refused('IllegalValue', name));
  });
});

describe('a session config', () => {
  test.each<[string, Operations, object]>([
    [
      'the shortest times',
      [replace('/maxIdleTime', 1), replace('/maxSessionTime', 2)],
      { maxIdleTime: 1, maxSessionTime: 2 },
    ],
    [
      'the longest idle time',
      [replace('/maxIdleTime', 1_440), replace('/maxSessionTime', 10_080)],
      { maxIdleTime: 1_440, maxSessionTime: 10_080 },
    ],
    ['rememberMe', [replace('/rememberMe', true)], { rememberMe: true }],
    [
      'both times in any order',
      [replace('/maxIdleTime', 600), replace('/maxSessionTime', 601)],
      { maxIdleTime: 600, maxSessionTime: 601 },
    ],
  ])('takes %s', (_title, operations, change) => {
    expect(session(operations)).toEqual({ ok: true, value: { ...DEFAULT_SESSION_CONFIG, ...change } });
  });

  test.each<[string, Operations]>([
    ['maxIdleTime', [replace('/maxIdleTime', 0)]],
    ['maxIdleTime', [replace('/maxIdleTime', 1_441), replace('/maxSessionTime', 10_080)]],
    ['maxIdleTime', [replace('/maxIdleTime', '15')]],
    ['maxIdleTime', [{ op: 'remove', path: '/maxIdleTime' }]],
    ['maxSessionTime', [replace('/maxSessionTime', 10_081)]],
    ['maxSessionTime', [replace('/maxSessionTime', null)]],
    ['rememberMe', [replace('/rememberMe', 'true')]],
    ['rememberMe', [replace('/rememberMe', null)]],
    ['rememberMe', [{ op: 'remove', path: '/rememberMe' }]],
  ])('refuses an illegal %s: %j', (at, operations) => {
    expect(session(operations)).toEqual(refused('IllegalValue', at));
  });
});

describe('a network config', () => {
  const ranges = (count: number) => Array.from({ length: count }, (_, place) => `10.${place >> 8}.${place & 255}.0/24`);

  test.each<[string, Operations, object]>([
    [
      'the example of the product',
      [
        replace('/range', ['1.3.7.2', '255.255.255.252/30']),
        replace('/geolocation', ['CA', 'FR', 'HT']),
        replace('/whitelisted', true),
      ],
      { range: ['1.3.7.2', '255.255.255.252/30'], geolocation: ['CA', 'FR', 'HT'], whitelisted: true },
    ],
    ['500 ranges', [replace('/range', ranges(500))], { range: ranges(500) }],
    ['empty lists', [replace('/range', []), replace('/geolocation', [])], { range: [], geolocation: [] }],
    [
      'an item',
      [
        replace('/range', ['::1']),
        { op: 'add', path: '/range/-', value: '1.1.1.1' },
        { op: 'remove', path: '/range/0' },
      ],
      { range: ['1.1.1.1'] },
    ],
    [
      'removed lists',
      [
        { op: 'remove', path: '/range' },
        { op: 'remove', path: '/geolocation' },
      ],
      {},
    ],
  ])('takes %s', (_title, operations, change) => {
    expect(network(operations)).toEqual({ ok: true, value: { ...DEFAULT_NETWORK_CONFIG, ...change } });
  });

  test.each<[string, string, Operations]>([
    ['LimitExceeded', 'range', [replace('/range', ranges(501))]],
    ['IllegalValue', 'range', [replace('/range', '10.0.0.0/8')]],
    ['IllegalValue', 'range[1]', [replace('/range', ['10.0.0.0/8', '10.0.0.0/33'])]],
    ['IllegalValue', 'range[0]', [replace('/range', [7])]],
    ['IllegalValue', 'range[0]', [replace('/range', [null])]],
    ['IllegalValue', 'geolocation', [replace('/geolocation', { CH: true })]],
    ['IllegalValue', 'geolocation[0]', [replace('/geolocation', ['ch'])]],
    ['IllegalValue', 'geolocation[0]', [replace('/geolocation', ['CHE'])]],
    ['IllegalValue', 'geolocation[0]', [replace('/geolocation', ['ÄT'])]],
    [
      'LimitExceeded',
      'geolocation',
      [
        replace(
          '/geolocation',
          Array.from({ length: 677 }, () => 'CH'),
        ),
      ],
    ],
    ['IllegalValue', 'whitelisted', [replace('/whitelisted', null)]],
    ['IllegalValue', 'whitelisted', [{ op: 'remove', path: '/whitelisted' }]],
  ])('refuses with %s at %s: %j', (type, at, operations) => {
    expect(network(operations)).toEqual(refused(type, at));
  });

  test('names each illegal item', () => {
    expect(validate(newNetworkConfig, { range: ['x', '1.1.1.1', 'y'], whitelisted: false })).toMatchObject({
      failure: { type: 'IllegalValue', causes: [{ at: 'range[0]' }, { at: 'range[2]' }] },
    });
  });
});

describe('a patch touches the named properties alone', () => {
  test.each([
    '',
    '/',
    '/id',
    '/toString',
    '/__proto__',
    '/maximumAttempts/0',
    '/rememberMe/x',
    '/whitelisted/0',
    '/range/0/1',
  ])('%j of any operation is refused', (path) => {
    for (const { parse } of [lockoutPatch, sessionPatch, networkPatch]) {
      for (const op of ['add', 'remove', 'replace', 'test']) {
        expect(parse([{ op, path, value: 5 }])).toMatchObject({ ok: false, failure: { type: 'IllegalUpdate' } });
      }
      for (const op of ['move', 'copy']) {
        expect(parse([{ op, path, from: path }])).toMatchObject({ ok: false, failure: { type: 'IllegalUpdate' } });
      }
    }
  });
});
