import { showSodPolicy, UNSET_POLICY_FIELDS } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import { validate } from '../validation/validate.ts';
import { conflictingAccessCriteria, sodPolicyPatch } from './policies.ts';

const SIDE = { name: null, criteriaList: [{ type: 'ENTITLEMENT', id: 'c' }] } as const;
const side = (id: string) => ({ name: null, criteriaList: [{ type: 'ENTITLEMENT', id }] as const });
const SHOWN = showSodPolicy(
  {
    ...UNSET_POLICY_FIELDS,
    id: 'p-1',
    name: 'Vendor and payment',
    description: null,
    state: 'ENFORCED',
    level: 'HIGH',
    type: 'CONFLICTING_ACCESS_BASED',
    conflictingAccessCriteria: { leftCriteria: side('a'), rightCriteria: side('b') },
    externalPolicyReference: null,
    compensatingControls: null,
    correctionAdvice: null,
    tags: ['payments'],
    ownerRef: null,
    creatorId: null,
    modifierId: null,
    created: '2026-11-21T09:30:00.000Z',
    modified: '2026-11-21T09:30:00.000Z',
  },
  { entitlements: new Map(), identities: new Map() },
);

/** The outcome of a patch: of its parse where that fails. */
function patched(...operations: readonly object[]) {
  const patch = sodPolicyPatch.parse(operations);
  return patch.ok ? sodPolicyPatch.apply(SHOWN, patch.value) : patch;
}

describe('a patch of a policy', () => {
  test.each([
    ['name', 'Other'],
    ['description', 'Nobody pays what they order'],
    ['state', 'NOT_ENFORCED'],
    ['level', 'LOW'],
    ['conflictingAccessCriteria', { criteria: [SIDE], atLeast: 1 }],
    ['externalPolicyReference', 'X-1'],
    ['compensatingControls', 'Review'],
    ['correctionAdvice', 'Remove one'],
    ['tags', []],
    ['ownerRef', { type: 'IDENTITY', id: 'i-1', name: null }],
    ['attributes', { a: 'b' }],
    ['externalId', 'x-1'],
    ['scheduled', true],
    ['violationOwnerAssignmentConfig', {}],
    ['secondaryOwnerRefs', []],
    ['allowedControls', []],
  ])('may replace %s', (name, value) => {
    expect(patched({ op: 'replace', path: `/${name}`, value })).toMatchObject({
      ok: true,
      value: { [name]: value },
    });
  });

  test.each(['id', 'type', 'created', 'modified', 'creatorId', 'modifierId', 'policyQuery', 'other'])(
    'may not touch %s',
    (name) => {
      for (const op of ['add', 'replace', 'remove', 'test'])
        expect(patched({ op, path: `/${name}`, value: 'x' })).toMatchObject({
          ok: false,
          failure: { type: 'IllegalUpdate' },
        });
    },
  );

  test.each(['name', 'state', 'level', 'conflictingAccessCriteria', 'tags'])('may not remove %s', (name) => {
    expect(patched({ op: 'remove', path: `/${name}` })).toEqual({
      ok: false,
      failure: { type: 'IllegalValue', causes: [{ at: name, text: 'must not be removed' }] },
    });
  });

  test.each(['description', 'externalPolicyReference', 'compensatingControls', 'correctionAdvice', 'ownerRef'])(
    'may remove %s, which may be null',
    (name) => {
      expect(patched({ op: 'remove', path: `/${name}` })).toMatchObject({ ok: true });
    },
  );
});

describe('the criteria of a policy', () => {
  test.each([
    [1, 2, 'must be 1, as the policy has one side; with several sides it is from 2 to the number of sides'],
    [2, 1, 'must be from 2 to the number of sides'],
    [2, 1.5, 'must be a whole number'],
  ])('with %i sides and `atLeast` %d are refused with what is accepted', (sides, atLeast, text) => {
    const refused = validate(conflictingAccessCriteria, { ...of(...Array(sides).fill(1)), atLeast });
    expect(refused).toMatchObject({ failure: { causes: [{ at: 'atLeast', text }] } });
  });

  const items = (prefix: string, count: number) => ({
    criteriaList: Array.from({ length: count }, (_, index) => ({ type: 'ENTITLEMENT', id: `${prefix}${index}` })),
  });
  const of = (...counts: readonly number[]) => ({ criteria: counts.map((count) => items('e', count)), atLeast: 2 });
  const two = (left: number, right: number) => ({ leftCriteria: items('l', left), rightCriteria: items('r', right) });

  test.each([two(1, 1), two(50, 50), of(1, 1), of(...Array(10).fill(50)), { ...of(50), atLeast: 1 }])(
    'have 1 to 50 items a side and at most 10 sides',
    (criteria) => {
      expect(validate(conflictingAccessCriteria, criteria).ok).toBe(true);
    },
  );

  test.each([
    ['an empty left side', two(0, 1), 'RequiredMissing', ['leftCriteria.criteriaList']],
    ['two empty sides', two(0, 0), 'RequiredMissing', ['leftCriteria.criteriaList', 'rightCriteria.criteriaList']],
    ['51 items on a side', two(1, 51), 'LimitExceeded', ['rightCriteria.criteriaList']],
    ['no side', of(), 'RequiredMissing', ['criteria']],
    ['one empty side', { ...of(0), atLeast: 1 }, 'RequiredMissing', ['criteria[0].criteriaList']],
    ['one side of 51 items', { ...of(51), atLeast: 1 }, 'LimitExceeded', ['criteria[0].criteriaList']],
    ['two sides and `atLeast` 1', { ...of(1, 1), atLeast: 1 }, 'IllegalValue', ['atLeast']],
    ['two sides and `atLeast` 11', { ...of(1, 1), atLeast: 11 }, 'IllegalValue', ['atLeast']],
    ['one side and `atLeast` 2', of(1), 'IllegalValue', ['atLeast']],
    ['two sides and `atLeast` -2', { ...of(1, 1), atLeast: -2 }, 'IllegalValue', ['atLeast']],
    ['one side and `atLeast` 0', { ...of(1), atLeast: 0 }, 'IllegalValue', ['atLeast']],
    ['eleven sides', of(...Array(11).fill(1)), 'LimitExceeded', ['criteria']],
    ['eleven sides without items', of(...Array(11).fill(0)), 'LimitExceeded', ['criteria']],
    ['empty sides', of(1, 0, 0), 'RequiredMissing', ['criteria[1].criteriaList', 'criteria[2].criteriaList']],
  ])('are refused with %s', (_, criteria, type, places) => {
    const refused = validate(conflictingAccessCriteria, criteria);
    expect(refused.ok ? null : [refused.failure.type, refused.failure.causes.map(({ at }) => at)]).toEqual([
      type,
      places,
    ]);
  });
});
