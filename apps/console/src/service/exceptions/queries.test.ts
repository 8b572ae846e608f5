import type { AccessAdminClient, SodException } from '@access-admin/client';
import { expect, test } from 'vitest';
import { exceptionsQuery } from './queries.ts';

const COUNT = 600;

/** Listed by id, the later ones first. */
const exceptions = Array.from({ length: COUNT }, (_, at): SodException => {
  const created = new Date(Date.UTC(2026, 10, 23) - at * 1000).toISOString();
  return {
    id: String(at),
    policyId: 'p',
    identityId: 'i',
    requesterId: 'r',
    justification: '',
    created,
    start: created,
    end: '2027-01-01T00:00:00.000Z',
    state: 'REQUESTED',
    approverId: null,
    approved: null,
    revokerId: null,
    revoked: null,
    voided: null,
    terms: null,
    decisions: [],
  };
});

const empty = { items: [], total: 0 };
const api = {
  sodExceptions: {
    async *list() {
      yield* exceptions;
    },
  },
  identities: { page: async () => empty },
  sodPolicies: { page: async () => empty },
} as unknown as AccessAdminClient;

test('of more exceptions than are shown those come first that have waited for longest', async () => {
  const { queryFn } = exceptionsQuery(api, {});
  const answer = await queryFn?.({ signal: new AbortController().signal } as never);
  expect(answer?.items.slice(0, 2).map(({ id }) => id)).toEqual(['599', '598']);
  expect(answer?.items).toHaveLength(250);
  expect(answer?.total).toBe(COUNT);
});
