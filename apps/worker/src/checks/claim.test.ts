import type { ClaimedCheck } from '@access-admin/store';
import { expect, test } from 'vitest';
import { createCheckClaims } from './claim.ts';
import type { CheckJob } from './held.ts';
import { createTrials } from './trials.ts';

const claimOf = (requestId: string, attempts: number, tenant = 'a'): ClaimedCheck => ({
  tenant,
  requestId,
  created: '2026-03-01T12:00:00.000Z',
  identityId: 'i',
  accessRefs: [],
  origin: null,
  clientMetadata: null,
  includes: [],
  fence: 1,
  attempts,
});

/** Claims of a queue with interrupted and new checks. Each claim of new ones takes one, or as many as there are in `batch`. */
function open(interrupted: string[], fresh: string[], batch = 1) {
  const clock = { ms: 0 };
  const limits: number[] = [];
  const tenantLimits: ReadonlyMap<string, number>[] = [];
  const locked = new Set<string>();
  const failure = { ofNew: null as Error | null, ofTenant: null as Error | null };
  const logged: unknown[] = [];
  const claims = createCheckClaims({
    queue: {
      claim: async (request) => {
        if (failure.ofTenant !== null) request.onFailure?.('b', failure.ofTenant);
        if (request.attemptsMin === 1) return interrupted.splice(0, 1).map((id) => claimOf(id, 2));
        if (failure.ofNew !== null) throw failure.ofNew;
        limits.push(request.limit);
        tenantLimits.push(request.tenantLimits ?? new Map());
        // Of the limits, only that of this tenant is kept.
        if (fresh[0]?.startsWith('heavy') === true && request.tenantLimits?.get('heavy') === 0) return [];
        return fresh.splice(0, Math.min(batch, request.limit)).map((id) => claimOf(id, 1, id.split('-')[0]));
      },
      nextClaimableAtMs: async () => (fresh.length > 0 ? 0 : interrupted.length > 0 ? clock.ms : null),
    },
    onEnd: () => {},
    trials: createTrials(),
    lockedTenants: () => locked,
    leaseMs: 5_000,
    now: () => clock.ms,
    random: () => 0.5,
    log: { error: (...line: readonly unknown[]) => void logged.push(line) },
  });
  const claimed: CheckJob[] = [];
  const claim = async () => {
    const jobs = await claims.claim();
    claimed.push(...jobs);
    return jobs.map(({ checks }) => checks.map((check) => check.claim.requestId));
  };
  return { claims, claim, claimed, clock, limits, tenantLimits, locked, failure, logged };
}

test('an interrupted check is claimed alone, and the next one when it is no longer tried', async () => {
  const { claim, claimed } = open(['i-1', 'i-2'], []);
  expect(await claim()).toEqual([['i-1']]);
  expect(await claim()).toEqual([]);
  claimed[0]?.trial?.end();
  expect(await claim()).toEqual([['i-2']]);
});

test('an interrupted check that is claimed is tried although new ones cannot be claimed', async () => {
  const { claim, claimed, failure } = open(['i-1', 'i-2'], ['new']);
  failure.ofNew = new Error('away');
  expect(await claim()).toEqual([['i-1']]);
  claimed[0]?.trial?.end();
  expect(await claim()).toEqual([['i-2']]);
  claimed[1]?.trial?.end();
  await expect(claim()).rejects.toThrow('away');
});

test('a tenant whose checks cannot be claimed is named in the log, whichever checks are claimed', async () => {
  const { claim, clock, failure, logged } = open(['i-1'], ['new']);
  const err = new Error('wrong');
  failure.ofTenant = err;
  expect(await claim()).toEqual([['i-1']]);
  clock.ms += 30;
  expect(await claim()).toEqual([['new']]);
  const line = [{ err, tenant: 'b' }, 'the checks of a tenant cannot be claimed'];
  expect(logged).toEqual([line, line]);
});

test('new checks are claimed from time to time while there are interrupted ones', async () => {
  const { claim, claimed, clock } = open(
    Array.from({ length: 10 }, (_, at) => `i-${at}`),
    ['new'],
  );
  const order: unknown[] = [];
  for (let count = 0; count < 5; count++) {
    order.push(...(await claim()).flat());
    claimed.at(-1)?.trial?.end();
    claimed.at(-2)?.trial?.end();
    clock.ms += 10;
  }
  expect(order).toEqual(['i-0', 'i-1', 'i-2', 'i-3', 'new', 'i-4']);
});

test('new checks are grouped by tenant, and at most 200 are held until they are concluded', async () => {
  const fresh = Array.from({ length: 300 }, (_, at) => `${'ab'[at % 2]}-${at}`);
  const { claim, claims, claimed, limits } = open([], fresh, 100);
  expect((await claim()).map((ids) => ids.length)).toEqual([50, 50]);
  await claim();
  expect(await claim()).toEqual([]);
  expect(limits).toEqual([100, 100]);
  for (const check of claimed[0]?.checks.slice(0, 7) ?? []) check.isOpen = false;
  await claim();
  for (const job of claimed) claims.release(job);
  await claim();
  expect(limits).toEqual([100, 100, 7, 100]);
});

test('a tenant that is ahead of another is claimed of at once when that one has nothing more', async () => {
  const { claim, claims, tenantLimits } = open([], ['heavy-1'], 1);
  claims.count('heavy', 1_000);
  claims.count('other', 1);
  expect(await claim()).toEqual([['heavy-1']]);
  expect(tenantLimits.map((limits) => limits.get('heavy'))).toEqual([0, 2]);
});

test('nothing new is claimed of a tenant whose results wait for a transaction that numbers events', async () => {
  const { claim, tenantLimits, locked } = open([], ['a-1']);
  locked.add('a');
  await claim();
  expect(tenantLimits[0]).toEqual(new Map([['a', 0]]));
});

test('interrupted checks are left to others for a while after another worker has taken one, new ones are not', async () => {
  const { claims, claim, claimed, clock } = open(['i-1', 'i-2'], []);
  await claim();
  claimed[0]?.trial?.end();
  claims.noteLost();
  expect(await claim()).toEqual([]);
  // Half of a quarter of the lease.
  expect(claims.idleMs()).toBe(625);
  clock.ms += 624;
  expect(await claim()).toEqual([]);
  expect(claims.idleMs()).toBe(1);
  clock.ms += 1;
  expect(await claim()).toEqual([['i-2']]);
});
