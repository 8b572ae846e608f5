import type { SodViolation, ViolationSummary } from '@access-admin/client';
import { expect, test } from 'vitest';
import { addGroups, groupOf, knownGroups, searchOfGroup } from './violation-groups.ts';

const ref = <T extends string>(type: T, id: string) => ({ type, id, name: `The ${id}` });

const violation = (policy: string, owner: string | null): SodViolation =>
  ({
    policy: ref('SOD_POLICY', policy),
    target: ref('IDENTITY', 'i1'),
    level: 'High',
    ...(owner === null ? {} : { owner: ref('IDENTITY', owner) }),
  }) as SodViolation;

const summary = (policies: number): ViolationSummary =>
  ({
    byPolicy: Array.from({ length: policies }, (_, at) => ({
      policy: ref('SOD_POLICY', `p${at}`),
      open: policies - at - 1,
      mitigated: at,
      oldest: null,
    })),
  }) as unknown as ViolationSummary;

test('a violation is in the group of its policy, person, level or owner', () => {
  expect(groupOf(violation('p1', 'o1'), 'policy')).toEqual({ key: 'p1', name: 'The p1' });
  expect(groupOf(violation('p1', 'o1'), 'person')).toEqual({ key: 'i1', name: 'The i1' });
  expect(groupOf(violation('p1', 'o1'), 'level')).toEqual({ key: 'High', name: 'High' });
  expect(groupOf(violation('p1', 'o1'), 'owner')).toEqual({ key: 'o1', name: 'The o1' });
  expect(groupOf(violation('p1', null), 'owner').key).toBeNull();
});

test('the violations of a group are found with what else is sought', () => {
  expect(searchOfGroup({ status: 'Open' }, 'policy', 'p1')).toEqual({ status: 'Open', policy: 'p1' });
  expect(searchOfGroup({ status: 'Open' }, 'person', 'i1')).toEqual({ status: 'Open', target: 'i1' });
  expect(searchOfGroup({}, 'level', 'High')).toEqual({ level: 'High' });
  expect(searchOfGroup({}, 'owner', null)).toBeNull();
});

test('the levels are known, and the one that is sought is the only one', () => {
  expect(knownGroups({}, 'level', undefined).groups.map(({ key }) => key)).toEqual([
    'Critical',
    'High',
    'Medium',
    'Low',
  ]);
  expect(knownGroups({ level: 'Low' }, 'level', undefined)).toEqual({
    groups: [{ key: 'Low', name: 'Low' }],
    isWhole: true,
  });
});

test('the counts name the policies with open or with mitigated violations, all of them below a thousand', () => {
  const keysOf = (status: 'Open' | 'Mitigated') =>
    knownGroups({ status }, 'policy', summary(3)).groups.map(({ key }) => key);
  expect(keysOf('Open')).toEqual(['p0', 'p1']);
  expect(keysOf('Mitigated')).toEqual(['p2', 'p1']);
  expect(knownGroups({ status: 'Open' }, 'policy', summary(999)).isWhole).toBe(true);
  expect(knownGroups({ status: 'Open' }, 'policy', summary(1000)).isWhole).toBe(false);
});

test('the counts say nothing about ended violations, nor about those of another filter', () => {
  const nothing = { groups: [], isWhole: false };
  expect(knownGroups({}, 'policy', summary(3))).toEqual(nothing);
  expect(knownGroups({ status: 'Closed' }, 'policy', summary(3))).toEqual(nothing);
  expect(knownGroups({ status: 'Open', level: 'High' }, 'policy', summary(3))).toEqual(nothing);
  expect(knownGroups({ status: 'Open', mine: true }, 'policy', summary(3))).toEqual(nothing);
  expect(knownGroups({ status: 'Open' }, 'owner', summary(3))).toEqual(nothing);
});

test('groups of violations that are read come after those that are known, each once', () => {
  const known = [{ key: 'p2', name: 'The p2' }];
  const read = [violation('p1', null), violation('p2', null), violation('p1', null)];
  expect(addGroups(known, read, 'policy').map(({ key }) => key)).toEqual(['p2', 'p1']);
});
