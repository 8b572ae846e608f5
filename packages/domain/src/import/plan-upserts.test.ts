import { describe, expect, test } from 'vitest';
import {
  identityRecord,
  kOfNRecord,
  policyFields,
  policyRecord,
  storedIdentity,
  worldOf,
} from '../../test/import-world.ts';
import { BEFORE, entitlement, NOW, planOf, SETTINGS } from '../../test/small-world.ts';
import { sidesOf } from '../policies/model.ts';

const READ = { resourceType: 'record', resourceId: 'record-1', action: 'read' };
const WRITE = { ...READ, action: 'write' };

describe('an upsert', () => {
  test('writes the last record of an id', () => {
    expect(planOf([entitlement('e-9', 'First'), entitlement('e-9', 'Last')]).upserts.entitlement).toEqual([
      { id: 'e-9', name: 'Last', source: null },
    ]);
  });

  test('of an unchanged record writes nothing', () => {
    const { upserts, rulebookChanged, counts } = planOf([
      entitlement('e-1'),
      { kind: 'accessProfile', id: 'ap-1', name: 'AP', entitlements: ['e-1'] },
      { kind: 'role', id: 'r-1', name: 'R', accessProfiles: ['ap-1'], entitlements: ['e-2'] },
      { kind: 'identityProfile', id: 'ip-1', name: 'IP', authProfile: SETTINGS },
      identityRecord('i-1'),
      policyRecord('p-1', ['e-1'], ['e-2']),
    ]);
    expect(Object.values(upserts).flat()).toEqual([]);
    expect(rulebookChanged).toBe(false);
    expect(counts.identity).toEqual({ created: 0, updated: 0, deleted: 0, unchanged: 1 });
  });

  test('replaces the record: properties left out are reset', () => {
    expect(planOf([{ kind: 'role', id: 'r-1', name: 'R', accessProfiles: [], entitlements: [] }]).upserts.role).toEqual(
      [{ id: 'r-1', name: 'R', accessProfiles: [], entitlements: [] }],
    );
    const mail = worldOf({
      identityProfile: [{ id: 'ip-1', name: 'IP', authProfile: SETTINGS }],
      identity: [storedIdentity('i-1', { email: 'ada@example.com' })],
    });
    expect(planOf([identityRecord('i-1')], mail).upserts.identity).toEqual([storedIdentity('i-1')]);
  });

  test('without grants takes them from an entitlement', () => {
    const stored = { id: 'e-1', name: 'E', source: null };
    const granting = worldOf({ entitlement: [{ ...stored, grants: [READ] }] });
    expect(planOf([{ kind: 'entitlement', ...stored, grants: [] }], granting).upserts.entitlement).toEqual([stored]);
    expect(planOf([{ kind: 'entitlement', ...stored, grants: [READ] }], granting).upserts.entitlement).toEqual([]);
  });

  test('keeps a repeated reference once, in order', () => {
    const access = [
      { type: 'ROLE', id: 'r-1' },
      { type: 'ENTITLEMENT', id: 'e-1' },
      { type: 'ROLE', id: 'r-1' },
    ] as const;
    const { upserts } = planOf([
      { kind: 'accessProfile', id: 'ap-1', name: 'AP', entitlements: ['e-2', 'e-1', 'e-2'] },
      { kind: 'role', id: 'r-1', name: 'R', accessProfiles: ['ap-1', 'ap-1'], entitlements: ['e-3', 'e-3', 'e-1'] },
      identityRecord('i-2', { access }),
      { ...entitlement('e-9'), grants: [READ, WRITE, { ...READ }] },
    ]);
    expect(upserts.entitlement[0]?.grants).toEqual([READ, WRITE]);
    expect(upserts.accessProfile[0]?.entitlements).toEqual(['e-2', 'e-1']);
    expect(upserts.role[0]).toMatchObject({ accessProfiles: ['ap-1'], entitlements: ['e-3', 'e-1'] });
    expect(upserts.identity[0]?.access).toEqual([access[0], access[1]]);
  });
});

describe('an identity', () => {
  test.each([
    [
      'stored, both left out: both unchanged',
      'i-1',
      {},
      { capabilities: ['ORG_ADMIN'], access: [{ type: 'ROLE', id: 'r-1' }] },
    ],
    [
      'stored, capabilities given: access unchanged',
      'i-1',
      { capabilities: ['HELPDESK'] },
      { capabilities: ['HELPDESK'], access: [{ type: 'ROLE', id: 'r-1' }] },
    ],
    [
      'stored, access given: capabilities unchanged',
      'i-1',
      { access: [] },
      { capabilities: ['ORG_ADMIN'], access: [] },
    ],
    ['stored, none given: none left', 'i-1', { capabilities: [], access: [] }, { capabilities: [], access: [] }],
    ['new, both left out: none', 'i-9', {}, { capabilities: [], access: [] }],
    [
      'new, both given',
      'i-9',
      { capabilities: ['INTERNAL'], access: [{ type: 'ENTITLEMENT', id: 'e-1' }] },
      { capabilities: ['INTERNAL'], access: [{ type: 'ENTITLEMENT', id: 'e-1' }] },
    ],
  ] as const)('%s', (_, id, given, expected) => {
    expect(planOf([identityRecord(id, { ...given, uid: 'changed' })]).upserts.identity).toEqual([
      storedIdentity(id, { ...expected, uid: 'changed' }),
    ]);
  });

  test('keeps stored values, not those of an earlier line', () => {
    const { upserts } = planOf([identityRecord('i-2', { access: [] }), identityRecord('i-2', { uid: 'changed' })]);
    expect(upserts.identity).toMatchObject([{ uid: 'changed', access: [{ type: 'ENTITLEMENT', id: 'e-3' }] }]);
  });
});

describe('the settings of an identity profile', () => {
  const FIRST = {
    type: 'NON_PTA',
    offNetwork: false,
    untrustedGeography: false,
    applicationId: null,
    applicationName: null,
  };

  test.each([
    ['new, left out: defaults', 'ip-9', {}, FIRST],
    ['new, some given: defaults for the rest', 'ip-9', { authProfile: { type: 'PTA' } }, { ...FIRST, type: 'PTA' }],
    ['stored, left out: unchanged', 'ip-1', {}, SETTINGS],
    [
      'stored, one given: the others unchanged',
      'ip-1',
      { authProfile: { offNetwork: false } },
      { ...SETTINGS, offNetwork: false },
    ],
    [
      'stored, null given: null',
      'ip-1',
      { authProfile: { applicationId: null } },
      { ...SETTINGS, applicationId: null },
    ],
    ['stored, empty settings: unchanged', 'ip-1', { authProfile: {} }, SETTINGS],
  ] as const)('%s', (_, id, given, authProfile) => {
    expect(planOf([{ kind: 'identityProfile', id, name: 'Renamed', ...given }]).upserts.identityProfile).toEqual([
      { id, name: 'Renamed', authProfile },
    ]);
  });
});

describe('a policy', () => {
  test('that is new is created and modified now', () => {
    expect(planOf([policyRecord('p-9', ['e-1'], ['e-2'])]).upserts.sodPolicy).toEqual([
      { ...policyFields('p-9', ['e-1'], ['e-2']), creatorId: 'c', modifierId: 'c', created: NOW, modified: NOW },
    ]);
  });

  test('that changes keeps `created` and is modified now', () => {
    expect(planOf([policyRecord('p-1', ['e-1'], ['e-3'])]).upserts.sodPolicy).toEqual([
      { ...policyFields('p-1', ['e-1'], ['e-3']), creatorId: 'c', modifierId: 'c', created: BEFORE, modified: NOW },
    ]);
  });

  test('is unchanged when an item name is left out instead of null', () => {
    const { leftCriteria, rightCriteria } = policyFields('p-1', ['e-1'], ['e-2']).conflictingAccessCriteria;
    const unnamed = { ...leftCriteria, criteriaList: [{ type: 'ENTITLEMENT', id: 'e-1' }] } as const;
    const record = {
      ...policyRecord('p-1', [], []),
      conflictingAccessCriteria: { leftCriteria: unnamed, rightCriteria },
    };
    expect(planOf([record])).toMatchObject({ upserts: { sodPolicy: [] }, rulebookChanged: false });
  });

  test('can change its form, and is unchanged when the same form is given again', () => {
    const record = kOfNRecord('p-1', 2, [['e-1'], ['e-2'], ['e-1']]);
    const { kind: _, ...fields } = record;
    const policy = { ...fields, creatorId: 'c', modifierId: 'c', created: BEFORE, modified: NOW };
    expect(planOf([record]).upserts.sodPolicy).toEqual([policy]);
    const item = { type: 'ENTITLEMENT', id: 'e-1' } as const;
    const unnamed = { name: null, criteriaList: [item] };
    const [, second] = record.conflictingAccessCriteria.criteria;
    const again = { criteria: [unnamed, second ?? unnamed, unnamed], atLeast: 2 };
    const world = worldOf({ sodPolicy: [policy] });
    expect(planOf([{ ...record, conflictingAccessCriteria: again }], world).rulebookChanged).toBe(false);
    const fewer = { ...again, criteria: again.criteria.slice(1) };
    expect(planOf([{ ...record, conflictingAccessCriteria: fewer }], world).rulebookChanged).toBe(true);
  });
});

test('a name of an item that is left out stays as it is stored, in whatever side; a given one replaces it', () => {
  const side = (...items: readonly { readonly id: string; readonly name?: string }[]) => ({
    name: null,
    criteriaList: items.map((item) => ({ type: 'ENTITLEMENT' as const, ...item })),
  });
  const policy = (left: ReturnType<typeof side>, right: ReturnType<typeof side>) => ({
    ...policyFields('p-1', ['e-1'], ['e-2']),
    conflictingAccessCriteria: { leftCriteria: left, rightCriteria: right },
  });
  const stored = worldOf({
    entitlement: ['e-1', 'e-2', 'e-3'].map((id) => ({ id, name: id, source: null })),
    sodPolicy: [
      {
        ...policy(side({ id: 'e-1', name: 'Pay' }), side({ id: 'e-2', name: 'Order' })),
        creatorId: null,
        modifierId: null,
        created: BEFORE,
        modified: BEFORE,
      },
    ],
  });
  const given = policy(side({ id: 'e-2' }, { id: 'e-3' }), side({ id: 'e-1', name: 'Payments' }));
  const [written] = planOf([{ kind: 'sodPolicy', ...given }], stored).upserts.sodPolicy;
  const names = sidesOf(written?.conflictingAccessCriteria ?? given.conflictingAccessCriteria).map(({ criteriaList }) =>
    criteriaList.map(({ name }) => name),
  );
  expect(names).toEqual([['Order', null], ['Payments']]);
});
