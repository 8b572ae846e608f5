import { describe, expect, test } from 'vitest';
import {
  gather,
  identityRecord,
  kOfNRecord,
  linesOf,
  policyRecord,
  storedIdentity,
  type World,
  worldOf,
} from '../../test/import-world.ts';
import {
  APPLICATION,
  BEFORE,
  entitlement,
  NOW,
  outcomeOf,
  remove,
  SETTINGS,
  SMALL_WORLD,
} from '../../test/small-world.ts';
import { SOURCE_DEFAULTS, type Source } from '../access/sources/source.ts';
import type { Caller } from '../administration/authorization.ts';
import type { Capability } from '../administration/capability.ts';
import { textOfApplied } from '../governance/controls/change.ts';
import { planImport } from './plan.ts';
import { type AccessModelRecord, type AccountOfRecord, accountRef } from './records.ts';

/** The failure's type and the paths of its causes. */
function refusalOf(records: readonly AccessModelRecord[], world?: World, caller?: Caller) {
  const outcome = outcomeOf(records, world, caller);
  return outcome.ok ? null : [outcome.failure.type, ...outcome.failure.causes.map(({ at }) => at)];
}

const sourceRecord = (id: string) => ({ kind: 'source', id, name: id, ...SOURCE_DEFAULTS }) as const;
const storedSource = (id: string): Source => ({
  id,
  name: id,
  ...SOURCE_DEFAULTS,
  created: BEFORE,
  modified: BEFORE,
  lastLoad: null,
});
const accountRecord = (account: string, link: Partial<AccountOfRecord>) =>
  ({
    kind: 'account',
    id: accountRef('s-9', account),
    source: 's-9',
    account,
    name: account,
    displayName: null,
    email: null,
    disabled: false,
    access: [
      { type: 'ENTITLEMENT', id: 'e-1' },
      { type: 'ROLE', id: 'r-9' },
    ],
    madeIdentityId: 'i-8',
    ...link,
  }) as const;
const CONTROL = {
  kind: 'control',
  id: 'x',
  name: 'X',
  description: null,
  owner: null,
  secondaryOwners: [],
  type: 'Mitigation',
  expiration: '20d',
  justificationRequired: false,
} as const;
const identityRef = (id: string) => ({ type: 'IDENTITY', id, name: null }) as const;
const RIGHT = 'conflictingAccessCriteria.rightCriteria.criteriaList';

describe('a line that is illegal by itself', () => {
  test.each<[string, AccessModelRecord[], string[]]>([
    [
      'an item on both sides',
      [entitlement('e-9'), policyRecord('p', ['e-1'], ['e-2', 'e-1'])],
      ['IllegalValue', `line 2: ${RIGHT}[1].id`],
    ],
    [
      'a k-of-n policy with `atLeast` above the number of sides',
      [kOfNRecord('p', 2, [['e-1'], ['e-1']]), kOfNRecord('q', 3, [['e-1'], ['e-2']])],
      ['IllegalValue', 'line 2: conflictingAccessCriteria.atLeast'],
    ],
    [
      'sessions that may be idle for longer than they last, which a later line replaces',
      [{ kind: 'sessionConfig', id: 'tenant', maxIdleTime: 600 }, remove('sessionConfig', 'tenant')],
      ['IllegalValue', 'line 1: maxSessionTime'],
    ],
  ])('is refused: %s', (_, records, refusal) => {
    expect(refusalOf(records)).toEqual(refusal);
  });
});

test('an applied control may be changed but not deleted, and other records with its id may', () => {
  const causesOf = (record: AccessModelRecord) => {
    const lines = linesOf(record);
    const base = { ...gather(SMALL_WORLD, lines), appliedControls: new Set(['x']) };
    const outcome = planImport({ records: lines, base, caller: APPLICATION, now: NOW });
    return outcome.ok ? [] : outcome.failure.causes.map(({ text }) => text);
  };
  expect(causesOf(remove('control', 'x'))).toEqual([textOfApplied('x')]);
  expect(causesOf(CONTROL)).toEqual([]);
  expect(causesOf(remove('entitlement', 'x'))).toEqual([]);
});

describe('a reference', () => {
  test.each<[string, AccessModelRecord[], string[] | null]>([
    [
      'of a source to a missing record',
      [{ ...sourceRecord('s'), identityProfileId: 'ip-9' }],
      ['ReferenceNotFound', 'line 1: identityProfileId'],
    ],
    [
      'of an account to missing records',
      [accountRecord('a', { manual: { identityId: 'i-9' } }), accountRecord('b', {})],
      [
        'ReferenceNotFound',
        'line 1: source',
        'line 1: access[1].id',
        'line 1: identityId',
        'line 1: madeIdentityId',
        'line 2: source',
        'line 2: access[1].id',
        'line 2: madeIdentityId',
      ],
    ],
    [
      'of a control to missing records',
      [
        { ...CONTROL, owner: identityRef('i-9'), secondaryOwners: [identityRef('i-1'), identityRef('i-9')] },
        { ...CONTROL, id: 'y', secondaryOwners: [identityRef('i-9')] },
      ],
      ['ReferenceNotFound', 'line 1: owner.id', 'line 1: secondaryOwners[1].id', 'line 2: secondaryOwners[0].id'],
    ],
    [
      'of a policy to missing records',
      [
        {
          ...policyRecord('p', ['e-1'], ['e-2']),
          ownerRef: identityRef('i-9'),
          allowedControls: [{ id: 1 }, { id: 'c-9' }],
        },
      ],
      ['ReferenceNotFound', 'line 1: ownerRef.id', 'line 1: allowedControls[1].id'],
    ],
    [
      'of an access profile to missing records',
      [{ kind: 'accessProfile', id: 'x', name: 'X', entitlements: ['e-1', 'e-9', 'ap-1'] }],
      ['ReferenceNotFound', 'line 1: entitlements[1]', 'line 1: entitlements[2]'],
    ],
    [
      'of a role to missing records',
      [{ kind: 'role', id: 'x', name: 'X', accessProfiles: ['ap-9'], entitlements: ['e-9'] }],
      ['ReferenceNotFound', 'line 1: accessProfiles[0]', 'line 1: entitlements[0]'],
    ],
    [
      'of an identity to missing records',
      [
        identityRecord('i-9', {
          identityProfile: 'ip-9',
          access: [
            { type: 'ENTITLEMENT', id: 'e-1' },
            { type: 'ENTITLEMENT', id: 'r-1' },
            { type: 'ACCESS_PROFILE', id: 'ap-9' },
            { type: 'ROLE', id: 'ap-1' },
          ],
        }),
      ],
      [
        'ReferenceNotFound',
        'line 1: identityProfile',
        'line 1: access[1].id',
        'line 1: access[2].id',
        'line 1: access[3].id',
      ],
    ],
    [
      'to a record that a later line creates',
      [{ kind: 'accessProfile', id: 'x', name: 'X', entitlements: ['e-9'] }, entitlement('e-9')],
      null,
    ],
    [
      'to a record that a later line deletes',
      [
        { kind: 'accessProfile', id: 'x', name: 'X', entitlements: ['e-9'] },
        entitlement('e-9'),
        remove('entitlement', 'e-9'),
      ],
      ['ReferenceNotFound', 'line 1: entitlements[0]'],
    ],
    [
      'to a stored record that the import deletes',
      [remove('entitlement', 'e-3'), identityRecord('i-2', { access: [{ type: 'ENTITLEMENT', id: 'e-3' }] })],
      ['ReferenceNotFound', 'line 2: access[0].id'],
    ],
    [
      'of a line that a later line replaces',
      [
        { kind: 'accessProfile', id: 'x', name: 'X', entitlements: ['e-9'] },
        { kind: 'accessProfile', id: 'x', name: 'X', entitlements: [] },
      ],
      null,
    ],
    ['of a policy item', [policyRecord('p-9', ['e-8'], ['e-9'])], null],
  ])('%s', (_, records, refusal) => {
    expect(refusalOf(records)).toEqual(refusal);
  });

  test('is named with the missing id, unless that is not a valid id', () => {
    const texts = ['e-9', 'no id'.repeat(1000)].map((id) => {
      const outcome = outcomeOf([{ kind: 'accessProfile', id: 'x', name: 'X', entitlements: [id] }]);
      return outcome.ok ? '' : outcome.failure.causes[0]?.text;
    });
    expect(texts).toEqual(['there is no entitlement e-9', 'is not the id of any entitlement']);
  });

  test('is named in order of the effective lines', () => {
    const accessProfile = (id: string, ...entitlements: string[]) =>
      ({ kind: 'accessProfile', id, name: 'X', entitlements }) as const;
    expect(refusalOf([accessProfile('x'), accessProfile('y', 'e-9'), accessProfile('x', 'e-9')])).toEqual([
      'ReferenceNotFound',
      'line 2: entitlements[0]',
      'line 3: entitlements[0]',
    ]);
  });

  test('is named for at most 20 causes', () => {
    const entitlements = Array.from({ length: 15 }, (_, index) => `none-${index}`);
    const refusal = refusalOf(['x', 'y'].map((id) => ({ kind: 'accessProfile', id, name: 'X', entitlements })));
    expect(refusal).toHaveLength(21);
    expect(refusal?.at(-1)).toBe('line 2: entitlements[4]');
  });
});

describe('a delete', () => {
  const access = (...refs: readonly string[]) => refs.map((id) => ({ type: 'ROLE', id }) as const);

  test.each<[string, AccessModelRecord[], string[] | null]>([
    ['of an entitlement in an access profile', [remove('entitlement', 'e-1')], ['Conflict', 'line 1']],
    ['of an entitlement in a role', [remove('entitlement', 'e-2')], ['Conflict', 'line 1']],
    ['of an entitlement that an identity holds', [remove('entitlement', 'e-3')], ['Conflict', 'line 1']],
    ['of an access profile in a role', [remove('accessProfile', 'ap-1')], ['Conflict', 'line 1']],
    ['of a role that an identity holds', [entitlement('e-9'), remove('role', 'r-1')], ['Conflict', 'line 2']],
    ['of an identity profile that identities use', [remove('identityProfile', 'ip-1')], ['Conflict', 'line 1']],
    ['of several in use', [remove('entitlement', 'e-1'), remove('role', 'r-1')], ['Conflict', 'line 1', 'line 2']],
    [
      'of a role that an upserted identity keeps',
      [remove('role', 'r-1'), identityRecord('i-1')],
      ['Conflict', 'line 1'],
    ],
    [
      'of a role that its holder loses in the same import',
      [remove('role', 'r-1'), identityRecord('i-1', { access: access() })],
      null,
    ],
    ['of a role with its holder', [remove('role', 'r-1'), remove('identity', 'i-1')], null],
    [
      'of an access profile that its role loses in the same import',
      [{ kind: 'role', id: 'r-1', name: 'R', accessProfiles: [], entitlements: [] }, remove('accessProfile', 'ap-1')],
      null,
    ],
    ['of an identity', [remove('identity', 'i-2')], null],
    ['of a policy', [remove('sodPolicy', 'p-1')], null],
    ['of missing records', [remove('entitlement', 'e-9'), remove('identityProfile', 'ip-9')], null],
    [
      'of everything',
      [
        remove('entitlement', 'e-1'),
        remove('entitlement', 'e-2'),
        remove('entitlement', 'e-3'),
        remove('accessProfile', 'ap-1'),
        remove('role', 'r-1'),
        remove('identityProfile', 'ip-1'),
        remove('identity', 'i-1'),
        remove('identity', 'i-2'),
      ],
      null,
    ],
  ])('%s', (_, records, refusal) => {
    expect(refusalOf(records)).toEqual(refusal);
  });

  test('of an entitlement in a policy never blocks', () => {
    const { sodPolicy, entitlement: entitlements } = SMALL_WORLD.stored;
    const world = worldOf({ sodPolicy: [...sodPolicy.values()], entitlement: [...entitlements.values()] });
    expect(refusalOf([remove('entitlement', 'e-1')], world)).toBeNull();
  });
});

describe('capabilities', () => {
  const world = worldOf({
    identityProfile: [{ id: 'ip-1', name: 'IP', authProfile: SETTINGS }],
    identity: [
      storedIdentity('admin', { capabilities: ['ORG_ADMIN', 'HELPDESK'] }),
      storedIdentity('other', { capabilities: ['ORG_ADMIN'] }),
      storedIdentity('internal', { capabilities: ['INTERNAL'] }),
      storedIdentity('plain'),
    ],
  });
  const admin: Caller = { ...APPLICATION, identityId: 'admin', capabilities: ['ORG_ADMIN', 'HELPDESK'] };
  const given = (id: string, ...capabilities: Capability[]) => identityRecord(id, { capabilities });

  test.each<[string, AccessModelRecord[], string[] | null]>([
    ['adds a capability that it has', [given('plain', 'HELPDESK')], null],
    ['adds a capability that it has to a new identity', [given('new', 'ORG_ADMIN')], null],
    ['adds a capability that it lacks', [given('plain', 'CERT_ADMIN'), given('new', 'POLICY_ADMIN')], null],
    ['adds to itself', [given('admin', 'ORG_ADMIN', 'HELPDESK', 'CERT_ADMIN')], ['Forbidden', 'line 1: capabilities']],
    ['removes from itself', [given('admin', 'ORG_ADMIN')], null],
    ['adds INTERNAL', [given('plain', 'INTERNAL')], ['Forbidden', 'line 1: capabilities']],
    ['removes INTERNAL', [given('internal')], ['Forbidden', 'line 1: capabilities']],
    ['leaves INTERNAL as it is', [given('internal', 'INTERNAL', 'HELPDESK')], null],
    ['leaves the capabilities of an internal identity out', [identityRecord('internal', { email: 'x' })], null],
    ['deletes an internal identity', [entitlement('e'), remove('identity', 'internal')], ['Forbidden', 'line 2']],
    ['removes capabilities of another identity', [given('other')], null],
    ['deletes another administrator', [remove('identity', 'other')], null],
    ['deletes itself while another administrator remains', [remove('identity', 'admin')], null],
    [
      'removes the last ORG_ADMIN',
      [given('other'), given('admin', 'HELPDESK')],
      ['Conflict', 'line 1: capabilities', 'line 2: capabilities'],
    ],
    [
      'deletes the last ORG_ADMIN',
      [remove('identity', 'other'), remove('identity', 'admin')],
      ['Conflict', 'line 1', 'line 2'],
    ],
    [
      'deactivates the last ORG_ADMIN',
      [identityRecord('other', { active: false }), identityRecord('admin', { active: false })],
      ['Conflict', 'line 1: active', 'line 2: active'],
    ],
    [
      'leaves an ORG_ADMIN that is not active',
      [remove('identity', 'other'), identityRecord('admin', { active: false, capabilities: ['ORG_ADMIN'] })],
      ['Conflict', 'line 1', 'line 2: active'],
    ],
    ['deactivates another administrator', [identityRecord('other', { active: false })], null],
    [
      'moves ORG_ADMIN to another identity in the same import',
      [remove('identity', 'other'), given('admin'), given('plain', 'ORG_ADMIN')],
      null,
    ],
    [
      'removes and adds again: the last record counts',
      [given('other'), remove('identity', 'admin'), identityRecord('admin')],
      null,
    ],
  ])('a caller that acts as an identity %s', (_, records, refusal) => {
    expect(refusalOf(records, world, admin)).toEqual(refusal);
  });

  test.each<[string, AccessModelRecord[]]>([
    ['adds INTERNAL', [given('plain', 'INTERNAL')]],
    ['removes INTERNAL', [given('internal')]],
    ['deletes an internal identity', [remove('identity', 'internal')]],
    ['adds any capability', [given('plain', 'CERT_ADMIN')]],
    ['removes the last ORG_ADMIN', [given('other'), given('admin')]],
    ['deletes every administrator', [remove('identity', 'other'), remove('identity', 'admin')]],
  ])('an application %s', (_, records) => {
    expect(refusalOf(records, world)).toBeNull();
  });

  test('a caller that acts as another identity adds no capability that it lacks', () => {
    const agent: Caller = { ...APPLICATION, identityId: 'agent', capabilities: ['HELPDESK'] };
    const records = [given('plain', 'HELPDESK'), given('new', 'CERT_ADMIN')];
    expect(refusalOf(records, world, agent)).toEqual(['Forbidden', 'line 2: capabilities']);
  });

  test('a tenant without ORG_ADMIN may stay without one', () => {
    const without = worldOf({
      identityProfile: [...world.stored.identityProfile.values()],
      identity: [storedIdentity('plain')],
    });
    expect(refusalOf([given('plain')], without, { ...admin, identityId: 'gone' })).toBeNull();
  });

  test('issues are reported in order: illegal lines, references, rights, conflicts', () => {
    const faults: readonly [AccessModelRecord, string][] = [
      [remove('identityProfile', 'ip-1'), 'Conflict'],
      [remove('identity', 'internal'), 'Forbidden'],
      [identityRecord('new', { identityProfile: 'ip-9' }), 'ReferenceNotFound'],
      [policyRecord('p', ['e-1'], ['e-1']), 'IllegalValue'],
    ];
    for (const [index, [, type]] of faults.entries()) {
      const records = faults.slice(0, index + 1).map(([record]) => record);
      expect(refusalOf(records, world, admin)?.[0]).toBe(type);
    }
  });
});

describe('who an identity is', () => {
  const profile = (id: string) => ({ id, name: id, authProfile: SETTINGS });
  const world = worldOf({
    identityProfile: ['ip-1', 'ip-internal', 'ip-other', 'ip-none'].map(profile),
    identity: [
      storedIdentity('admin', { capabilities: ['ORG_ADMIN'] }),
      storedIdentity('other', { capabilities: ['ORG_ADMIN', 'HELPDESK'], identityProfile: 'ip-other' }),
      storedIdentity('internal', { capabilities: ['INTERNAL'], identityProfile: 'ip-internal' }),
      storedIdentity('plain', { identityProfile: 'ip-other' }),
    ],
  });
  const admin: Caller = { ...APPLICATION, identityId: 'admin', capabilities: ['ORG_ADMIN'] };
  const settings = (id: string, authProfile: Partial<typeof SETTINGS> | object) =>
    ({ kind: 'identityProfile', id, name: 'Renamed', authProfile }) as const;
  const internal = { identityProfile: 'ip-internal' };

  test.each<[string, AccessModelRecord[], string[] | null]>([
    ['its own uid', [identityRecord('admin', { uid: 'ada' })], ['Forbidden', 'line 1: uid']],
    ['the case of its own uid', [identityRecord('admin', { uid: 'Admin' })], ['Forbidden', 'line 1: uid']],
    [
      'its own identity profile',
      [identityRecord('admin', { identityProfile: 'ip-none' })],
      ['Forbidden', 'line 1: identityProfile'],
    ],
    [
      'both of a stronger identity',
      [identityRecord('plain'), identityRecord('internal', { uid: 'x', identityProfile: 'ip-1' })],
      ['Forbidden', 'line 2: uid', 'line 2: identityProfile'],
    ],
    [
      'the uid of a stronger identity that it gives its own',
      [identityRecord('admin', { uid: 'x' }), identityRecord('internal', { ...internal, uid: 'admin' })],
      ['Forbidden', 'line 1: uid', 'line 2: uid'],
    ],
    [
      'the uid of a stronger identity that it deletes before',
      [remove('identity', 'internal'), identityRecord('internal', { ...internal, uid: 'x' })],
      ['Forbidden', 'line 2: uid'],
    ],
    ['a stronger identity, by its deletion', [remove('identity', 'internal')], ['Forbidden', 'line 1']],
    [
      'the profile of a stronger identity that it deletes with it',
      [remove('identity', 'internal'), remove('identityProfile', 'ip-internal')],
      ['Forbidden', 'line 1'],
    ],
    ['both of another administrator', [identityRecord('other', { uid: 'x', identityProfile: 'ip-none' })], null],
    ['both of a new identity', [identityRecord('new', { uid: 'x' })], null],
    ['the name of a stronger identity', [identityRecord('internal', { ...internal, displayName: 'X' })], null],
    ['nothing of itself', [identityRecord('admin', { capabilities: ['ORG_ADMIN'], email: 'x' })], null],
    [
      'what verifies itself',
      [settings('ip-1', { type: 'PTA', applicationId: 'b', applicationName: null })],
      [
        'Forbidden',
        'line 1: authProfile.type',
        'line 1: authProfile.applicationId',
        'line 1: authProfile.applicationName',
      ],
    ],
    [
      'what verifies a stronger identity',
      [settings('ip-internal', { type: 'NON_PTA' })],
      ['Forbidden', 'line 1: authProfile.type'],
    ],
    [
      'what verifies a stronger identity, after a deletion of the profile',
      [remove('identityProfile', 'ip-internal'), settings('ip-internal', { applicationId: 'b' })],
      ['Forbidden', 'line 2: authProfile.applicationId'],
    ],
    ['from where it may sign in', [settings('ip-1', { offNetwork: false, untrustedGeography: true })], null],
    ['what verifies others', [settings('ip-other', { type: 'BLOCK' }), settings('ip-none', { type: 'PTA' })], null],
    ['what verifies itself into the same', [settings('ip-1', SETTINGS), settings('ip-internal', {})], null],
  ])('a caller that acts as an identity changes %s', (_, records, refusal) => {
    expect(refusalOf(records, world, admin)).toEqual(refusal);
    expect(refusalOf(records, world)).toBeNull();
  });
});

describe('sources of a tenant', () => {
  const full = worldOf({ source: Array.from({ length: 100 }, (_, at) => storedSource(`s-${at}`)) });

  test('are counted at the end of an import, whatever the order of its lines', () => {
    const more = sourceRecord('new');
    expect(refusalOf([more], full)).toEqual(['Conflict', 'line 1']);
    expect(refusalOf([more, remove('source', 's-1')], full)).toBeNull();
    expect(refusalOf([remove('source', 's-1'), more], full)).toBeNull();
    expect(refusalOf([sourceRecord('s-1'), remove('source', 'none'), more], full)).toEqual(['Conflict', 'line 3']);
    const two = [more, sourceRecord('next'), remove('source', 's-1')];
    expect(refusalOf(two, full)).toEqual(['Conflict', 'line 2']);
  });
});
