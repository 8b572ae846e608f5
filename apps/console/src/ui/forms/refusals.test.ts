import { ApiError } from '@access-admin/client';
import { expect, test } from 'vitest';
import { NO_REFUSALS, sortRefusals } from './refusals.ts';

const locale = { locale: 'en-US', localeOrigin: 'DEFAULT' } as const;
const refusal = (...texts: readonly string[]) =>
  new ApiError('PUT /', {
    status: 400,
    detailCode: '400.1.3',
    trackingId: null,
    messages: [],
    retryAfterMs: null,
    causes: texts.map((text) => ({ ...locale, text, detailCode: '400.1.3' })),
  });

test('texts are shown at the fields that they name', () => {
  const error = refusal('range[2]: must be an address', 'range: too long', 'name: must not be empty', 'odd: 1', 'all');
  expect(sortRefusals(error, ['range', 'name'])).toEqual({
    at: { range: ['3: must be an address', 'Too long'], name: ['Must not be empty'] },
    others: ['odd: 1', 'all'],
  });
  expect(sortRefusals(new Error('name: x'), ['name'])).toEqual(NO_REFUSALS);
});
