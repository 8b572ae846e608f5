import type { AccessAdminClient, ListedSodCheck } from '@access-admin/client';
import { expect, test, vi } from 'vitest';
import { checksQuery } from './checks.ts';

const checkOf = (requestId: string, identityId: string): ListedSodCheck => ({
  requestId,
  identityId,
  created: '2026-11-28T10:00:00.000Z',
  state: 'PENDING',
  completed: null,
});

/** Reads the latest checks of a service that has these, and people with names by their ids. */
async function read(checks: readonly ListedSodCheck[], names: Readonly<Record<string, string | null>>) {
  const pageChecks = vi.fn(async () => ({ items: checks }));
  const page = vi.fn(async () => ({ items: Object.entries(names).map(([id, displayName]) => ({ id, displayName })) }));
  const api = { sodViolations: { pageChecks }, identities: { page } } as unknown as AccessAdminClient;
  const { signal } = new AbortController();
  const found = await checksQuery(api).queryFn?.({ signal } as never);
  return { found, pageChecks, page, signal };
}

test('the latest twenty checks have the names of their people, read at once', async () => {
  const checks = [checkOf('c-3', 'i-2'), checkOf('c-2', 'i-1'), checkOf('c-1', 'i-2')];
  const { found, pageChecks, page, signal } = await read(checks, { 'i-1': 'Ada', 'i-2': 'Grace' });
  expect(found).toEqual([
    { ...checks[0], person: 'Grace' },
    { ...checks[1], person: 'Ada' },
    { ...checks[2], person: 'Grace' },
  ]);
  expect(pageChecks).toHaveBeenCalledExactlyOnceWith({ limit: 20, signal });
  expect(page).toHaveBeenCalledExactlyOnceWith({ filters: 'id in ("i-2", "i-1")', limit: 2, signal });
});

test('a person who is gone or has no name has the id', async () => {
  const { found } = await read([checkOf('c-2', 'i-9'), checkOf('c-1', 'i-1')], { 'i-1': null });
  expect(found?.map(({ person }) => person)).toEqual(['i-9', 'i-1']);
});

test('checks whose names cannot be read have ids', async () => {
  const api = {
    sodViolations: { pageChecks: async () => ({ items: [checkOf('c-1', 'i-1')] }) },
    identities: { page: () => Promise.reject(new Error('The service is overloaded.')) },
  } as unknown as AccessAdminClient;
  const { signal } = new AbortController();
  expect(await checksQuery(api).queryFn?.({ signal } as never)).toMatchObject([{ requestId: 'c-1', person: 'i-1' }]);
});

test('long ids are read with as many requests as their addresses need', async () => {
  const checks = Array.from({ length: 20 }, (_, at) => checkOf(`c-${at}`, `${at}`.padStart(128, 'x')));
  const { page } = await read(checks, {});
  expect(page.mock.calls.length).toBeGreaterThan(1);
});

test('where there is no check, no names are read', async () => {
  const { found, page } = await read([], {});
  expect(found).toEqual([]);
  expect(page).not.toHaveBeenCalled();
});
