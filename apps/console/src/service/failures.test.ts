import { ApiError, ConnectionError, ForbiddenError } from '@access-admin/client';
import { expect, test } from 'vitest';
import { showFailure } from './failures.ts';

const errorOf = (status: number) =>
  new ApiError('GET /x', {
    status,
    detailCode: null,
    trackingId: 't',
    messages: [],
    causes: [],
    retryAfterMs: null,
  });

test.each([
  [429, 'failure.busy'],
  [500, 'failure.fault'],
  [501, 'failure.fault'],
  [502, 'failure.busy'],
  [503, 'failure.busy'],
  [504, 'failure.busy'],
  [400, null],
  [404, null],
] as const)('an answer %s is shown with the advice %s', (status, advice) => {
  expect(showFailure(errorOf(status))).toEqual({ advice, texts: [], trackingId: 't' });
});

test('a missing right and a missing connection have an advice of their own', () => {
  const details = { status: 403, detailCode: null, trackingId: null, messages: [], causes: [], retryAfterMs: null };
  expect(showFailure(new ForbiddenError('GET /x', details)).advice).toBe('failure.right');
  expect(showFailure(new ConnectionError('GET /x', false)).advice).toBe('failure.offline');
});
