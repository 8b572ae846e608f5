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

const api = {
  sodExceptions: {
    list: () => requests.values(),
    page: async ({ filters }: { readonly filters: string }) => ({
      items: [],
      total: requests.filter(
        ({ requesterId, identityId }) =>
          (!filters.includes('requesterId') || requesterId === ME) &&
          (!filters.includes('identityId') || identityId === ME),
      ).length,
    }),
  },
  identities: { page: async () => ({ items: [] }) },
  sodPolicies: { page: async () => ({ items: [] }) },
} as unknown as AccessAdminClient;

test('of any number of requests those are counted and named that are neither by me nor about me', async () => {
  const answer = await waitingForQuery(api, ME).queryFn?.({ signal: new AbortController().signal } as never);
  expect(answer?.count).toBe(400);
  expect(answer?.isExact).toBe(true);
  expect(answer?.items.map(({ id }) => id)).toEqual(['849', '848', '847']);
});
