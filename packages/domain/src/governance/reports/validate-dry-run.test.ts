import { describe, expect, test } from 'vitest';
import { catalogueOf, entitlement, policyOf, role } from '../../../test/sod-world.ts';
import type { SodPolicy } from '../../policies/model.ts';
import { compileSodIndex } from '../../sod/index.ts';
import type { DryRunRequest } from './report.ts';
import { validateBlastRadius } from './validate-blast-radius.ts';
import { dryRunIssues, dryRunReferenceIssues, hasUnresolvedItem } from './validate-dry-run.ts';

const index = compileSodIndex(
  [],
  catalogueOf({ entitlements: ['a', 'b'], accessProfiles: { ap: ['a'] }, roles: { r: { accessProfiles: ['ap'] } } }),
);
const policy = (id: string, left = 'a', right = 'b'): SodPolicy => policyOf(id, { left: [left], right: [right] });
const NOTHING: DryRunRequest = { add: [], change: [], remove: [] };
const placed = (issues: Iterable<readonly { readonly type: string; readonly at: string }[]>) =>
  [...issues].flat().map(({ type, at }) => `${type} ${at}`);

const leftItem = 'conflictingAccessCriteria.leftCriteria.criteriaList[0].id';

describe('a dry-run by itself', () => {
  const issuesOf = (request: Partial<DryRunRequest>) => placed(dryRunIssues({ ...NOTHING, ...request }));

  test('may name each policy once', () => {
    expect(issuesOf({ add: [policy('p-1')], change: [policy('p-2')], remove: ['p-3'] })).toEqual([]);
    expect(
      issuesOf({
        add: [policy('p-1'), policy('p-1')],
        change: [policy('p-1'), policy('p-2')],
        remove: ['p-2', 'p-3', 'p-3'],
      }),
    ).toEqual([
      'IllegalValue add[1].id',
      'IllegalValue change[0].id',
      'IllegalValue remove[0]',
      'IllegalValue remove[2]',
    ]);
  });

  test('has policies that are valid as new ones are; repetitions are told once they are', () => {
    const request = { add: [policy('p-1')], change: [policy('p-1', 'a', 'a')] };
    expect(issuesOf(request)).toEqual([
      'IllegalValue change[0].conflictingAccessCriteria.rightCriteria.criteriaList[0].id',
    ]);
  });
});

describe('a dry-run against the rulebook', () => {
  const base = { index, present: new Set(['p-1', 'p-2']), itemsBefore: new Map([['p-1', new Set(['gone'])]]) };
  const issuesOf = (request: Partial<DryRunRequest>) => placed(dryRunReferenceIssues({ ...NOTHING, ...request }, base));

  test('changes and removes what there is, and adds what there is not', () => {
    expect(issuesOf({ add: [policy('p-9')], change: [policy('p-1')], remove: ['p-2'] })).toEqual([]);
    expect(issuesOf({ change: [policy('p-9')], remove: ['p-8', 'p-2'] })).toEqual([
      'ReferenceNotFound change[0].id',
      'ReferenceNotFound remove[0]',
    ]);
    expect(issuesOf({ add: [policy('p-9'), policy('p-1')] })).toEqual(['Conflict add[1].id']);
  });

  test('has only items that exist, or that a changed policy had before', () => {
    expect(issuesOf({ change: [policy('p-1', 'gone')] })).toEqual([]);
    expect(issuesOf({ change: [policy('p-2', 'gone')] })).toEqual([`ReferenceNotFound change[0].${leftItem}`]);
    expect(issuesOf({ add: [policy('p-9', 'gone')] })).toEqual([`ReferenceNotFound add[0].${leftItem}`]);
    expect([policy('p-1'), policy('p-1', 'a', 'gone')].map((each) => hasUnresolvedItem(index, each))).toEqual([
      false,
      true,
    ]);
  });

  test('tells of existing policies that it adds once every reference exists', () => {
    expect(issuesOf({ add: [policy('p-1')], remove: ['p-8'] })).toEqual(['ReferenceNotFound remove[0]']);
  });
});

describe('a blast radius', () => {
  const accessProfile = { type: 'ACCESS_PROFILE', id: 'ap' } as const;

  test('adds entitlements and access profiles to a role, and entitlements to an access profile', () => {
    expect(validateBlastRadius(index, { kind: 'role', id: 'r', add: [entitlement('b'), accessProfile] })).toBeNull();
    expect(validateBlastRadius(index, { kind: 'accessProfile', id: 'ap', add: [entitlement('b')] })).toBeNull();
    for (const [kind, id, ref] of [
      ['role', 'r', role('r')],
      ['accessProfile', 'ap', accessProfile],
      ['accessProfile', 'ap', role('r')],
    ] as const)
      expect(validateBlastRadius(index, { kind, id, add: [entitlement('b'), ref] })).toMatchObject({
        type: 'IllegalValue',
        causes: [{ at: 'add[1].type' }],
      });
  });

  test('names what exists', () => {
    expect(
      validateBlastRadius(index, { kind: 'role', id: 'ap', add: [entitlement('a'), entitlement('x')] }),
    ).toMatchObject({
      type: 'ReferenceNotFound',
      causes: [{ at: 'id' }, { at: 'add[1]' }],
    });
  });
});
