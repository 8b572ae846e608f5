import { describe, expect, test } from 'vitest';
import type { CheckQueue, ClaimedCheck } from '../../src/index.ts';
import { newCheck } from '../new-check.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';

const MANY = 100_000;
const LEASE_MS = 1_000;

type Claim = Partial<Parameters<CheckQueue['claim']>[0]>;

const claim = (checks: CheckQueue, nowMs: number, request: Claim = {}) =>
  checks.claim({ nowMs, leaseMs: LEASE_MS, limit: 100, attemptsMax: 5, ...request });

const ids = (claimed: readonly ClaimedCheck[]) => claimed.map(({ requestId }) => requestId);

const created = (second: number) => `2026-03-01T12:00:0${second}.000Z`;

async function enqueue(checks: CheckQueue, tenant: string, requestIds: readonly string[]): Promise<void> {
  for (const [at, id] of requestIds.entries())
    await checks.enqueue(newCheck(id, { tenant, created: created(at) }), MANY);
}

const first = (claimed: readonly ClaimedCheck[]): ClaimedCheck => {
  const [one] = claimed;
  if (one === undefined) throw new Error('Nothing was claimed.');
  return one;
};

export function describeHeldChecks(engine: StoreEngine): void {
  describe('checks that a worker holds', () => {
    test('a claim takes no more of a tenant than its limit, and leaves it out at 0', async () => {
      await using database = await openDatabase(engine);
      const { checks } = database.store;
      await enqueue(checks, 'big', ['b-0', 'b-1', 'b-2', 'b-3']);
      await enqueue(checks, 'small', ['s-0', 's-1']);
      // A name that is a property of every object.
      await enqueue(checks, 'constructor', ['c-0']);
      const limited = await claim(checks, 0, {
        tenantLimits: new Map([
          ['big', 1],
          ['small', 0],
          ['unknown', 3],
        ]),
      });
      expect(ids(limited).toSorted()).toEqual(['b-0', 'c-0']);
      expect(ids(await claim(checks, 0, { tenantLimits: new Map([['big', 0]]) }))).toEqual(['s-0', 's-1']);
      expect(await claim(checks, 0, { tenantLimits: new Map([['big', 0]]), attemptsMax: 1 })).toEqual([]);
      expect(ids(await claim(checks, 0, { limit: 2, tenantLimits: new Map([['big', 3]]) }))).toEqual(['b-1', 'b-2']);
    });

    test('a claim takes no more of each tenant without a limit of its own than the limit of others', async () => {
      await using database = await openDatabase(engine);
      const { checks } = database.store;
      for (const tenant of ['a', 'b', 'c'])
        await enqueue(
          checks,
          tenant,
          [0, 1, 2].map((at) => `${tenant}-${at}`),
        );
      const claimed = await claim(checks, 0, { tenantLimits: new Map([['a', 2]]), otherLimit: 1 });
      expect(ids(claimed).toSorted()).toEqual(['a-0', 'a-1', 'b-0', 'c-0']);
    });

    test('checks of one instant are claimed in order of their request ids, in whatever order they were stored', async () => {
      await using database = await openDatabase(engine);
      const { checks } = database.store;
      const names = Array.from({ length: 30 }, (_, at) => `r-${String((at * 7) % 30).padStart(2, '0')}`);
      for (const name of names) await checks.enqueue(newCheck(name, { tenant: 'a', created: created(0) }), MANY);
      expect(ids(await claim(checks, 0))).toEqual(names.toSorted());
    });

    test('a tenant without places takes no place of others, however many checks it has', async () => {
      await using database = await openDatabase(engine);
      const { checks } = database.store;
      await enqueue(checks, 'a', ['a-0', 'a-1', 'a-2', 'a-3', 'a-4', 'a-5']);
      await enqueue(checks, 'b', ['b-0', 'b-1', 'b-2', 'b-3']);
      const claimed = await claim(checks, 0, { limit: 4, tenantLimits: new Map([['a', 0]]), attemptsMax: 1 });
      expect(ids(claimed)).toEqual(['b-0', 'b-1', 'b-2', 'b-3']);
    });

    test('a claim can be limited to checks that were claimed before', async () => {
      await using database = await openDatabase(engine);
      const { checks } = database.store;
      await enqueue(checks, 'a', ['a-0', 'a-1']);
      await enqueue(checks, 'b', ['b-0']);
      expect(await claim(checks, 0, { attemptsMin: 1 })).toEqual([]);
      await claim(checks, 0, { tenantLimits: new Map([['a', 1]]) });
      expect(await claim(checks, LEASE_MS - 1, { attemptsMin: 1 })).toEqual([]);
      const again = await claim(checks, LEASE_MS, { attemptsMin: 1, limit: 1, tenantLimits: new Map([['a', 0]]) });
      expect(again).toMatchObject([{ requestId: 'b-0', attempts: 2 }]);
      expect(ids(await claim(checks, LEASE_MS, { attemptsMin: 1 }))).toEqual(['a-0']);
      expect(ids(await claim(checks, LEASE_MS))).toEqual(['a-1']);
    });

    test('a renewed lease ends later, and only the latest claim of a check can renew', async () => {
      await using database = await openDatabase(engine);
      const { checks } = database.store;
      await enqueue(checks, 'a', ['r-1', 'r-2', 'r-3']);
      const [renewed, lapsed, done] = await claim(checks, 0);
      if (renewed === undefined || lapsed === undefined || done === undefined) throw new Error('too few');
      expect(await checks.renew([renewed], 1_500)).toEqual([renewed]);
      expect(ids(await claim(checks, 1_499, { limit: 1 }))).toEqual(['r-2']);
      const { tenant, requestId, created: accepted, fence } = done;
      const result = '{}';
      const completion = { tenant, requestId, created: accepted, fence, completed: created(9), result };
      expect(await checks.complete([{ ...completion, state: 'SUCCESS' }])).toMatchObject({ effective: 1 });
      const elsewhere = { ...renewed, tenant: 'b' };
      expect(await checks.renew([lapsed, elsewhere, renewed, done], 3_000)).toEqual([renewed]);
      expect(await claim(checks, 2_999)).toMatchObject([{ requestId: 'r-2', fence: 3 }]);
      expect(await claim(checks, 3_000)).toMatchObject([{ requestId: 'r-1', fence: 2, attempts: 2 }]);
      expect(await checks.renew([], 9_000)).toEqual([]);
    });

    test('a check that is given back keeps its place and its attempts, and its claim has no effect any more', async () => {
      await using database = await openDatabase(engine);
      const { checks } = database.store;
      await enqueue(checks, 'a', ['r-1', 'r-2', 'r-3']);
      const held = await claim(checks, 0, { limit: 2 });
      await checks.giveBack(held);
      expect(await checks.nextClaimableAtMs()).toBe(0);
      expect(await checks.renew(held, 9_000)).toEqual([]);
      await checks.giveBack(held);
      const again = await claim(checks, 0, { limit: 1, attemptsMax: 1 });
      expect(again).toEqual([{ ...first(held), fence: 3, attempts: 1 }]);
      expect(ids(await claim(checks, 0, { attemptsMax: 1 }))).toEqual(['r-2', 'r-3']);
      const retried = first(await claim(checks, LEASE_MS, { limit: 1 }));
      expect(retried.attempts).toBe(2);
      await checks.giveBack([retried]);
      expect(await claim(checks, LEASE_MS, { limit: 1 })).toMatchObject([{ requestId: 'r-1', attempts: 2 }]);
      await checks.giveBack([]);
    });

    test('of a claim that a later one has replaced, the attempt alone is taken back', async () => {
      await using database = await openDatabase(engine);
      const { checks } = database.store;
      await enqueue(checks, 'a', ['r-1', 'r-2', 'r-3']);
      const lost = await claim(checks, 0);
      const later = await claim(checks, LEASE_MS);
      expect(later.map(({ attempts }) => attempts)).toEqual([2, 2, 2]);
      const { tenant, requestId, created: accepted, fence } = first(later);
      const completion = { tenant, requestId, created: accepted, fence, completed: created(9), result: '{}' };
      await checks.complete([{ ...completion, state: 'SUCCESS' }]);
      await checks.giveBack(lost);
      // The later claims are still held, and the result is not changed.
      expect(await checks.renew(later, 2 * LEASE_MS)).toEqual(later.slice(1));
      expect(await checks.find(tenant, requestId)).toMatchObject({ state: 'SUCCESS', result: '{}' });
      const last = await claim(checks, 2 * LEASE_MS);
      expect(last.map(({ requestId, attempts, fence }) => [requestId, attempts, fence])).toEqual([
        ['r-2', 2, 3],
        ['r-3', 2, 3],
      ]);
    });

    test('a worker that has lost two claims of one check takes back both attempts', async () => {
      await using database = await openDatabase(engine);
      const { checks } = database.store;
      await enqueue(checks, 'a', ['r-1']);
      const lost = [...(await claim(checks, 0)), ...(await claim(checks, LEASE_MS))];
      const [later] = await claim(checks, 2 * LEASE_MS);
      expect([lost.length, later?.attempts]).toEqual([2, 3]);
      await checks.giveBack(lost);
      expect(await claim(checks, 3 * LEASE_MS)).toMatchObject([{ requestId: 'r-1', attempts: 2 }]);
    });

    test('a check is claimed however often its lease ends in living workers, and five times if they die', async () => {
      await using database = await openDatabase(engine);
      const { checks } = database.store;
      await enqueue(checks, 'a', ['r-1']);
      let nowMs = 0;
      const claimNext = async () => {
        const claimed = await claim(checks, nowMs);
        nowMs += LEASE_MS;
        return claimed;
      };
      let lost = await claimNext();
      for (let times = 0; times < 9; times++) {
        const later = await claimNext();
        await checks.giveBack(lost);
        lost = later;
      }
      expect(lost).toMatchObject([{ requestId: 'r-1', attempts: 2 }]);
      const attempts: number[] = [];
      for (let left = await claimNext(); left.length > 0; left = await claimNext()) attempts.push(first(left).attempts);
      expect(attempts).toEqual([2, 3, 4, 5]);
      const exhausted = { nowMs, attemptsMax: 5, completed: created(9), message: 'The check failed 5 times.' };
      expect(await checks.failExhausted(exhausted)).toBe(1);
    });
  });
}
