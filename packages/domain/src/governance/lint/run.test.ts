import { describe, expect, test } from 'vitest';
import { catalogueOf, kOfNPolicyOf, policyOf } from '../../../test/sod-world.ts';
import type { Catalogue } from '../../access/model/records.ts';
import type { SodPolicy } from '../../policies/model.ts';
import { compileLintRulebook } from '../../sod/index.ts';
import { LINT_CODES, type PolicyFinding } from './finding.ts';
import { firstFindings, IMPORT_WARNINGS_MAX, lintPolicies } from './run.ts';

const ALL = catalogueOf({ entitlements: ['a', 'b', 'c', 'd', 'e', 'f'] });
const OFF = { state: 'NOT_ENFORCED' } as const;
const two = (id: string, left: string, right: string, rest: Partial<SodPolicy> = {}) =>
  policyOf(id, { left: left.split(' '), right: right.split(' ') }, rest);

const lint = (policies: readonly SodPolicy[], catalogue: Catalogue = ALL): PolicyFinding[] =>
  [...lintPolicies(compileLintRulebook(policies, catalogue))].flat();

/** `CODE policy ref > related`. */
const inShort = ({ code, policyId, ref, related }: PolicyFinding) =>
  [
    code,
    policyId,
    ...(ref === null ? [] : [ref.id]),
    ...(related.length === 0 ? [] : ['>']),
    ...related.map(({ id }) => id),
  ].join(' ');

const reported = (policies: readonly SodPolicy[], catalogue?: Catalogue) => lint(policies, catalogue).map(inShort);

describe('lint finds', () => {
  test.each([
    ['nothing in an empty rulebook', [], []],
    ['nothing in sound policies', [two('p-1', 'a', 'b'), two('p-2', 'b', 'c')], []],
    ['an item that does not exist', [two('p-1', 'a x', 'b')], ['DELETED_ITEM p-1 x']],
    [
      'items that do not exist, once each, also of a policy that is not enforced',
      [kOfNPolicyOf('p-1', { atLeast: 2, sides: ['a z', 'b z x', 'c'] }, OFF)],
      ['DELETED_ITEM p-1 x', 'DELETED_ITEM p-1 z', 'ITEM_ON_TWO_SIDES p-1 z'],
    ],
    [
      'an item on several sides of a k-of-n policy',
      [kOfNPolicyOf('p-1', { atLeast: 3, sides: ['a b', 'b c', 'c d b'] })],
      ['ITEM_ON_TWO_SIDES p-1 b', 'ITEM_ON_TWO_SIDES p-1 c'],
    ],
    [
      'a side without any item that exists',
      [two('p-1', 'x y', 'a')],
      ['DELETED_ITEM p-1 x', 'DELETED_ITEM p-1 y', 'UNMATCHABLE_POLICY p-1'],
    ],
    [
      'a side without any item that exists of a policy that is not enforced',
      [two('p-1', 'a', 'x', OFF)],
      ['DELETED_ITEM p-1 x', 'UNMATCHABLE_POLICY p-1'],
    ],
    [
      'a k-of-n policy with too few sides left',
      [kOfNPolicyOf('p-1', { atLeast: 2, sides: ['a', 'x', 'x'] })],
      ['DELETED_ITEM p-1 x', 'ITEM_ON_TWO_SIDES p-1 x', 'UNMATCHABLE_POLICY p-1'],
    ],
    [
      'no unmatchable k-of-n policy when enough sides are left',
      [kOfNPolicyOf('p-1', { atLeast: 2, sides: ['a', 'b', 'x'] })],
      ['DELETED_ITEM p-1 x'],
    ],
  ])('%s', (_, policies, expected) => {
    expect(reported(policies)).toEqual(expected);
  });
});

describe('lint compares enforced policies and finds', () => {
  test.each([
    [
      'the same sides in another order',
      [two('p-2', 'b a', 'c'), two('p-1', 'c', 'a b')],
      ['DUPLICATE_POLICY p-2 > p-1'],
    ],
    [
      'each of several equal policies, with the first of them',
      [two('p-1', 'a', 'b'), two('p-2', 'a', 'b'), two('p-3', 'b', 'a')],
      ['DUPLICATE_POLICY p-2 > p-1', 'DUPLICATE_POLICY p-3 > p-1'],
    ],
    [
      'a two-sided and a k-of-n policy that are equal',
      [two('p-1', 'a', 'b'), kOfNPolicyOf('p-2', { atLeast: 2, sides: ['b', 'a'] })],
      ['DUPLICATE_POLICY p-2 > p-1'],
    ],
    [
      'policies of different sides that the same access violates',
      [kOfNPolicyOf('p-1', { atLeast: 3, sides: ['a', 'b', 'a b'] }), two('p-2', 'a', 'b')],
      ['DUPLICATE_POLICY p-2 > p-1', 'ITEM_ON_TWO_SIDES p-1 a', 'ITEM_ON_TWO_SIDES p-1 b'],
    ],
    ['the narrower of two', [two('p-1', 'a', 'b'), two('p-2', 'a c', 'b')], ['SUBSUMED_POLICY p-1 > p-2']],
    [
      'the narrower of two with the sides exchanged',
      [two('p-1', 'b d', 'a c'), two('p-2', 'a', 'b')],
      ['SUBSUMED_POLICY p-2 > p-1'],
    ],
    [
      'all policies that subsume a policy',
      [two('p-1', 'a', 'b'), two('p-2', 'a c', 'b'), two('p-3', 'a c', 'b d')],
      ['SUBSUMED_POLICY p-1 > p-2 p-3', 'SUBSUMED_POLICY p-2 > p-3'],
    ],
    [
      'duplicates as subsumed policies too',
      [two('p-1', 'a', 'b'), two('p-2', 'b', 'a'), two('p-3', 'a c', 'b')],
      ['DUPLICATE_POLICY p-2 > p-1', 'SUBSUMED_POLICY p-1 > p-3', 'SUBSUMED_POLICY p-2 > p-3'],
    ],
    [
      'a policy that requires more of the same sides',
      [
        kOfNPolicyOf('p-1', { atLeast: 3, sides: ['a', 'b', 'c'] }),
        kOfNPolicyOf('p-2', { atLeast: 2, sides: ['a', 'b', 'c'] }),
      ],
      ['SUBSUMED_POLICY p-1 > p-2'],
    ],
    [
      'a two-sided policy within a k-of-n policy',
      [kOfNPolicyOf('p-1', { atLeast: 2, sides: ['a', 'b', 'c'] }), two('p-2', 'c', 'a')],
      ['SUBSUMED_POLICY p-2 > p-1'],
    ],
    [
      'a k-of-n policy with a side that the broader one lacks',
      [kOfNPolicyOf('p-1', { atLeast: 3, sides: ['e', 'a', 'b'] }), two('p-2', 'a', 'b')],
      ['SUBSUMED_POLICY p-1 > p-2'],
    ],
    [
      'nothing when too few sides match',
      [
        kOfNPolicyOf('p-1', { atLeast: 3, sides: ['a', 'b', 'c', 'd'] }),
        kOfNPolicyOf('p-2', { atLeast: 3, sides: ['a', 'b', 'e', 'f'] }),
      ],
      [],
    ],
    [
      'nothing when the items of one side are on both sides of the other',
      [two('p-1', 'a b', 'c'), two('p-2', 'a c', 'b')],
      [],
    ],
    ['nothing when sides only overlap', [two('p-1', 'a b', 'c'), two('p-2', 'b d', 'c')], []],
    [
      'nothing for policies that are not enforced',
      [two('p-1', 'a', 'b', OFF), two('p-2', 'a', 'b'), two('p-3', 'a c', 'b', OFF)],
      [],
    ],
  ])('%s', (_, policies, expected) => {
    expect(reported(policies)).toEqual(expected);
  });

  test('policies by their items, whether these exist or not', () => {
    const policies = [two('p-1', 'a', 'b'), two('p-2', 'a x', 'b'), two('p-3', 'a', 'b x')];
    expect(reported(policies)).toEqual(['DELETED_ITEM p-2 x', 'DELETED_ITEM p-3 x', 'SUBSUMED_POLICY p-1 > p-2 p-3']);
  });

  test('ten of many broader policies, and their number', () => {
    const wider = Array.from({ length: 25 }, (_, at) => two(`w-${at + 10}`, `a x${at}`, 'b'));
    const alike = wider.map((policy, at) => ({ ...policy, id: `v-${at + 10}` }));
    const found = lint([two('p-1', 'a', 'b'), ...wider, ...alike]).filter(({ code }) => code === 'SUBSUMED_POLICY');
    expect(found.map(inShort)).toEqual([
      `SUBSUMED_POLICY p-1 > ${Array.from({ length: 10 }, (_, at) => `v-${at + 10}`).join(' ')}`,
    ]);
    expect(found[0]?.text).toBe('Every identity that violates policy p-1 also violates policy v-10 and 49 more.');
  });
});

describe('lint finds bundles that violate a policy by themselves', () => {
  const catalogue = catalogueOf({
    entitlements: ['a', 'b', 'c'],
    accessProfiles: { 'ap-ab': ['b', 'a'], 'ap-a': ['a'], 'ap-none': [] },
    roles: {
      'r-through': { accessProfiles: ['ap-ab'] },
      'r-both': { accessProfiles: ['ap-a'], entitlements: ['b'] },
      'r-one': { accessProfiles: ['ap-a'], entitlements: ['c'] },
    },
  });

  test('directly and through access profiles, of enforced policies only', () => {
    const policies = [two('p-2', 'a', 'b'), two('p-1', 'b', 'a x'), two('p-0', 'a', 'b', OFF), two('p-3', 'c', 'b')];
    expect(reported(policies, catalogue).filter((text) => text.startsWith('SELF'))).toEqual([
      'SELF_VIOLATING_ACCESS_PROFILE p-1 ap-ab',
      'SELF_VIOLATING_ACCESS_PROFILE p-2 ap-ab',
      'SELF_VIOLATING_ROLE p-1 r-both',
      'SELF_VIOLATING_ROLE p-1 r-through',
      'SELF_VIOLATING_ROLE p-2 r-both',
      'SELF_VIOLATING_ROLE p-2 r-through',
    ]);
  });

  test('of k-of-n policies by `atLeast` sides', () => {
    const policies = [
      kOfNPolicyOf('p-2', { atLeast: 2, sides: ['a', 'b', 'c'] }),
      kOfNPolicyOf('p-3', { atLeast: 3, sides: ['a', 'b', 'c'] }),
    ];
    expect(reported(policies, catalogue).filter((text) => text.startsWith('SELF'))).toEqual([
      'SELF_VIOLATING_ACCESS_PROFILE p-2 ap-ab',
      'SELF_VIOLATING_ROLE p-2 r-both',
      'SELF_VIOLATING_ROLE p-2 r-one',
      'SELF_VIOLATING_ROLE p-2 r-through',
    ]);
  });
});

test('findings have a ref, a severity and a text', () => {
  const catalogue = catalogueOf({
    entitlements: ['a', 'b'],
    accessProfiles: { ap: ['a', 'b'] },
    roles: { r: { accessProfiles: ['ap'] } },
  });
  const policies = [
    two('p-1', 'a', 'b'),
    two('p-2', 'a', 'b'),
    two('p-3', 'a x', 'b'),
    two('p-4', 'y', 'b'),
    kOfNPolicyOf('p-5', { atLeast: 3, sides: ['a', 'a', 'z'] }),
  ];
  const first = Object.fromEntries(
    lint(policies, catalogue)
      .toReversed()
      .map((finding) => [finding.code, finding]),
  );
  const item = (id: string) => ({ type: 'ENTITLEMENT', id });
  const other = (id: string) => [{ type: 'SOD_POLICY', id, name: `Policy ${id}` }];
  const base = { severity: 'WARNING', ref: null, related: [] };
  expect(LINT_CODES.map((code) => first[code])).toEqual([
    {
      ...base,
      code: 'DELETED_ITEM',
      policyId: 'p-3',
      ref: item('x'),
      text: 'Policy p-3 names entitlement x, which does not exist: the item cannot match until the entitlement exists.',
    },
    {
      ...base,
      code: 'DUPLICATE_POLICY',
      policyId: 'p-2',
      related: other('p-1'),
      text: 'Policy p-2 is violated exactly when policy p-1 is: one of them is enough.',
    },
    {
      ...base,
      code: 'ITEM_ON_TWO_SIDES',
      policyId: 'p-5',
      ref: item('a'),
      text: 'Policy p-5 has entitlement a on 2 sides: an identity that holds it is on each of them.',
    },
    {
      ...base,
      code: 'SELF_VIOLATING_ACCESS_PROFILE',
      severity: 'ERROR',
      policyId: 'p-1',
      ref: { type: 'ACCESS_PROFILE', id: 'ap' },
      text: 'Access profile ap violates policy p-1 by itself: so does every identity that holds it.',
    },
    {
      ...base,
      code: 'SELF_VIOLATING_ROLE',
      severity: 'ERROR',
      policyId: 'p-1',
      ref: { type: 'ROLE', id: 'r' },
      text: 'Role r violates policy p-1 by itself: so does every identity that holds it.',
    },
    {
      ...base,
      code: 'SUBSUMED_POLICY',
      policyId: 'p-1',
      related: other('p-3'),
      text: 'Every identity that violates policy p-1 also violates policy p-3.',
    },
    {
      ...base,
      code: 'UNMATCHABLE_POLICY',
      severity: 'ERROR',
      policyId: 'p-4',
      text: 'Policy p-4 cannot match: a violation takes 2 sides, and only 1 of its sides has an entitlement that exists.',
    },
  ]);
});

describe('lint of many policies', () => {
  const ids = Array.from({ length: 2_000 }, (_, at) => `e-${at}`);
  const side = (seed: number) => Array.from({ length: 50 }, (_, at) => `e-${(seed * 131 + at * 7) % 2_000}`);
  const sound = Array.from({ length: 2_000 }, (_, at) => policyOf(`p-${at}`, { left: side(at), right: [`e-${at}`] }));

  test('takes many small pieces, also when there is nothing to report', () => {
    const catalogue = catalogueOf({ entitlements: ids, roles: { all: { entitlements: ids } } });
    const pieces = [...lintPolicies(compileLintRulebook(sound, catalogue))];
    expect(pieces.length).toBeGreaterThan(sound.length);
    expect(Math.max(...pieces.map((findings) => findings.length))).toBeLessThan(500);
  });
});

test('lint finds what the last of many policies with the same items subsumes, and duplicates of the last', () => {
  for (const count of [31, 32, 33, 64, 65]) {
    const id = (at: number) => `p-${String(at).padStart(2, '0')}`;
    const others = Array.from({ length: count - 2 }, (_, at) =>
      two(id(at + 1), at % 2 === 0 ? `a l-${at}` : `b l-${at}`, `r-${at}`),
    );
    const policies = [two(id(0), 'a', 'b'), ...others, two(id(count - 1), 'a x', 'b y')];
    const entitlements = ['a', 'b', 'x', 'y', ...others.flatMap((_, at) => [`l-${at}`, `r-${at}`])];
    expect(reported(policies, catalogueOf({ entitlements }))).toEqual([`SUBSUMED_POLICY ${id(0)} > ${id(count - 1)}`]);
  }
});

test('an import reports the first 100 findings by code, and of a code in the order in which they were found', () => {
  const policies = Array.from({ length: 80 }, (_, at) => two(`p-${String(at).padStart(2, '0')}`, 'a x', 'x'));
  const found = lint(policies);
  const counts = LINT_CODES.map((code) => found.filter((finding) => finding.code === code).length);
  expect(counts.filter((count) => count > 0).length).toBeGreaterThan(1);
  expect(found.length).toBeGreaterThan(IMPORT_WARNINGS_MAX);
  const inAnyOrder = LINT_CODES.toReversed().flatMap((code) => found.filter((finding) => finding.code === code));
  expect(firstFindings(inAnyOrder)).toEqual(found.slice(0, 100));
});
