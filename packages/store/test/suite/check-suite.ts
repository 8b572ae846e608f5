import type { SodCheckState } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import { SMALL_RESULT_BYTES } from '../../src/checks/check.ts';
import {
  type CheckCondition,
  type CheckQueue,
  type ClaimedCheck,
  LEASE_MS_MAX,
  type Position,
} from '../../src/index.ts';
import { NOW } from '../model-records.ts';
import { newCheck } from '../new-check.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';

const MANY = 100_000;
const LATER = '2026-03-01T12:00:01.000Z';

const claim = (checks: CheckQueue, nowMs: number, request: { readonly limit?: number } = {}) =>
  checks.claim({ nowMs, leaseMs: 1_000, limit: 100, ...request });

const ids = (claimed: readonly ClaimedCheck[]) => claimed.map(({ requestId }) => requestId);

const success = (
  check: Pick<ClaimedCheck, 'tenant' | 'requestId' | 'created' | 'fence'>,
  message: string | null = null,
) => ({
  tenant: check.tenant,
  requestId: check.requestId,
  created: check.created,
  fence: check.fence,
  state: 'SUCCESS' as const,
  completed: LATER,
  result: JSON.stringify({ message }),
});

export function describeChecks(engine: StoreEngine): void {
  describe('the check queue', () => {
    describeEnqueue(engine);
    describeClaim(engine);
    describeCompletion(engine);
    describeList(engine);
    describeRemoval(engine);
  });
}

function describeEnqueue(engine: StoreEngine): void {
  test('a check whose id exists is not changed, within a batch and across batches', async () => {
    await using database = await openDatabase(engine);
    const { checks } = database.store;
    const first = newCheck('r-1', { created: '2026-03-01T12:00:00.000Z' });
    const again = { ...first, created: '2026-03-01T12:00:01.000Z' };
    const together = await Promise.all([first, again, newCheck('r-2')].map((check) => checks.enqueue(check, MANY)));
    expect(together).toEqual(['stored', 'stored', 'stored']);
    expect(await checks.enqueue(again, MANY)).toBe('stored');
    expect((await checks.measureBacklog()).depth).toBe(2);
    expect(await checks.find('acme', 'r-1')).toMatchObject({ created: first.created });
    expect(await checks.enqueue({ ...first, tenant: 'other' }, MANY)).toBe('stored');
    expect((await checks.measureBacklog()).depth).toBe(3);
  });

  test('a stored check is pending, in its tenant only', async () => {
    await using database = await openDatabase(engine);
    const { checks } = database.store;
    expect(await checks.enqueue(newCheck('r-1'), MANY)).toBe('stored');
    expect(await checks.find('acme', 'r-1')).toEqual({
      requestId: 'r-1',
      created: NOW,
      state: 'PENDING',
      completed: null,
      resultBytes: 0,
      result: null,
    });
    expect(await checks.find('other', 'r-1')).toBeNull();
    expect(await checks.find('acme', 'r-2')).toBeNull();
  });

  test('the request of a check is as it was enqueued, in its tenant only', async () => {
    await using database = await openDatabase(engine);
    const { checks } = database.store;
    const question = {
      identityId: 'i-2',
      accessRefs: [{ type: 'ROLE' as const, id: 'r', start: NOW }],
      clientMetadata: { a: 'b' },
      at: '2026-03-02T12:00:00.000Z',
    };
    await Promise.all([newCheck('r-1', question), newCheck('r-2')].map((check) => checks.enqueue(check, MANY)));
    expect(await checks.findRequest('acme', 'r-1')).toEqual(question);
    expect(await checks.findRequest('acme', 'r-2')).toEqual({
      identityId: 'i-1',
      accessRefs: [],
      clientMetadata: null,
    });
    expect(await checks.findRequest('other', 'r-1')).toBeNull();
  });

  test('a claimed check is as it was enqueued, with any keys of its metadata', async () => {
    await using database = await openDatabase(engine);
    const { checks } = database.store;
    const clientMetadata = JSON.parse('{"__proto__":"a","constructor":"b","toString":"c","":"d","é":"\\u2028"}');
    const given = newCheck('r-1', {
      clientMetadata,
      accessRefs: [
        { type: 'ROLE', id: 'r' },
        { type: 'ROLE', id: 'r' },
        { type: 'ENTITLEMENT', id: 'e' },
      ],
    });
    await checks.enqueue(given, MANY);
    const [claimed] = await claim(checks, 0);
    expect(claimed).toEqual({ ...given, includes: [], origin: null, fence: 1, attempts: 1 });
    expect(Object.keys(claimed?.clientMetadata ?? {})).toEqual(Object.keys(clientMetadata));
    if (claimed === undefined) throw new Error('Nothing was claimed.');
  });

  test('a claimed check has its includes, also when it is claimed again', async () => {
    await using database = await openDatabase(engine);
    const { checks } = database.store;
    const given = [newCheck('r-1', { includes: ['via'] }), newCheck('r-2', { includes: [] }), newCheck('r-3')];
    await Promise.all(given.map((check) => checks.enqueue(check, MANY)));
    const includes = (claimed: readonly ClaimedCheck[]) =>
      Object.fromEntries(claimed.map((check) => [check.requestId, check.includes]));
    const expected = { 'r-1': ['via'], 'r-2': [], 'r-3': [] };
    expect(includes(await claim(checks, 0))).toEqual(expected);
    expect(includes(await claim(checks, 1_000))).toEqual(expected);
  });

  test('a claimed check has its windows and its instant, also when it is claimed again', async () => {
    await using database = await openDatabase(engine);
    const { checks } = database.store;
    const start = '2026-01-01T00:00:00.000Z';
    const end = '2027-01-01T00:00:00.000Z';
    const held = { type: 'ROLE', id: 'r' } as const;
    const accessRefs = [held, { ...held, start }, { ...held, end }, { ...held, start, end }];
    const given = [newCheck('r-1', { accessRefs, at: end }), newCheck('r-2', { at: null }), newCheck('r-3')];
    await Promise.all(given.map((check) => checks.enqueue(check, MANY)));
    const asked = (claimed: readonly ClaimedCheck[]) =>
      Object.fromEntries(claimed.map((check) => [check.requestId, [check.accessRefs, check.at]]));
    const [, { accessRefs: plain = [] } = {}] = given;
    const expected = { 'r-1': [accessRefs, end], 'r-2': [plain, undefined], 'r-3': [plain, undefined] };
    expect(asked(await claim(checks, 0))).toEqual(expected);
    expect(asked(await claim(checks, 1_000))).toEqual(expected);
  });

  test('the backlog is counted by tenant, also within one commit, and done checks do not count', async () => {
    await using database = await openDatabase(engine);
    const { checks } = database.store;
    const enqueueAll = (tenant: string, prefix: string, count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, number) => checks.enqueue(newCheck(`${prefix}-${number}`, { tenant }), 3)),
      );
    const [mine, others] = await Promise.all([enqueueAll('acme', 'a', 5), enqueueAll('other', 'b', 2)]);
    expect(mine).toEqual(['stored', 'stored', 'stored', 'backlogFull', 'backlogFull']);
    expect(others).toEqual(['stored', 'stored']);
    expect(await checks.find('acme', 'a-4')).toBeNull();
    expect(await checks.enqueue(newCheck('a-5'), 3)).toBe('backlogFull');
    expect(await checks.enqueue(newCheck('a-6'), 4)).toBe('stored');
    expect((await checks.measureBacklog()).depth).toBe(6);
    const claimed = await claim(checks, 0, { limit: 2 });
    expect(await checks.enqueue(newCheck('a-7'), 4)).toBe('backlogFull');
    expect(await checks.complete(claimed.map((check) => success(check)))).toBe(2);
    expect(await checks.enqueue(newCheck('a-7'), 4)).toBe('stored');
  });

  test('calls with different limits in one commit each follow their own limit', async () => {
    await using database = await openDatabase(engine);
    const { checks } = database.store;
    const outcomes = await Promise.all([1, 5, 1, 2].map((max, number) => checks.enqueue(newCheck(`r-${number}`), max)));
    expect(outcomes).toEqual(['stored', 'stored', 'backlogFull', 'backlogFull']);
  });

  test('a failed commit fails every call that shared it, and no later call', async () => {
    await using database = await openDatabase(engine);
    const { checks } = database.store;
    // The database refuses this text; no caller can send it.
    const bad = newCheck('bad', { identityId: null as never });
    const together = [newCheck('r-1'), bad, newCheck('r-2')].map((check) => checks.enqueue(check, MANY));
    const outcomes = await Promise.allSettled(together);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await checks.find('acme', 'r-1')).toBeNull();
    expect(await checks.enqueue(newCheck('r-1'), MANY)).toBe('stored');
  });

  test('goes on while resolved calls cause further calls', async () => {
    await using database = await openDatabase(engine);
    const { checks } = database.store;
    const chain = async (name: string) => {
      for (let number = 0; number < 50; number++) await checks.enqueue(newCheck(`${name}-${number}`), MANY);
    };
    await Promise.all(['a', 'b', 'c'].map(chain));
    expect((await checks.measureBacklog()).depth).toBe(150);
  });
}

function describeClaim(engine: StoreEngine): void {
  test('takes the oldest of a tenant first, up to the limit', async () => {
    await using database = await openDatabase(engine);
    const { checks } = database.store;
    const created = (second: number) => `2026-03-01T12:00:0${second}.000Z`;
    await checks.enqueue(newCheck('third', { created: created(3) }), MANY);
    await checks.enqueue(newCheck('other', { created: created(1), tenant: 'other' }), MANY);
    await checks.enqueue(newCheck('second', { created: created(2) }), MANY);
    expect(ids(await claim(checks, 0, { limit: 2 }))).toEqual(['other', 'second']);
    expect(ids(await claim(checks, 0))).toEqual(['third']);
    expect(await claim(checks, 0)).toEqual([]);
  });

  test('gives every waiting tenant an equal share, also when one has a long backlog', async () => {
    await using database = await openDatabase(engine);
    const { checks } = database.store;
    const created = (second: number) => new Date(Date.parse(NOW) + second * 1_000).toISOString();
    const enqueue = (tenant: string, count: number, fromSecond: number) =>
      Promise.all(
        Array.from({ length: count }, (_, number) =>
          checks.enqueue(newCheck(`${tenant}-${number}`, { tenant, created: created(fromSecond + number) }), MANY),
        ),
      );
    await enqueue('big', 500, 0);
    await enqueue('small', 3, 1_000);
    await enqueue('tiny', 1, 2_000);
    const tenantsOf = (claimed: readonly ClaimedCheck[]) => {
      const counts: Record<string, number> = {};
      for (const { tenant } of claimed) counts[tenant] = (counts[tenant] ?? 0) + 1;
      return counts;
    };
    const first = await claim(checks, 0, { limit: 7 });
    expect(tenantsOf(first)).toEqual({ big: 3, small: 3, tiny: 1 });
    expect(ids(first).slice(0, 3)).toEqual(['big-0', 'big-1', 'big-2']);
    expect(tenantsOf(await claim(checks, 0, { limit: 9 }))).toEqual({ big: 9 });
    // A new tenant does not wait for old checks of others, and all have their turns however small the limit is.
    for (const tenant of ['a', 'b', 'c']) await enqueue(tenant, 2, 9_000);
    const tenants: string[] = [];
    for (let turn = 0; turn < 4; turn++)
      for (const { tenant } of await claim(checks, 0, { limit: 1 })) tenants.push(tenant);
    expect(tenants.toSorted()).toEqual(['a', 'b', 'big', 'c']);
  });

  test('claims every check once, with any limit and any tenants', async () => {
    await using database = await openDatabase(engine);
    const { checks } = database.store;
    const given = Array.from({ length: 60 }, (_, number) => ({
      tenant: `t-${(number * number) % 7}`,
      id: `r-${number}`,
    }));
    await Promise.all(given.map(({ tenant, id }) => checks.enqueue(newCheck(id, { tenant }), MANY)));
    const claimed: ClaimedCheck[] = [];
    for (let limit = 1; claimed.length < given.length; limit = (limit % 4) + 1) {
      const batch = await claim(checks, 0, { limit });
      expect(batch.length).toBeGreaterThan(0);
      expect(batch.length).toBeLessThanOrEqual(limit);
      claimed.push(...batch);
    }
    expect(ids(claimed).toSorted()).toEqual(given.map(({ id }) => id).toSorted());
    expect(await claim(checks, 0)).toEqual([]);
  });

  test('claims a check again only when its lease has ended, with another fence', async () => {
    await using database = await openDatabase(engine);
    const { checks } = database.store;
    await checks.enqueue(newCheck('r-1'), MANY);
    const first = await claim(checks, 5_000);
    expect(await claim(checks, 5_999)).toEqual([]);
    const second = await claim(checks, 6_000);
    expect(second).toEqual([{ ...first[0], fence: 2, attempts: 2 }]);
  });

  test('a worker with a short lease does not take what one with a long lease holds', async () => {
    await using database = await openDatabase(engine);
    const { checks } = database.store;
    await checks.enqueue(newCheck('r-1'), MANY);
    const held = { nowMs: 5_000, leaseMs: LEASE_MS_MAX, limit: 10 };
    expect(await checks.claim(held)).toHaveLength(1);
    expect(await claim(checks, 5_000)).toEqual([]);
    expect(await claim(checks, 4_999 + LEASE_MS_MAX)).toEqual([]);
    expect(await claim(checks, 5_000 + LEASE_MS_MAX)).toHaveLength(1);
  });

  test('a check that was claimed by a clock far ahead can be claimed at once', async () => {
    await using database = await openDatabase(engine);
    const { checks } = database.store;
    await checks.enqueue(newCheck('r-1'), MANY);
    const [ahead] = await claim(checks, 400 * 86_400_000);
    const [now] = await claim(checks, 0);
    expect([ahead?.requestId, now?.requestId, now?.attempts]).toEqual(['r-1', 'r-1', 2]);
    expect(await claim(checks, 0)).toEqual([]);
  });

  test('a released check can be claimed again from its time on, and its earlier claim has no effect', async () => {
    await using database = await openDatabase(engine);
    const { checks } = database.store;
    await checks.enqueue(newCheck('r-1'), MANY);
    const [first] = await claim(checks, 0);
    if (first === undefined) throw new Error('Nothing was claimed.');
    await checks.release([first], { availableAtMs: 300, isAttempt: true });
    expect(await checks.complete([success(first)])).toBe(0);
    expect(await claim(checks, 299)).toEqual([]);
    const [second] = await claim(checks, 300);
    expect(second?.attempts).toBe(2);
    await checks.release([first], { availableAtMs: 0, isAttempt: true });
    expect(await claim(checks, 301)).toEqual([]);
  });
}

function describeCompletion(engine: StoreEngine): void {
  test('stores the result once', async () => {
    await using database = await openDatabase(engine);
    const { checks } = database.store;
    await checks.enqueue(newCheck('r-1'), MANY);
    const [claimed] = await claim(checks, 0);
    if (claimed === undefined) throw new Error('Nothing was claimed.');
    expect(await checks.complete([success(claimed, 'first'), success(claimed, 'second')])).toBe(1);
    expect(await checks.complete([success(claimed, 'third')])).toBe(0);
    expect(await checks.find('acme', 'r-1')).toEqual({
      requestId: 'r-1',
      created: NOW,
      state: 'SUCCESS',
      completed: LATER,
      resultBytes: 19,
      result: '{"message":"first"}',
    });
    expect(await claim(checks, 1_000_000)).toEqual([]);
    expect((await checks.measureBacklog()).depth).toBe(0);
  });

  test('has an effect for the latest claim only, by tenant', async () => {
    await using database = await openDatabase(engine);
    const { checks } = database.store;
    await checks.enqueue(newCheck('r-1'), MANY);
    await checks.enqueue(newCheck('r-2'), MANY);
    const early = await claim(checks, 0);
    const late = await claim(checks, 1_000);
    const elsewhere = late.map((check) => ({ ...success(check), tenant: 'other' }));
    expect(await checks.complete([...early.map((check) => success(check)), ...elsewhere])).toBe(0);
    expect(await checks.complete(late.map((check) => success(check, 'late')))).toBe(2);
    expect(await checks.complete(early.map((check) => success(check, 'early')))).toBe(0);
    expect(await checks.readResult('acme', 'r-1')).toBe('{"message":"late"}');
  });

  test('stores a result of 16 MiB as it is, which is read only when it is asked for', async () => {
    await using database = await openDatabase(engine);
    const { checks } = database.store;
    const ids = ['at-limit', 'over', 'large'];
    await Promise.all(ids.map((id) => checks.enqueue(newCheck(id), MANY)));
    const texts: Record<string, string> = {
      // Bytes count, not characters.
      'at-limit': 'é'.repeat(SMALL_RESULT_BYTES / 2),
      over: `${'é'.repeat(SMALL_RESULT_BYTES / 2)}x`,
      large: '😀"\\'.repeat((16 * 2 ** 20) / 6),
    };
    const claimed = await claim(checks, 0);
    await checks.complete(claimed.map((check) => ({ ...success(check), result: texts[check.requestId] ?? '' })));
    for (const [id, text] of Object.entries(texts)) {
      const found = await checks.find('acme', id);
      expect(found?.resultBytes).toBe(Buffer.byteLength(text));
      expect(found?.result === null).toBe(id !== 'at-limit');
      expect((await checks.readResult('acme', id)) === text).toBe(true);
    }
    expect(await checks.readResult('other', 'large')).toBeNull();
    expect(await checks.readResult('acme', 'none')).toBeNull();
  });

  test('of an empty list has no effect', async () => {
    await using database = await openDatabase(engine);
    expect(await database.store.checks.complete([])).toBe(0);
  });
}

const inState = (...values: SodCheckState[]): CheckCondition => ({ field: 'state', operator: 'in', values });
const ofIdentity = (id: string): CheckCondition => ({ field: 'identityId', operator: 'eq', values: [id] });

function describeList(engine: StoreEngine): void {
  test('checks are listed, the newest first, by their states and identity, and counted', async () => {
    await using database = await openDatabase(engine);
    const { checks } = database.store;
    const at = (second: number) => ({ created: `2026-03-01T12:00:0${second}.000Z` });
    await checks.enqueue(newCheck('r-1', at(1)), MANY);
    await checks.enqueue(newCheck('r-2', { ...at(2), identityId: 'i-2' }), MANY);
    const [first, second] = await claim(checks, 0);
    if (first === undefined || second === undefined) throw new Error('Nothing was claimed.');
    const failed = { ...success(second), state: 'ERROR' as const };
    await checks.complete([success(first), failed]);
    // Two of one instant, of which the one with the greater id comes first.
    for (const id of ['r-4', 'r-3']) await checks.enqueue(newCheck(id, at(3)), MANY);
    await checks.enqueue(newCheck('r-5', { ...at(4), tenant: 'other' }), MANY);

    const found = async (conditions: readonly CheckCondition[], tenant = 'acme') => {
      const { checks: listed } = await checks.list(tenant, conditions, { limit: 10, offset: 0, after: null });
      expect(await checks.count(tenant, conditions)).toBe(listed.length);
      return listed.map(({ requestId }) => requestId);
    };
    expect(await found([])).toEqual(['r-4', 'r-3', 'r-2', 'r-1']);
    expect(await found([inState('PENDING')])).toEqual(['r-4', 'r-3']);
    expect(await found([inState('SUCCESS', 'ERROR')])).toEqual(['r-2', 'r-1']);
    expect(await found([inState('SUCCESS', 'ERROR'), inState('ERROR', 'PENDING')])).toEqual(['r-2']);
    expect(await found([inState('ERROR'), inState('PENDING')])).toEqual([]);
    expect(await found([ofIdentity('i-1')])).toEqual(['r-4', 'r-3', 'r-1']);
    expect(await found([ofIdentity('i-1'), inState('SUCCESS')])).toEqual(['r-1']);
    expect(await found([ofIdentity('i-1'), ofIdentity('i-2')])).toEqual([]);
    expect(await found([], 'other')).toEqual(['r-5']);
    expect(await found([], 'third')).toEqual([]);

    const { checks: shown } = await checks.list('acme', [], { limit: 10, offset: 2, after: null });
    expect(shown).toEqual([
      { requestId: 'r-2', ...at(2), identityId: 'i-2', state: 'ERROR', completed: LATER },
      { requestId: 'r-1', ...at(1), identityId: 'i-1', state: 'SUCCESS', completed: LATER },
    ]);
  });

  test('pages of checks are continued after a place, whatever is enqueued and completed meanwhile', async () => {
    await using database = await openDatabase(engine);
    const { checks } = database.store;
    const ofNumber = (number: number) => ({ created: `2026-03-01T12:00:0${number % 4}.000Z` });
    for (let number = 0; number < 9; number++) await checks.enqueue(newCheck(`r-${number}`, ofNumber(number)), MANY);
    const { checks: all } = await checks.list('acme', [], { limit: 9, offset: 0, after: null });
    const paged: string[] = [];
    for (let after: Position | null = null, page = 0; page === 0 || after !== null; page++) {
      const found = await checks.list('acme', [], { limit: 2, offset: 0, after });
      paged.push(...found.checks.map(({ requestId }) => requestId));
      after = found.next;
      await checks.enqueue(newCheck(`later-${page}`, { created: LATER, identityId: 'i-later' }), MANY);
      await checks.complete((await claim(checks, 0, { limit: 3 })).map((check) => success(check)));
    }
    // The later ones have the instant of some, and smaller ids.
    expect(paged.filter((id) => id.startsWith('r-'))).toEqual(all.map(({ requestId }) => requestId));
  });
}

function describeRemoval(engine: StoreEngine): void {
  test('completed checks are removed after their time, of every tenant, and pending ones stay', async () => {
    await using database = await openDatabase(engine);
    const { checks } = database.store;
    for (const tenant of ['acme', 'other']) await checks.enqueue({ ...newCheck('done'), tenant }, MANY);
    const claimed = await claim(checks, Date.parse(LATER));
    expect(await checks.complete(claimed.map((one) => success(one)))).toBe(2);
    await checks.enqueue(newCheck('pending'), MANY);

    // Completed at this very time.
    expect(await checks.removeExpired(LATER)).toBe(false);
    expect(await checks.find('acme', 'done')).not.toBeNull();

    const after = new Date(Date.parse(LATER) + 1).toISOString();
    while (await checks.removeExpired(after));
    for (const tenant of ['acme', 'other']) {
      expect(await checks.find(tenant, 'done')).toBeNull();
      // Its event is still told, by a reference.
      const { events } = await database.store.events.read(tenant, { types: ['sod.check.completed'], limit: 1 });
      expect(events.map(({ resourceId }) => resourceId)).toEqual(['done']);
    }
    expect(await checks.find('acme', 'pending')).not.toBeNull();
  });
}
