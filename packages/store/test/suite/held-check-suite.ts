import { describe, expect, test } from 'vitest';
import type { CheckQueue, ClaimedCheck } from '../../src/index.ts';
import { newCheck } from '../new-check.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';

const MANY = 100_000;
const LEASE_MS = 1_000;
const TENANTS = 1_100;

type Claim = Partial<Parameters<CheckQueue['claim']>[0]>;

const claim = (checks: CheckQueue, nowMs: number, request: Claim = {}) =>
  checks.claim({ nowMs, leaseMs: LEASE_MS, limit: 100, ...request });

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

const completionOf = ({ tenant, requestId, created: accepted, fence }: ClaimedCheck) => {
  const claimed = { tenant, requestId, created: accepted, fence };
  return { ...claimed, completed: created(9), result: '{}', state: 'SUCCESS' as const };
};

export function describeHeldChecks(engine: StoreEngine): void {
  describe('checks that a worker holds', () => {
    test('a claim takes no more of a tenant than the worker may hold of it, and leaves its places to others', async () => {
      await using database = await openDatabase(engine);
      const { checks } = database.store;
      await enqueue(checks, 'a', ['a-0', 'a-1', 'a-2', 'a-3', 'a-4', 'a-5']);
      await enqueue(checks, 'b', ['b-0', 'b-1', 'b-2', 'b-3']);
      // A name that is a property of every object.
      await enqueue(checks, 'constructor', ['c-0']);
      const held = new Map([
        ['a', 3],
        ['b', 1],
      ]);
      const claimed = await claim(checks, 0, { limit: 8, tenantMax: 4, held });
      expect(ids(claimed).toSorted()).toEqual(['a-0', 'b-0', 'b-1', 'b-2', 'c-0']);
      expect(ids(await claim(checks, 0, { tenantMax: 4, held: new Map([['a', 4]]) }))).toEqual(['b-3']);
      expect(ids(await claim(checks, 0, { tenantMax: 2 }))).toEqual(['a-1', 'a-2']);
    });

    test('checks of one instant are claimed in order of their request ids, in whatever order they were stored', async () => {
      await using database = await openDatabase(engine);
      const { checks } = database.store;
      const names = Array.from({ length: 30 }, (_, at) => `r-${String((at * 7) % 30).padStart(2, '0')}`);
      for (const name of names) await checks.enqueue(newCheck(name, { tenant: 'a', created: created(0) }), MANY);
      expect(ids(await claim(checks, 0))).toEqual(names.toSorted());
    });

    test('a check that was claimed twice without an end is claimed alone, as often as its lease ends', async () => {
      await using database = await openDatabase(engine);
      const { checks } = database.store;
      await enqueue(checks, 'a', ['a-0', 'a-1']);
      await enqueue(checks, 'b', ['b-0']);
      const attemptsOf = (claimed: readonly ClaimedCheck[]) =>
        claimed.map(({ requestId, attempts }) => `${requestId} ${attempts}`);
      expect(attemptsOf(await claim(checks, 0))).toEqual(['a-0 1', 'b-0 1', 'a-1 1']);
      expect(attemptsOf(await claim(checks, LEASE_MS))).toEqual(['a-0 2', 'b-0 2', 'a-1 2']);
      await enqueue(checks, 'c', ['c-0']);
      expect(attemptsOf(await claim(checks, 2 * LEASE_MS))).toEqual(['c-0 1']);
      const held = new Map([['c', 1]]);
      expect(await claim(checks, 2 * LEASE_MS, { held })).toEqual([]);
      const alone = await claim(checks, 2 * LEASE_MS);
      expect(alone).toMatchObject([{ attempts: 3 }]);
      expect(await checks.complete(alone.map(completionOf))).toBe(1);
      const later = [];
      for (let turn = 0; turn < 3; turn++) later.push(attemptsOf(await claim(checks, 2 * LEASE_MS)));
      expect([...alone.map(({ requestId }) => `${requestId} 3`), ...later.slice(0, 2).flat()].toSorted()).toEqual([
        'a-0 3',
        'a-1 3',
        'b-0 3',
      ]);
      expect(later[2]).toEqual([]);
    });

    test('of checks that are claimed alone, one has its turn after each twenty others that have ended', async () => {
      await using database = await openDatabase(engine);
      const { checks } = database.store;
      await enqueue(checks, 'crashing', ['x-0', 'x-1', 'x-2']);
      for (const nowMs of [0, LEASE_MS]) expect(await claim(checks, nowMs)).toHaveLength(3);
      const others = Array.from({ length: 60 }, (_, at) => newCheck(`a-${at}`, { tenant: 'a', created: created(0) }));
      await Promise.all(others.map((check) => checks.enqueue(check, MANY)));
      const turns: string[] = [];
      for (let claimed = await claim(checks, 2 * LEASE_MS, { limit: 10 }); claimed.length > 0; ) {
        const { tenant } = first(claimed);
        turns.push(`${tenant} ${claimed.length}`);
        // Checks that are still held have not ended.
        const request = { limit: 10, tenantMax: 10, held: new Map([[tenant, claimed.length]]) };
        if (tenant === 'a') expect(await claim(checks, 2 * LEASE_MS, request)).toEqual([]);
        await checks.complete(claimed.map(completionOf));
        claimed = await claim(checks, 2 * LEASE_MS, { limit: 10 });
      }
      const twenty = ['a 10', 'a 10'];
      expect(turns).toEqual([...twenty, 'crashing 1', ...twenty, 'crashing 1', ...twenty, 'crashing 1']);
    });

    test('a check that is claimed alone waits for a minute at most for others that do not end', async () => {
      await using database = await openDatabase(engine);
      const { checks } = database.store;
      await enqueue(checks, 'crashing', ['x-0']);
      for (const nowMs of [0, LEASE_MS]) expect(await claim(checks, nowMs)).toHaveLength(1);
      await enqueue(checks, 'a', ['a-0', 'a-1']);
      expect(ids(await claim(checks, 2 * LEASE_MS, { limit: 1 }))).toEqual(['a-0']);
      const request = { limit: 1, tenantMax: 2, held: new Map([['a', 1]]) };
      expect(ids(await claim(checks, 59_999, request))).toEqual(['a-0']);
      expect(ids(await claim(checks, 60_000, request))).toEqual(['x-0']);
      expect(ids(await claim(checks, 60_000, request))).toEqual(['a-1']);
    });

    test('of more waiting tenants than are looked at in one claim, each has its turn', async () => {
      await using database = await openDatabase(engine);
      const { checks } = database.store;
      const names = Array.from({ length: TENANTS }, (_, at) => `t-${at}`);
      // More at once would wait longer for a connection than a pool lets them.
      for (let from = 0; from < TENANTS; from += 100) {
        const some = names.slice(from, from + 100);
        const each = some.flatMap((tenant) => ['r-0', 'r-1'].map((id) => newCheck(id, { tenant })));
        await Promise.all(each.map((check) => checks.enqueue(check, MANY)));
      }
      const served = new Set<string>();
      for (let count = 0; count < TENANTS; ) {
        const claimed = await claim(checks, 0);
        count += claimed.length;
        for (const { tenant } of claimed) served.add(tenant);
      }
      expect(served.size).toBe(TENANTS);
    });

    test('a renewed lease ends later, and only the latest claim of a check can renew', async () => {
      await using database = await openDatabase(engine);
      const { checks } = database.store;
      await enqueue(checks, 'a', ['r-1', 'r-2', 'r-3']);
      const [renewed, lapsed, done] = await claim(checks, 0);
      if (renewed === undefined || lapsed === undefined || done === undefined) throw new Error('too few');
      expect(await checks.renew([renewed], 1_500)).toEqual([renewed]);
      expect(ids(await claim(checks, 1_499, { limit: 1 }))).toEqual(['r-2']);
      expect(await checks.complete([completionOf(done)])).toBe(1);
      const elsewhere = { ...renewed, tenant: 'b' };
      expect(await checks.renew([lapsed, elsewhere, renewed, done], 3_000)).toEqual([renewed]);
      expect(await claim(checks, 2_999)).toMatchObject([{ requestId: 'r-2', fence: 3 }]);
      expect(await claim(checks, 3_000)).toMatchObject([{ requestId: 'r-1', fence: 2, attempts: 2 }]);
      expect(await checks.renew([], 9_000)).toEqual([]);
    });

    test('a released check keeps its place, its attempt counts where it should, and its claim has no effect any more', async () => {
      await using database = await openDatabase(engine);
      const { checks } = database.store;
      await enqueue(checks, 'a', ['r-1', 'r-2', 'r-3']);
      const held = await claim(checks, 0, { limit: 2 });
      const stopped = { availableAtMs: 0, isAttempt: false };
      await checks.release(held, stopped);
      expect(await checks.renew(held, 9_000)).toEqual([]);
      await checks.release(held, stopped);
      const again = await claim(checks, 0, { limit: 1 });
      expect(again).toEqual([{ ...first(held), fence: 3, attempts: 1 }]);
      expect(ids(await claim(checks, 0))).toEqual(['r-2', 'r-3']);
      await checks.release(again, { availableAtMs: 500, isAttempt: true });
      expect(await claim(checks, 499)).toEqual([]);
      expect(await claim(checks, 500)).toMatchObject([{ requestId: 'r-1', attempts: 2 }]);
      await checks.release([], stopped);
    });

    test('of a claim that a later one has replaced, nothing has an effect', async () => {
      await using database = await openDatabase(engine);
      const { checks } = database.store;
      await enqueue(checks, 'a', ['r-1']);
      const lost = await claim(checks, 0);
      const later = await claim(checks, LEASE_MS);
      await checks.release(lost, { availableAtMs: 0, isAttempt: false });
      expect(await checks.complete(lost.map(completionOf))).toBe(0);
      expect(await checks.renew(later, 2 * LEASE_MS)).toEqual(later);
      expect(await checks.complete(later.map(completionOf))).toBe(1);
    });
  });
}
