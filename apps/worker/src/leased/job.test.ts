import { StorageUnavailable, TenantRemoved } from '@access-admin/store';
import type { EndedJob } from '@access-admin/telemetry';
import { expect, test } from 'vitest';
import { createLeasedJob, type LeasedJob } from './job.ts';
import { LeaseLost, WorkStopped } from './pause.ts';

interface Claim {
  readonly tenant: string;
  readonly id: string;
  readonly attempts: number;
}

const NOW_MS = Date.parse('2026-03-01T12:00:00.000Z');
const claimOf = (fields: Partial<Claim> = {}): Claim => ({ tenant: 'acme', id: 'j-1', attempts: 1, ...fields });

interface Options extends Partial<LeasedJob<Claim>> {
  /** Whether a job fails for good. */
  readonly isCounted?: boolean;
}

/** Jobs that end as `run` says, over leases that record their calls. */
function open(run: LeasedJob<Claim>['run'], { isCounted = false, ...overrides }: Options = {}) {
  const asked: unknown[] = [];
  const released: unknown[] = [];
  const failed: string[] = [];
  const ended: EndedJob[] = [];
  const logged: string[] = [];
  const pending: Claim[] = [];
  const job: LeasedJob<Claim> = {
    kind: 'load',
    leases: {
      claim: async ({ limit, tenantMax, held }) => {
        asked.push({ limit, tenantMax, held: Object.fromEntries(held ?? []) });
        return pending.splice(0, limit);
      },
      renew: async (claims) => claims,
      release: async (_, release) => void released.push(release),
    },
    atOnceMax: () => 3,
    idsOf: ({ id }) => ({ id }),
    attemptOf: ({ attempts }) => attempts,
    run,
    ...(isCounted && { fail: async (_: Claim, message: string) => void failed.push(message) }),
    ...overrides,
  };
  const work = createLeasedJob(job, {
    log: { error: (_fields: unknown, message?: string) => void logged.push(message ?? '') },
    leaseMs: 30_000,
    onJobEnd: (end) => ended.push(end),
    now: () => NOW_MS,
    busyMs: () => 0,
    yieldIfDue: () => undefined,
  });
  const end = async (claim: Claim, signal = new AbortController().signal) => {
    await work.run(claim, { signal, endAlone: () => {} });
    return ended.at(-1)?.outcome;
  };
  return { work, end, pending, asked, released, failed, ended, logged };
}

const rejecting = (error: Error) => async () => {
  throw error;
};

test('jobs are claimed while there is room, with what is held of each tenant', async () => {
  const { work, end, pending, asked } = open(async () => 'success', { tenantMax: 2 });
  pending.push(claimOf(), claimOf({ id: 'j-2' }));
  const [first] = await work.claim();
  pending.push(claimOf({ tenant: 'globex', id: 'j-3' }));
  await work.claim();
  expect(await work.claim()).toEqual([]);
  if (first !== undefined) await end(first);
  await work.claim();
  expect(asked).toEqual([
    { limit: 3, tenantMax: 2, held: {} },
    { limit: 1, tenantMax: 2, held: { acme: 2 } },
    { limit: 1, tenantMax: 2, held: { acme: 1, globex: 1 } },
  ]);
});

test('the end of a job is told with its ids, its attempt and how long it waited', async () => {
  const { end, ended } = open(
    async (_, { note }) => {
      note({ events: 1 });
      note({ events: 2 });
      return 'success';
    },
    { sinceOf: () => '2026-03-01T11:59:58.000Z' },
  );
  await end(claimOf({ attempts: 2 }));
  expect(ended).toEqual([
    {
      kind: 'load',
      tenant: 'acme',
      ids: { id: 'j-1', events: 2 },
      startedMs: NOW_MS,
      waitedMs: 2_000,
      workedMs: 0,
      attempt: 2,
      outcome: 'success',
      traceparent: null,
    },
  ]);
});

test('a job without an end is tried for ever, after five seconds each', async () => {
  const { end, work, released, logged } = open(rejecting(new Error('away')));
  const claim = claimOf({ attempts: 9 });
  expect(await end(claim)).toBe('retry');
  expect(released).toEqual([{ availableAtMs: NOW_MS + 5_000, isAttempt: false }]);
  expect(logged).toEqual(['a load failed']);
  expect(work.isAlone?.(claim)).toBe(false);
});

test('a job with an end is tried five times, later from attempt to attempt, alone from the third on', async () => {
  const { end, work, released, failed } = open(rejecting(new Error('a bug')), { isCounted: true });
  const outcomes: unknown[] = [];
  for (const attempts of [1, 2, 3, 4, 5]) outcomes.push(await end(claimOf({ attempts })));
  expect(outcomes).toEqual(['retry', 'retry', 'retry', 'retry', 'error']);
  expect(released).toEqual([1, 2, 4, 8].map((s) => ({ availableAtMs: NOW_MS + s * 1_000, isAttempt: true })));
  expect([2, 3].map((attempts) => work.isAlone?.(claimOf({ attempts })))).toEqual([false, true]);
  expect(failed).toEqual(['The load failed 5 times.']);
});

test('a storage that is away counts as no attempt', async () => {
  const { end, released } = open(rejecting(new StorageUnavailable('away')), { isCounted: true });
  expect(await end(claimOf({ attempts: 5 }))).toBe('retry');
  expect(released).toEqual([{ availableAtMs: NOW_MS + 5_000, isAttempt: false }]);
});

test('a job whose worker died in the last attempt is failed without another one', async () => {
  const { end, failed } = open(rejecting(new Error('has run')), { isCounted: true });
  expect(await end(claimOf({ attempts: 6 }))).toBe('error');
  expect(failed).toEqual(['The load failed 5 times.']);
});

test.each([
  ['the lease is lost', new LeaseLost(), undefined],
  ['another worker has it', new Error('no row'), 'lost'],
  ['its tenant is removed', new TenantRemoved('acme'), undefined],
])('a job is left as it is when %s', async (_, error, reason) => {
  const { end, released, logged } = open(rejecting(error));
  const ending = new AbortController();
  if (reason !== undefined) ending.abort(reason);
  expect(await end(claimOf(), ending.signal)).toBe('lost');
  expect([released, logged]).toEqual([[], []]);
});

test('a job that ends with the process is given back at once', async () => {
  const { end, released, logged } = open(rejecting(new WorkStopped()));
  expect(await end(claimOf())).toBe('stopped');
  expect(released).toEqual([{ availableAtMs: 0, isAttempt: false }]);
  expect(logged).toEqual([]);
});

test('a job that cannot be given back is left until its lease ends', async () => {
  const leases = { claim: async () => [], renew: async () => [], release: rejecting(new Error('away')) };
  const { end, logged } = open(rejecting(new Error('a bug')), { leases });
  expect(await end(claimOf())).toBe('retry');
  expect(logged).toEqual(['a load failed', 'a load is left until its lease ends']);
});
