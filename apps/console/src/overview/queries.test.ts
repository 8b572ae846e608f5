import type { AccessAdminClient, SodException } from '@access-admin/client';
import { expect, test } from 'vitest';
import { waitingForQuery } from './queries.ts';

const ME = 'i-me';
const COUNT = 1_000;

/** The service lists the requests by their ids: those by me and about me come first. */
const requests = Array.from({ length: COUNT }, (_, at) => ({
  id: String(at),
  policyId: 'p',
  identityId: at >= 300 && at < 600 ? ME : 'i-other',
  requesterId: at < 300 ? ME : 'i-asker',
  created: new Date(Date.UTC(2026, 10, 23) - at * 1000).toISOString(),
  decisions: [],
})) as unknown as readonly SodException[];

const apiWith = (waiting: Iterable<SodException>) =>
  ({
    sodExceptions: { list: () => waiting },
    identities: { page: async () => ({ items: [] }) },
    sodPolicies: { page: async () => ({ items: [] }) },
  }) as unknown as AccessAdminClient;

const ask = (waiting: Iterable<SodException>) =>
  waitingForQuery(apiWith(waiting), ME).queryFn?.({ signal: new AbortController().signal } as never);

test('of a thousand requests those are counted and named that are neither by me nor about me', async () => {
  const answer = await ask(requests.values());
  expect(answer?.count).toBe(400);
  expect(answer?.isExact).toBe(true);
  expect(answer?.items.map(({ id }) => id)).toEqual(['999', '998', '997']);
});

test('the first request that is not counted only tells that there are more', async () => {
  const answer = await ask([...requests.slice(600), ...requests.slice(400), ...requests.slice(600, 601)]);
  expect(answer).toMatchObject({ count: 800, isExact: false });
});

test('of more requests only the first are read, and their count is one at least', async () => {
  let read = 0;
  function* endless() {
    for (;;) yield requests[read++ % COUNT] as SodException;
  }
  const answer = await ask(endless());
  expect(answer?.count).toBe(400);
  expect(answer?.isExact).toBe(false);
  expect(read).toBe(COUNT + 1);
});
