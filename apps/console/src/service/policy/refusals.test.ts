import { ApiError } from '@access-admin/client';
import { expect, test } from 'vitest';
import { placeRefusals } from './refusals.ts';

const refused = (...texts: string[]) =>
  new ApiError('PUT /sod-policies/v1/p', {
    status: 400,
    detailCode: '400.1.2',
    trackingId: 't',
    messages: [],
    causes: texts.map((text) => ({ locale: 'en-US', localeOrigin: 'DEFAULT', text, detailCode: '400.1.2' })),
    retryAfterMs: null,
  });

test.each([
  ['name: must not be empty', 'name'],
  ['ownerRef.id: there is no identity i', 'owner'],
  ['change[0].correctionAdvice: too long', 'correctionAdvice'],
  ['conflictingAccessCriteria.leftCriteria.criteriaList: must not be empty', 'side 0'],
  ['conflictingAccessCriteria.rightCriteria.criteriaList[3].id: is an item of the other side too', 'side 1'],
  ['add[0].conflictingAccessCriteria.criteria[4].name: too long', 'side 4 name'],
  ['conflictingAccessCriteria.criteria: must have at most 10 sides', 'sides'],
  ['conflictingAccessCriteria.atLeast: must be from 2 to the number of sides', 'atLeast'],
])('%s', (text, place) => {
  const { byPlace, isComplete } = placeRefusals(refused(text));
  expect([...byPlace]).toEqual([[place, [text.slice(text.indexOf(': ') + 2)]]]);
  expect(isComplete).toBe(true);
});

test('a text without a place is left to be shown as a whole', () => {
  expect(placeRefusals(refused('name: must not be empty', 'tags[1]: too long')).isComplete).toBe(false);
  expect(placeRefusals(refused()).isComplete).toBe(false);
  expect(placeRefusals(new Error('name: must not be empty')).byPlace.size).toBe(0);
});
