import { expect, test } from 'vitest';
import { judgeSodPolicy } from './sod-policy.ts';

const criteria = (...ids: string[]) => ({
  name: null,
  criteriaList: ids.map((id) => ({ type: 'ENTITLEMENT' as const, id })),
});
const judge = (left: string[], right: string[]) =>
  judgeSodPolicy({ conflictingAccessCriteria: { leftCriteria: criteria(...left), rightCriteria: criteria(...right) } });
const many = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

const left = 'conflictingAccessCriteria.leftCriteria.criteriaList';
const right = 'conflictingAccessCriteria.rightCriteria.criteriaList';

test.each([
  ['one item a side', ['a'], ['b']],
  ['50 items a side', many('a', 50), many('b', 50)],
  ['ids that only differ in case', ['a'], ['A']],
  ['ids that are names of object members', ['constructor'], ['__proto__']],
])('is sound with %s', (_, leftIds, rightIds) => {
  expect(judge(leftIds, rightIds)).toBeNull();
});

test.each([
  ['an empty left side', [], ['b'], 'RequiredMissing', [left]],
  ['an empty right side', ['a'], [], 'RequiredMissing', [right]],
  ['both sides empty', [], [], 'RequiredMissing', [left, right]],
  ['51 items on the left', many('a', 51), ['b'], 'LimitExceeded', [left]],
  ['51 items on the right', ['a'], many('b', 51), 'LimitExceeded', [right]],
  ['51 equal items: the number counts', Array(51).fill('a'), ['b'], 'LimitExceeded', [left]],
  ['an item repeated on the left', ['a', 'c', 'a'], ['b'], 'IllegalValue', [`${left}[2].id`]],
  ['an item repeated on the right', ['a'], ['b', 'b', 'b'], 'IllegalValue', [`${right}[1].id`, `${right}[2].id`]],
  ['an item on both sides', ['a', 'b'], ['c', 'b'], 'IllegalValue', [`${right}[1].id`]],
  ['at most 20 causes', many('a', 50), many('a', 50), 'IllegalValue', many('', 20).map((at) => `${right}[${at}].id`)],
])('is refused with %s', (_, leftIds, rightIds, type, places) => {
  const failure = judge(leftIds, rightIds);
  expect(failure?.type).toBe(type);
  expect(failure?.causes.map(({ at }) => at)).toEqual(places);
});
