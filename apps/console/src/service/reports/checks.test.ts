import { ApiError, type CloudEvent } from '@access-admin/client';
import { expect, test } from 'vitest';
import { findEndedChecks, SEARCHED_EVENTS } from './checks.ts';

const pad = (sequence: number) => String(sequence).padStart(20, '0');
const eventOf = (sequence: number, data: unknown) =>
  ({
    sequence: pad(sequence),
    subject: `/sod-violations/v1/check/c-${sequence}`,
    time: `t-${sequence}`,
    data,
  }) as CloudEvent;
const check = (violationCount: number) => ({ state: 'SUCCESS', violationCheckResult: { violationCount } });

/** A log of so many events, of which those of the checks are kept from a sequence on. */
function logOf(last: number, checks: readonly CloudEvent[], keptFrom = 1) {
  const asked: number[] = [];
  const page = async ({ after, limit = 0 }: { after?: string; limit?: number }) => {
    const from = after === undefined ? keptFrom - 1 : Number(after);
    asked.push(from);
    if (from < keptFrom - 1)
      throw new ApiError('gone', {
        status: 410,
        detailCode: '410',
        trackingId: null,
        messages: [],
        causes: [],
        retryAfterMs: null,
      });
    return { items: checks.filter(({ sequence }) => Number(sequence) > from).slice(0, limit), last: pad(last) };
  };
  return {
    asked,
    api: { events: { page, last: async () => pad(last) } } as unknown as Parameters<typeof findEndedChecks>[0],
  };
}

const { signal } = new AbortController();

test('the checks that ended last are found, the latest first', async () => {
  const { api } = logOf(1_000, [
    eventOf(3, check(0)),
    eventOf(700, { type: 'SOD_CHECK', id: 'c-700' }),
    eventOf(999, check(2)),
  ]);
  expect(await findEndedChecks(api, signal)).toEqual([
    { requestId: 'c-999', time: 't-999', state: 'SUCCESS', violationCount: 2 },
    { requestId: 'c-700', time: 't-700', state: null, violationCount: null },
    { requestId: 'c-3', time: 't-3', state: 'SUCCESS', violationCount: 0 },
  ]);
});

test('of many, twenty are listed, and no earlier event is read', async () => {
  const all = Array.from({ length: 1_000 }, (_, at) => eventOf(at + 1, check(0)));
  const { api, asked } = logOf(1_000, all);
  const found = await findEndedChecks(api, signal);
  expect([found.length, found[0]?.requestId, found[19]?.requestId, asked]).toEqual([20, 'c-1000', 'c-981', [750]]);
});

test('the search ends where events are no longer kept, and after the last 5,000', async () => {
  expect(await findEndedChecks(logOf(600, [eventOf(500, check(1))], 400).api, signal)).toHaveLength(1);
  const { api, asked } = logOf(100_000, [eventOf(1, check(0))]);
  expect(await findEndedChecks(api, signal)).toEqual([]);
  expect(asked.at(-1)).toBe(100_000 - SEARCHED_EVENTS);
  expect(await findEndedChecks(logOf(0, []).api, signal)).toEqual([]);
});
