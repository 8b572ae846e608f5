import { describe, expect, test } from 'vitest';
import { policyOf } from '../../test/sod-world.ts';
import { type KeptRef, sidesOf } from './model.ts';
import { validateAddedReferences, validateSodPolicy } from './validation.ts';

const criteria = (...ids: string[]) => ({
  name: null,
  criteriaList: ids.map((id) => ({ type: 'ENTITLEMENT' as const, id })),
});
const validateTwoSided = (left: string[], right: string[]) =>
  validateSodPolicy({
    conflictingAccessCriteria: { leftCriteria: criteria(...left), rightCriteria: criteria(...right) },
  });
const many = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

const left = 'conflictingAccessCriteria.leftCriteria.criteriaList';
const right = 'conflictingAccessCriteria.rightCriteria.criteriaList';

describe('a two-sided policy', () => {
  test.each([
    ['one item a side', ['a'], ['b']],
    ['50 items a side', many('a', 50), many('b', 50)],
    ['ids that only differ in case', ['a'], ['A']],
    ['ids that are names of object members', ['constructor'], ['__proto__']],
  ])('is valid with %s', (_, leftIds, rightIds) => {
    expect(validateTwoSided(leftIds, rightIds)).toBeNull();
  });

  test.each([
    ['an item repeated on the left', ['a', 'c', 'a'], ['b'], 'IllegalValue', [`${left}[2].id`]],
    ['an item repeated on the right', ['a'], ['b', 'b', 'b'], 'IllegalValue', [`${right}[1].id`, `${right}[2].id`]],
    ['an item on both sides', ['a', 'b'], ['c', 'b'], 'IllegalValue', [`${right}[1].id`]],
    ['at most 20 causes', many('a', 50), many('a', 50), 'IllegalValue', many('', 20).map((at) => `${right}[${at}].id`)],
  ])('is refused with %s', (_, leftIds, rightIds, type, places) => {
    const failure = validateTwoSided(leftIds, rightIds);
    expect(failure?.type).toBe(type);
    expect(failure?.causes.map(({ at }) => at)).toEqual(places);
  });
});

describe('a k-of-n policy', () => {
  const validateKOfN = (atLeast: number, ...sides: (readonly string[])[]) =>
    validateSodPolicy({ conflictingAccessCriteria: { criteria: sides.map((ids) => criteria(...ids)), atLeast } });
  const sidesOfOne = (count: number) => many('s', count).map((id) => [id]);
  const all = 'conflictingAccessCriteria.criteria';
  const least = 'conflictingAccessCriteria.atLeast';

  test.each<[string, number, (readonly string[])[]]>([
    ['two sides of one item', 2, [['a'], ['b']]],
    ['one side of which any item is critical', 1, [['a', 'b']]],
    ['one side of 50 items', 1, [many('a', 50)]],
    ['ten sides and `atLeast` 10', 10, sidesOfOne(10)],
    ['50 items a side', 2, [many('a', 50), many('b', 50), many('c', 50)]],
    ['an item on two sides', 2, [['a', 'b'], ['b', 'c'], ['b']]],
    ['sides that are the same', 3, [['a'], ['a'], ['a']]],
  ])('is valid with %s', (_, atLeast, sides) => {
    expect(validateKOfN(atLeast, ...sides)).toBeNull();
  });

  test.each<[string, number, (readonly string[])[], string, readonly string[]]>([
    ['an item repeated on the only side', 1, [['a', 'b', 'a']], 'IllegalValue', [`${all}[0].criteriaList[2].id`]],
    ['an item repeated on a side', 2, [['a'], ['b', 'c', 'b']], 'IllegalValue', [`${all}[1].criteriaList[2].id`]],
    ['atLeast more than there are sides', 4, [['a'], ['b'], ['c']], 'IllegalValue', [least]],
    ['several faults', 3, [['a', 'a'], ['b']], 'IllegalValue', [least, `${all}[0].criteriaList[1].id`]],
  ])('is refused with %s', (_, atLeast, sides, type, places) => {
    const failure = validateKOfN(atLeast, ...sides);
    expect(failure?.type).toBe(type);
    expect(failure?.causes.map(({ at }) => at)).toEqual(places);
  });
});

test('the sides of both forms are in the order of the policy', () => {
  const a = criteria('a');
  const b = criteria('b');
  const c = criteria('c');
  expect(sidesOf({ leftCriteria: a, rightCriteria: b })).toEqual([a, b]);
  expect(sidesOf({ criteria: [c, a, b], atLeast: 2 })).toEqual([c, a, b]);
});

describe('what a change adds to a policy', () => {
  const names = {
    entitlements: new Map([['a', 'A']]),
    identities: new Map([['i-1', null]]),
    controls: new Set(['c-1']),
  };
  const before = policyOf('p-1', { left: ['a'], right: ['gone'] });
  const owned = (id: string) => ({ ...before, ownerRef: { type: 'IDENTITY', id, name: null } as const });

  test('must exist; items that it had before may be gone', () => {
    expect(validateAddedReferences(before, before, names)).toBeNull();
    expect(validateAddedReferences(before, owned('i-1'), names)).toBeNull();
    expect(validateAddedReferences(null, owned('i-9'), names)).toEqual({
      type: 'ReferenceNotFound',
      causes: [
        { at: `${right}[0].id`, text: 'there is no ENTITLEMENT gone' },
        { at: 'ownerRef.id', text: 'there is no identity i-9' },
      ],
    });
    expect(validateAddedReferences(before, policyOf('p-1', { left: ['a', 'x'], right: ['gone'] }), names)).toEqual({
      type: 'ReferenceNotFound',
      causes: [{ at: `${left}[1].id`, text: 'there is no ENTITLEMENT x' }],
    });
  });

  test('may name only controls that exist', () => {
    const allowing = (...allowedControls: readonly KeptRef[]) => ({ ...before, allowedControls });
    const sound = [{ type: 'COMPENSATING_CONTROL', id: 'c-1' }, { name: 'None in particular' }, { id: null }];
    expect(validateAddedReferences(before, allowing(...sound), names)).toBeNull();
    expect(validateAddedReferences(before, allowing(...sound, { id: 'c-9' }), names)).toEqual({
      type: 'ReferenceNotFound',
      causes: [{ at: 'allowedControls[3].id', text: 'there is no control c-9' }],
    });
  });
});
