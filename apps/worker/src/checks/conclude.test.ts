import { setImmediate } from 'node:timers/promises';
import { LONG_CHECKS_MAX } from '@access-admin/contract';
import type { SodInclude } from '@access-admin/domain';
import { createScheduler, createSemaphore } from '@access-admin/scheduling';
import { type CheckCompletion, type ClaimedCheck, StorageLocked, StorageUnavailable } from '@access-admin/store';
import { expect, test } from 'vitest';
import { CHECK_TOO_LONG, CHECK_WORK_MS_MAX } from './bounds.ts';
import { createConcludeJob } from './conclude.ts';
import { type CheckJob, holdCheck } from './held-check.ts';
import { RESULTS_LENGTH_MAX } from './results.ts';

const claimOf = (tenant: string, requestId: string, includes: readonly SodInclude[] = []): ClaimedCheck => ({
  tenant,
  requestId,
  created: '2026-03-01T12:00:00.000Z',
  identityId: 'i',
  accessRefs: [],
  origin: null,
  clientMetadata: null,
  includes,
  fence: 1,
  attempts: 1,
});

const LARGE = JSON.stringify('x'.repeat(RESULTS_LENGTH_MAX / 2));

/** Runs jobs whose checks take pieces of a millisecond each, as many as `piecesOf` says. */
function open(
  piecesOf: (requestId: string) => number,
  {
    result = '{}',
    read = async (_: string) => {},
    beforeStore = (_: CheckJob) => {},
    fault = (): Error | null => null,
  } = {},
) {
  const clock = { ms: 0 };
  const stored: CheckCompletion[] = [];
  const groups: number[] = [];
  const ended: string[] = [];
  let job: CheckJob | null = null;
  let underway = 0;
  let most = 0;
  const { yieldIfDue } = createScheduler({ elapsed: () => clock.ms, dueAfterMs: 5 });
  const run = createConcludeJob({
    busyMs: () => clock.ms,
    now: () => clock.ms,
    yieldIfDue: () => {
      const error = fault();
      return error === null ? yieldIfDue() : Promise.reject(error);
    },
    random: () => 1,
    wait: async () => void (await setImmediate()),
    queue: {
      complete: async (completions) => {
        groups.push(completions.length);
        if (job !== null) beforeStore(job);
        stored.push(...completions);
        return completions.length;
      },
      release: async () => {},
    },
    log: { debug: () => {}, error: () => {} },
    memory: createSemaphore({ capacity: RESULTS_LENGTH_MAX, elapsed: () => clock.ms }),
    onVerdict: () => {},
    onLost: () => {},
    longChecks: createSemaphore({ capacity: LONG_CHECKS_MAX, tenantMax: 1, elapsed: () => clock.ms }),
    runCheck: async ({ requestId, includes }, pause) => {
      underway += includes.length;
      most = Math.max(most, underway);
      try {
        await read(requestId);
        for (let piece = 0; piece < piecesOf(requestId); piece++) {
          clock.ms += 1;
          await pause();
        }
        return { state: 'SUCCESS', result, verdict: null };
      } finally {
        underway -= includes.length;
      }
    },
  });
  const start = (claims: readonly ClaimedCheck[]) => {
    const checks = claims.map((claim) => holdCheck(claim, 0, () => void ended.push(claim.requestId)));
    job = { tenant: claims[0]?.tenant ?? '', checks };
    return run(job, { signal: new AbortController().signal, endAlone: () => {} });
  };
  return { start, stored, groups, ended, clock, most: () => most };
}

test('a check that exceeds its time ends at once with an error of its own, and its work is ended', async () => {
  const { start, stored, clock } = open((id) => (id === 'endless' ? Number.POSITIVE_INFINITY : 1));
  await start([claimOf('a', 'endless'), claimOf('a', 'after')]);
  expect(stored.map(({ requestId, state }) => [requestId, state])).toEqual([
    ['endless', 'ERROR'],
    ['after', 'SUCCESS'],
  ]);
  expect(stored[0]?.result).toContain(CHECK_TOO_LONG);
  expect(clock.ms).toBeLessThanOrEqual(CHECK_WORK_MS_MAX + 10);
});

test('few checks with include are under way at a time, and others need not wait for them', async () => {
  const { start, ended, most } = open((id) => (id === 'other' ? 20 : 100));
  const tenants = ['a', 'b', 'c', 'd', 'e', 'f'];
  const jobs = tenants.map((tenant) => [claimOf(tenant, tenant, ['via'])]);
  await Promise.all([...jobs, [claimOf('g', 'other')]].map(start));
  expect(most()).toBe(LONG_CHECKS_MAX);
  expect(ended[0]).toBe('other');
  expect(ended.toSorted()).toEqual([...tenants, 'other']);
});

test('a result is stored while the next check waits for the storage', async () => {
  const storedAtRead: number[] = [];
  const read = async (requestId: string) => {
    if (requestId !== 'slow') return;
    for (let turns = 0; turns < 20; turns++) await setImmediate();
    storedAtRead.push(stored.length);
  };
  const { start, stored } = open(() => 1, { read });
  await start([claimOf('a', 'r-1'), claimOf('a', 'slow')]);
  expect([storedAtRead, stored.length]).toEqual([[1], 2]);
});

test('large results of checks that are lost while the storage is away give their memory back', async () => {
  let isAway = true;
  const beforeStore = ({ checks }: CheckJob) => {
    if (!isAway) return;
    for (const check of checks) check.end('lost');
    throw new StorageUnavailable('away');
  };
  const { start, stored } = open(() => 1, { result: LARGE, beforeStore });
  for (const id of ['r-1', 'r-2', 'r-3']) await start([claimOf('a', id)]);
  isAway = false;
  await start([claimOf('a', 'r-4')]);
  expect(stored.map(({ requestId }) => requestId)).toEqual(['r-4']);
});

test.each([
  ['are stored together again after another transaction has locked them', new StorageLocked('locked'), [3, 3]],
  [
    'are stored one by one after the storage was away, as one of them may be the reason',
    new StorageUnavailable('away'),
    [3, 1, 1, 1],
  ],
])('results %s', async (_, error, expected) => {
  const failures: Error[] = [error];
  const beforeStore = () => {
    const failure = failures.pop();
    if (failure !== undefined) throw failure;
  };
  const { start, groups } = open(() => 1, { beforeStore });
  await start(['r-1', 'r-2', 'r-3'].map((id) => claimOf('a', id)));
  expect(groups).toEqual(expected);
});

test('a job that fails stores what it has concluded, and holds none of its checks any longer', async () => {
  // Before the first check, within it, and before the second.
  const faults = [null, null, new Error('a bug')];
  const { start, stored, ended } = open(() => 1, { fault: () => faults.shift() ?? null });
  await expect(start([claimOf('a', 'r-1'), claimOf('a', 'r-2')])).rejects.toThrow('a bug');
  expect(stored.map(({ requestId }) => requestId)).toEqual(['r-1']);
  expect(ended).toEqual(['r-1', 'r-2']);
});
