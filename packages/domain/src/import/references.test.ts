import { expect, test } from 'vitest';
import { identityRecord, kOfNRecord, linesOf, policyRecord } from '../../test/import-world.ts';
import { importFootprint } from './references.ts';

const readable = (ids: ReturnType<typeof importFootprint>['touched']) =>
  Object.entries(ids).flatMap(([kind, set]) => [...set].map((id) => `${kind}:${id}`));

const ACCESS = [
  { type: 'ENTITLEMENT', id: 'e' },
  { type: 'ACCESS_PROFILE', id: 'ap' },
  { type: 'ROLE', id: 'r' },
] as const;

test.each([
  ['an empty import touches nothing', [], [], [], []],
  [
    'an entitlement refers to nothing',
    [{ kind: 'entitlement', id: 'e', name: 'E', source: null }],
    ['entitlement:e'],
    [],
    [],
  ],
  [
    'an access profile refers to entitlements',
    [{ kind: 'accessProfile', id: 'ap', name: 'AP', entitlements: ['e', 'f', 'e'] }],
    ['accessProfile:ap'],
    [],
    ['entitlement:e', 'entitlement:f'],
  ],
  [
    'a role refers to access profiles and entitlements',
    [{ kind: 'role', id: 'r', name: 'R', accessProfiles: ['ap'], entitlements: ['e'] }],
    ['role:r'],
    [],
    ['entitlement:e', 'accessProfile:ap'],
  ],
  [
    'an identity profile refers to nothing',
    [{ kind: 'identityProfile', id: 'ip', name: 'IP' }],
    ['identityProfile:ip'],
    [],
    [],
  ],
  [
    'an identity refers to its profile and access',
    [identityRecord('i', { identityProfile: 'ip', access: ACCESS })],
    ['identity:i'],
    [],
    ['entitlement:e', 'accessProfile:ap', 'role:r', 'identityProfile:ip'],
  ],
  [
    'a policy refers to the items of both sides',
    [policyRecord('p', ['e'], ['f'])],
    ['sodPolicy:p'],
    [],
    ['entitlement:e', 'entitlement:f'],
  ],
  [
    'a k-of-n policy refers to the items of all its sides',
    [kOfNRecord('p', 2, [['e'], ['f', 'e'], ['g']])],
    ['sodPolicy:p'],
    [],
    ['entitlement:e', 'entitlement:f', 'entitlement:g'],
  ],
  ['UI metadata are in no list', [{ kind: 'uiMetadata', id: 'tenant' }], [], [], []],
  ['deleted UI metadata are in no list', [{ kind: 'uiMetadata', id: 'tenant', delete: true }], [], [], []],
  ['a delete touches', [{ kind: 'role', id: 'r', delete: true }], ['role:r'], ['role:r'], []],
  [
    'what is touched is not referred to',
    [policyRecord('p', ['e'], ['f']), { kind: 'entitlement', id: 'e', delete: true }],
    ['entitlement:e', 'sodPolicy:p'],
    ['entitlement:e'],
    ['entitlement:f'],
  ],
  [
    'the last record of an id counts alone: a delete',
    [policyRecord('p', ['e'], ['f']), { kind: 'sodPolicy', id: 'p', delete: true }],
    ['sodPolicy:p'],
    ['sodPolicy:p'],
    [],
  ],
  [
    'the last record of an id counts alone: an upsert',
    [{ kind: 'sodPolicy', id: 'p', delete: true }, policyRecord('p', ['e'], ['f']), policyRecord('p', ['g'], ['h'])],
    ['sodPolicy:p'],
    [],
    ['entitlement:g', 'entitlement:h'],
  ],
  [
    'an id of another kind is another record',
    [
      { kind: 'role', id: 'x', delete: true },
      { kind: 'accessProfile', id: 'x', name: 'X', entitlements: [] },
    ],
    ['accessProfile:x', 'role:x'],
    ['role:x'],
    [],
  ],
] as const)('%s', (_, records, touched, deleted, referenced) => {
  const footprint = importFootprint(linesOf(...records));
  expect(readable(footprint.touched)).toEqual(touched);
  expect(readable(footprint.deleted)).toEqual(deleted);
  expect(readable(footprint.referenced)).toEqual(referenced);
});
