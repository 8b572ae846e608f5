import { concludeWithError } from '@access-admin/domain';
import { type CheckQueue, createSodReader, type SodReader, StorageUnavailable, type Store } from '@access-admin/store';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type DrivenLoop, driveLoop, LEASE_MS, START_MS, type TestClock } from './drive-loop.ts';
import { newReport } from './report-world.ts';
import { enqueueAll, findCheck, type NewStore, newCheck, openSampleStore, outcomeOf } from './sample-store.ts';

let sample: NewStore;
let store: Store;
let clock: TestClock;
const loops: DrivenLoop[] = [];

beforeEach(async () => {
  sample = await openSampleStore();
  store = sample.store;
  clock = { nowMs: START_MS };
});

afterEach(async () => {
  for (const loop of loops.splice(0)) {
    loop.stop();
    await loop.ended;
  }
  await sample[Symbol.asyncDispose]();
});

function start(overrides: Parameters<typeof driveLoop>[2] = {}): DrivenLoop {
  const loop = driveLoop(store, clock, overrides);
  loops.push(loop);
  return loop;
}

const requestIds = (count: number) => Array.from({ length: count }, (_, at) => `r-${String(at).padStart(3, '0')}`);
/** The kinds of work that wait for time are looked for this often. */
const LOOK_EVERY_MS = 500;

const claim = (fields: Partial<Parameters<CheckQueue['claim']>[0]> = {}) =>
  store.checks.claim({ nowMs: clock.nowMs, leaseMs: LEASE_MS, limit: 100, ...fields });

/** Claims of a worker that stands still once it has claimed something. */
function claimsOnce(): CheckQueue['claim'] {
  let hasClaimed = false;
  return async (request) => {
    if (hasClaimed) return [];
    const claims = await store.checks.claim(request);
    hasClaimed = claims.length > 0;
    return claims;
  };
}

/** A reader that fails, or waits, for the checks of one identity. */
function readerWith(identityId: string, behave: () => Promise<void>): SodReader {
  const reader = createSodReader(store.sod);
  return {
    read: async (tenant, id) => {
      if (id === identityId) await behave();
      return reader.read(tenant, id);
    },
  };
}

describe('time', () => {
  const VENDOR = { type: 'ENTITLEMENT', id: 'e-vendor' } as const;
  const PAY = { type: 'ENTITLEMENT', id: 'e-pay' } as const;
  const at = (seconds: number) => new Date(START_MS + seconds * 1_000).toISOString();

  test.each<[string, Partial<Parameters<typeof newCheck>[1]>, number, string]>([
    [
      'access requested for later conflicts with held access',
      { accessRefs: [{ ...PAY, start: at(60) }] },
      0,
      'SUCCESS p-1',
    ],
    ['access requested until the evaluation does not', { accessRefs: [{ ...PAY, end: at(60) }] }, 60, 'SUCCESS'],
    [
      'an instant before its end counts, also after that end',
      { accessRefs: [{ ...PAY, end: at(60) }], at: at(59) },
      60,
      'SUCCESS p-1',
    ],
    ['an instant at its end does not count', { accessRefs: [{ ...PAY, end: at(60) }], at: at(60) }, 0, 'SUCCESS'],
    [
      'a deleted item is reported, even with a past window',
      { accessRefs: [{ type: 'ROLE', id: 'gone', end: at(-1) }, VENDOR] },
      0,
      'ERROR Requested access does not exist any more: ROLE gone.',
    ],
    [
      'a deleted identity is reported',
      { identityId: 'gone', at: at(0) },
      0,
      'ERROR The identity gone does not exist any more.',
    ],
  ])('begins with the evaluation: %s', async (_, fields, secondsLater, expected) => {
    clock.nowMs += secondsLater * 1_000;
    await enqueueAll(store, [newCheck('r-1', fields), newCheck('r-via', { ...fields, includes: ['via'] })]);
    await start().idle();
    expect(await outcomeOf(store, 'r-1')).toBe(expected);
    expect(await outcomeOf(store, 'r-via')).toBe(expected);
    const check = await findCheck(store, 'r-via');
    const [conflict] = check?.violationCheckResult?.violationContexts ?? [];
    if (expected === 'SUCCESS p-1')
      expect(conflict?.conflictingAccessCriteria).toMatchObject({
        leftCriteria: { criteriaList: [{ id: 'e-vendor', existing: true, via: [{ source: 'ASSIGNED', path: [] }] }] },
        rightCriteria: { criteriaList: [{ id: 'e-pay', existing: false, via: [{ source: 'REQUESTED', path: [] }] }] },
      });
    expect(check?.violationCheckResult?.asOf).toBe(at(secondsLater));
  });
});

describe('work', () => {
  test('concludes every pending check, at most 100 at a time, with the result of predict', async () => {
    await enqueueAll(
      store,
      requestIds(250).map((id) => newCheck(id)),
    );
    const stored: number[] = [];
    const complete: CheckQueue['complete'] = (completions) => {
      stored.push(completions.length);
      return store.checks.complete(completions);
    };
    // Checks that take no time.
    const loop = start({ checks: { ...store.checks, complete }, busyMs: () => 0 });
    expect(await loop.idle()).toBe(LOOK_EVERY_MS);
    expect(loop.claimed).toEqual([100, 100, 50]);
    expect(stored.reduce((sum, count) => sum + count, 0)).toBe(250);
    expect(Math.max(...stored)).toBeLessThanOrEqual(100);
    expect(new Set(await Promise.all(requestIds(250).map((id) => outcomeOf(store, id))))).toEqual(
      new Set(['SUCCESS p-1']),
    );
    expect(await findCheck(store, 'r-000')).toMatchObject({
      completed: '2026-03-01T12:00:01.000Z',
      violationCheckResult: { message: null, clientMetadata: { ticket: 'r-000' } },
    });
  });

  test('names the exception that covers a violation at the time of the check', async () => {
    const id = 'x-1';
    const at = '2026-03-01T12:00:01.000Z';
    const end = '2026-03-01T12:00:02.000Z';
    const covering = { policyId: 'p-1', id, start: at, end, items: ['e-vendor', 'e-pay'] };
    const reader = createSodReader(store.sod);
    const approved: SodReader = {
      read: async (tenant, id) => ({ ...(await reader.read(tenant, id)), exceptions: [covering] }),
    };
    await enqueueAll(store, [newCheck('r-1'), newCheck('r-via', { includes: ['via'] }), newCheck('r-at', { at })]);
    const loop = start({ reader: approved });
    await loop.idle();
    clock.nowMs += 1_000;
    await enqueueAll(store, [newCheck('r-2')]);
    loop.wake();
    await loop.idle();
    const exceptionOf = async (requestId: string) =>
      (await findCheck(store, requestId))?.violationCheckResult?.violationContexts.map(
        ({ exception, exceptionEnds }) => exceptionEnds ?? exception,
      );
    expect(await exceptionOf('r-at')).toEqual([{ id, end }]);
    // Of access without end it covers a part, until it ends.
    expect([await exceptionOf('r-1'), await exceptionOf('r-via'), await exceptionOf('r-2')]).toEqual([
      [end],
      [end],
      [undefined],
    ]);
    expect(await outcomeOf(store, 'r-1')).toBe('SUCCESS p-1');
  });

  test('ends a check in ERROR when its identity or access was deleted', async () => {
    await enqueueAll(store, [
      newCheck('gone-identity', { identityId: 'i-2' }),
      newCheck('gone-access', { accessRefs: [{ type: 'ROLE', id: 'r-1' }] }),
    ]);
    await start().idle();
    expect(await outcomeOf(store, 'gone-identity')).toBe('ERROR The identity i-2 does not exist any more.');
    expect(await outcomeOf(store, 'gone-access')).toBe('ERROR Requested access does not exist any more: ROLE r-1.');
  });

  test('polls again after a commit, and not before', async () => {
    const loop = start();
    await loop.idle();
    expect(loop.polls()).toBe(1);
    await enqueueAll(store, [newCheck('r-1')]);
    expect(await outcomeOf(store, 'r-1')).toBe('PENDING');
    loop.wake();
    expect(await loop.idle()).toBe(LOOK_EVERY_MS);
    expect(await outcomeOf(store, 'r-1')).toBe('SUCCESS p-1');
  });

  test('polls again after a time without a commit', async () => {
    const loop = start();
    expect(await loop.idle()).toBe(LOOK_EVERY_MS);
    await enqueueAll(store, [newCheck('r-1')]);
    loop.resume();
    await loop.idle();
    expect(await outcomeOf(store, 'r-1')).toBe('SUCCESS p-1');
  });

  test('does not miss a commit during a poll', async () => {
    const checks = {
      ...store.checks,
      claim: async (request: Parameters<CheckQueue['claim']>[0]) => {
        const claims = await store.checks.claim(request);
        if (loop.polls() === 1) {
          await enqueueAll(store, [newCheck('r-1')]);
          loop.wake();
        }
        return claims;
      },
    };
    const loop = start({ checks });
    await loop.idle();
    expect(await outcomeOf(store, 'r-1')).toBe('SUCCESS p-1');
  });

  test('is woken by commits of the store', async () => {
    const loop = start({ onCommit: store.onCommit });
    await loop.idle();
    await enqueueAll(store, [newCheck('r-1')]);
    await expect.poll(() => outcomeOf(store, 'r-1')).toBe('SUCCESS p-1');
  });
});

describe('leases', () => {
  test('takes over the checks of a dead worker when its lease has ended, and not before', async () => {
    await enqueueAll(store, [newCheck('r-1'), newCheck('r-2')]);
    expect(await claim()).toHaveLength(2);
    clock.nowMs += LEASE_MS - 400;
    const loop = start();
    await loop.idle();
    expect(loop.claimed).toEqual([]);
    clock.nowMs += 400;
    loop.resume();
    await loop.idle();
    expect([await outcomeOf(store, 'r-1'), await outcomeOf(store, 'r-2')]).toEqual(['SUCCESS p-1', 'SUCCESS p-1']);
  });

  test('takes over at once checks that were claimed while the clock was 400 days ahead', async () => {
    await enqueueAll(store, [newCheck('r-1')]);
    await claim({ nowMs: clock.nowMs + 400 * 86_400_000 });
    await start().idle();
    expect(await outcomeOf(store, 'r-1')).toBe('SUCCESS p-1');
  });

  test('runs a check alone that was claimed twice without an end, so that one that crashes the worker does not affect others', async () => {
    await enqueueAll(store, [newCheck('r-1', { identityId: 'deadly' }), newCheck('r-2'), newCheck('r-3')]);
    for (let attempt = 1; attempt <= 2; attempt++) {
      await claim({ leaseMs: 1_000 });
      clock.nowMs += 1_000;
    }
    await enqueueAll(store, [newCheck('fresh-1'), newCheck('fresh-2')]);
    const pending: number[] = [];
    const reader = readerWith('deadly', async () => {
      pending.push((await store.checks.measureBacklog()).depth);
    });
    const loop = start({ reader });
    await loop.idle();
    expect(loop.claimed).toEqual([2, 1, 1, 1]);
    // The others have ended, or are not claimed yet.
    expect(pending).toEqual([3]);
  });

  test('gives back what is under way before it runs a check alone, and no attempt of that counts', async () => {
    await enqueueAll(store, [newCheck('suspect')]);
    await claim();
    clock.nowMs += LEASE_MS;
    await claim();
    await enqueueAll(store, [newCheck('slow', { identityId: 'slow', tenant: 'other' })]);
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    const order: string[] = [];
    const reader = createSodReader(store.sod);
    let isSlow = true;
    const loop = start({
      reader: {
        read: async (tenant, id) => {
          order.push(tenant);
          reach();
          if (tenant === 'other' && isSlow) await new Promise(() => {});
          return reader.read(tenant, id);
        },
      },
    });
    await reached;
    isSlow = false;
    // Until then, it waits for the other check.
    clock.nowMs += 60_000;
    loop.resume();
    loop.wake();
    await expect.poll(() => outcomeOf(store, 'suspect')).toBe('SUCCESS p-1');
    await loop.idle();
    expect(order.slice(0, 3)).toEqual(['other', 'acme', 'other']);
    expect(loop.logged.filter((line) => line.includes('"attempt":2'))).toEqual([]);
  });

  test('goes on with other checks while the result of one that ran alone waits for the storage', async () => {
    await enqueueAll(store, [newCheck('suspect')]);
    for (let attempt = 1; attempt <= 2; attempt++) {
      await claim({ leaseMs: 1_000 });
      clock.nowMs += 1_000;
    }
    const storage = { isAway: true };
    const complete: CheckQueue['complete'] = (completions) =>
      storage.isAway && completions.some(({ tenant }) => tenant === 'acme')
        ? Promise.reject(new StorageUnavailable('A node is away.'))
        : store.checks.complete(completions);
    const loop = start({ checks: { ...store.checks, complete } });
    await loop.idle();
    expect(loop.logged.filter((line) => line.includes('the storage failed'))).not.toEqual([]);
    await enqueueAll(store, [newCheck('r-1', { tenant: 'other' })]);
    loop.wake();
    const stateOf = async (tenant: string, requestId: string) => (await store.checks.find(tenant, requestId))?.state;
    await expect.poll(() => stateOf('other', 'r-1')).toBe('ERROR');
    expect(await stateOf('acme', 'suspect')).toBe('PENDING');
    storage.isAway = false;
    loop.resume();
    await expect.poll(() => stateOf('acme', 'suspect')).toBe('SUCCESS');
    expect(loop.claimed).toEqual([1, 1]);
  });

  test('a result has no effect after another worker has taken the check', async () => {
    await enqueueAll(store, [newCheck('r-1', { identityId: 'slow' })]);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    const slow = start({
      // A paused process renews and claims nothing.
      checks: { ...store.checks, renew: async (claims) => claims, claim: claimsOnce() },
      reader: readerWith('slow', () => {
        reach();
        return released;
      }),
    });
    await reached;
    clock.nowMs += LEASE_MS;
    const [taken] = await claim();
    const { result } = concludeWithError({ clientMetadata: null }, 'the other');
    const claimed = { tenant: 'acme', requestId: 'r-1', created: 'before', fence: taken?.fence ?? 0 };
    const completion = { ...claimed, completed: 'then', result };
    expect(await store.checks.complete([{ ...completion, state: 'SUCCESS' }])).toBe(1);
    release();
    await slow.idle();
    expect(await outcomeOf(store, 'r-1')).toBe('SUCCESS the other');
  });

  test('of the completions of a check in one call, that by the latest claim takes effect, with one event', async () => {
    await enqueueAll(store, [newCheck('r-1')]);
    const first = await claim();
    clock.nowMs += LEASE_MS;
    const claims = [...first, ...(await claim())];
    const completions = claims.map(({ tenant, requestId, created, fence }) => ({
      tenant,
      requestId,
      created,
      fence,
      completed: 'then',
      ...concludeWithError({ clientMetadata: null }, `by ${fence}`),
    }));
    expect(completions.map(({ fence }) => fence)).toEqual([1, 2]);
    expect(await store.checks.complete(completions)).toBe(1);
    expect(await outcomeOf(store, 'r-1')).toContain('by 2');
    const { events } = await store.events.read('acme', { types: ['sod.check.completed'], limit: 10 });
    expect(events).toHaveLength(1);
  });

  test('leases are renewed while a check is slow: no other worker takes the checks that are held', async () => {
    const ids = ['r-1', 'r-2', 'r-3'];
    await enqueueAll(
      store,
      ids.map((id, at) => newCheck(id, at === 0 ? { identityId: 'slow' } : {})),
    );
    const taken: unknown[] = [];
    const reader = readerWith('slow', async () => {
      for (let turn = 0; turn < 10; turn++) {
        clock.nowMs += LEASE_MS / 2;
        await expect.poll(() => renewals).toBeGreaterThan(turn);
        taken.push(...(await claim()));
      }
    });
    let renewals = 0;
    const checks = {
      ...store.checks,
      renew: async <C extends { tenant: string; requestId: string; fence: number }>(
        claims: readonly C[],
        leaseEndMs: number,
      ) => {
        const renewed = await store.checks.renew(claims, leaseEndMs);
        if (renewed.length > 0) renewals += 1;
        return renewed;
      },
    };
    const loop = start({ checks, reader });
    await loop.idle();
    expect({ taken, claimed: loop.claimed }).toEqual({ taken: [], claimed: [3] });
    expect(await Promise.all(ids.slice(1).map((id) => outcomeOf(store, id)))).toEqual(['SUCCESS p-1', 'SUCCESS p-1']);
  });

  test('checks that another worker has taken are forgotten', async () => {
    await enqueueAll(store, [newCheck('r-1', { identityId: 'slow' }), newCheck('r-2')]);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: taken, resolve: take } = Promise.withResolvers<void>();
    const read: string[] = [];
    const reader = readerWith('slow', async () => {
      clock.nowMs += LEASE_MS;
      await claim();
      take();
      await released;
    });
    const renew: CheckQueue['renew'] = async (claims, leaseEndMs) => {
      await taken;
      return store.checks.renew(claims, leaseEndMs);
    };
    const noting: SodReader = {
      read: (tenant, id) => {
        read.push(id);
        return reader.read(tenant, id);
      },
    };
    const loop = start({ reader: noting, checks: { ...store.checks, renew, claim: claimsOnce() } });
    await loop.idle();
    expect(loop.logged.filter((line) => line.includes('checks left to other workers'))).toHaveLength(1);
    release();
    await loop.idle();
    expect(read).toEqual(['slow']);
    expect([await outcomeOf(store, 'r-1'), await outcomeOf(store, 'r-2')]).toEqual(['PENDING', 'PENDING']);
  });

  test('ends a check in ERROR after it has crashed five workers', async () => {
    await enqueueAll(store, [newCheck('r-1')]);
    for (let attempt = 1; attempt <= 5; attempt++) {
      expect(await claim()).toHaveLength(1);
      clock.nowMs += LEASE_MS;
    }
    await start().idle();
    expect(await outcomeOf(store, 'r-1')).toBe('ERROR The check failed 5 times.');
  });
});

describe('failures', () => {
  /** Lets time pass until the check `bad`, which is pending, is claimed again. */
  const untilClaimed = async (loop: DrivenLoop) => {
    const { length } = loop.claimed;
    while (loop.claimed.length === length) {
      expect(await outcomeOf(store, 'bad')).toBe('PENDING');
      clock.nowMs += await loop.idle();
      loop.resume();
      await loop.idle();
    }
  };

  test('a check that fails is tried again with growing delay; the fifth failure is final and its message has no details', async () => {
    await enqueueAll(store, [newCheck('bad', { identityId: 'bad' }), newCheck('good')]);
    const loop = start({ reader: readerWith('bad', () => Promise.reject(new Error('secret detail'))) });
    const delays: number[] = [];
    for (let failure = 1; failure <= 4; failure++) {
      const failedAtMs = clock.nowMs;
      await untilClaimed(loop);
      delays.push(clock.nowMs - failedAtMs);
    }
    expect(await loop.idle()).toBe(LOOK_EVERY_MS);
    // The delays are 200, 400, 800 and 1,600 ms.
    expect(delays).toEqual([500, 500, 1_000, 2_000]);
    expect(await outcomeOf(store, 'bad')).toBe('ERROR The check failed 5 times.');
    expect(await outcomeOf(store, 'good')).toBe('SUCCESS p-1');
    expect(await findCheck(store, 'bad')).toMatchObject({
      violationCheckResult: { clientMetadata: { ticket: 'bad' }, violationContexts: [], violatedPolicies: [] },
    });
    expect(loop.logged.filter((line) => line.includes('secret detail'))).toHaveLength(5);
  });

  test('backs off while the storage is unavailable, then continues', async () => {
    await enqueueAll(store, [newCheck('r-1')]);
    let failures = 3;
    const claimOrFail: CheckQueue['claim'] = (request) => {
      failures -= 1;
      return failures >= 0 ? Promise.reject(new StorageUnavailable('busy')) : store.checks.claim(request);
    };
    const loop = start({ checks: { ...store.checks, claim: claimOrFail } });
    for (const delayMs of [100, 200, 400]) {
      expect(await loop.idle()).toBe(delayMs);
      loop.wake();
      loop.resume();
    }
    expect(await loop.idle()).toBe(LOOK_EVERY_MS);
    expect(await outcomeOf(store, 'r-1')).toBe('SUCCESS p-1');
    failures = 1;
    await enqueueAll(store, [newCheck('r-2')]);
    loop.resume();
    expect(await loop.idle()).toBe(100);
  });

  test('keeps results while the storage is unavailable, without evaluating again', async () => {
    await enqueueAll(store, [newCheck('r-1'), newCheck('r-2')]);
    let failures = 2;
    let reads = 0;
    const complete: CheckQueue['complete'] = (completions) => {
      failures -= 1;
      return failures >= 0 ? Promise.reject(new StorageUnavailable('busy')) : store.checks.complete(completions);
    };
    const reader = createSodReader(store.sod);
    const counting: SodReader = {
      read: (tenant, id) => {
        reads += 1;
        return reader.read(tenant, id);
      },
    };
    const loop = start({ checks: { ...store.checks, complete }, reader: counting });
    expect(await loop.idle()).toBe(100);
    loop.resume();
    // After a failure each is stored alone.
    expect(await loop.idle()).toBe(200);
    loop.resume();
    await loop.idle();
    expect([await outcomeOf(store, 'r-1'), await outcomeOf(store, 'r-2')]).toEqual(['SUCCESS p-1', 'SUCCESS p-1']);
    expect({ reads, claimed: loop.claimed }).toEqual({ reads: 2, claimed: [2] });
  });

  test('waits when the storage becomes unavailable, then goes on with the checks that it holds', async () => {
    await enqueueAll(store, [newCheck('r-1', { identityId: 'away' }), newCheck('r-2'), newCheck('r-3')]);
    let failures = 1;
    const reader = readerWith('away', async () => {
      failures -= 1;
      if (failures >= 0) throw new StorageUnavailable('busy');
    });
    const loop = start({ reader });
    expect(await loop.idle()).toBe(100);
    loop.resume();
    expect(await loop.idle()).toBe(LOOK_EVERY_MS);
    expect([loop.claimed, await outcomeOf(store, 'r-3')]).toEqual([[3], 'SUCCESS p-1']);
    clock.nowMs += 1_000;
    loop.resume();
    await loop.idle();
    expect(await outcomeOf(store, 'r-1')).toBe('ERROR The identity away does not exist any more.');
  });

  test('a result that is refused blocks no other, and after the fifth attempt an error takes its place', async () => {
    await enqueueAll(store, [newCheck('bad'), newCheck('good')]);
    const complete: CheckQueue['complete'] = (completions) =>
      completions.some(({ requestId, state }) => requestId === 'bad' && state === 'SUCCESS')
        ? Promise.reject(new RangeError('Invalid string length'))
        : store.checks.complete(completions);
    const loop = start({ checks: { ...store.checks, complete } });
    expect(await loop.idle()).toBe(LOOK_EVERY_MS);
    expect(await outcomeOf(store, 'good')).toBe('SUCCESS p-1');
    for (let failure = 1; failure <= 4; failure++) await untilClaimed(loop);
    expect(await outcomeOf(store, 'bad')).toBe('ERROR The result of the check cannot be stored.');
    expect(loop.claimed).toEqual([2, 1, 1, 1, 1]);
  });

  test('a result that was refused once is stored by the next attempt', async () => {
    await enqueueAll(store, [newCheck('bad')]);
    let failures = 1;
    const complete: CheckQueue['complete'] = (completions) => {
      failures -= 1;
      return failures >= 0 ? Promise.reject(new Error('permission denied')) : store.checks.complete(completions);
    };
    const loop = start({ checks: { ...store.checks, complete } });
    await loop.idle();
    await untilClaimed(loop);
    expect(await outcomeOf(store, 'bad')).toBe('SUCCESS p-1');
  });

  test('nor does one for which the storage has no room, which stays pending', async () => {
    await enqueueAll(store, [newCheck('bad'), newCheck('good'), newCheck('worse')]);
    const complete: CheckQueue['complete'] = (completions) => {
      // As with a disk that is almost full.
      if (completions.some(({ requestId }) => requestId === 'bad'))
        return Promise.reject(new StorageUnavailable('disk full'));
      // And one that is refused in any form.
      if (completions.some(({ requestId }) => requestId === 'worse')) return Promise.reject(new Error('refused'));
      return store.checks.complete(completions);
    };
    const loop = start({ checks: { ...store.checks, complete } });
    expect(await loop.idle()).toBe(100);
    while ((await outcomeOf(store, 'good')) === 'PENDING') {
      loop.resume();
      await loop.idle();
    }
    expect(await outcomeOf(store, 'good')).toBe('SUCCESS p-1');
    expect([await outcomeOf(store, 'bad'), await outcomeOf(store, 'worse')]).toEqual(['PENDING', 'PENDING']);
  });
});

describe('a check that asks for reasons', () => {
  test('has them in its result, and another check has not', async () => {
    await enqueueAll(store, [newCheck('r-1', { includes: ['via'] }), newCheck('r-2')]);
    const loop = start();
    await loop.idle();
    const contextsOf = async (requestId: string) =>
      (await findCheck(store, requestId))?.violationCheckResult?.violationContexts;
    const [plain] = (await contextsOf('r-2')) ?? [];
    expect(plain).not.toHaveProperty('correctionAdvice');
    const item = (id: string, name: string, existing: boolean) => ({
      criteriaList: [
        {
          type: 'ENTITLEMENT',
          id,
          name,
          existing,
          via: [{ source: existing ? 'ASSIGNED' : 'REQUESTED', path: [] }],
          viaMore: 0,
        },
      ],
    });
    expect(await contextsOf('r-1')).toEqual([
      {
        ...plain,
        conflictingAccessCriteria: {
          leftCriteria: item('e-vendor', 'Create vendor', true),
          rightCriteria: item('e-pay', 'Release payment', false),
        },
        correctionAdvice: null,
        compensatingControls: null,
      },
    ]);
  });

  test('has remedies in its result when they are requested', async () => {
    await enqueueAll(store, [
      newCheck('r-1', { includes: ['remediation'] }),
      newCheck('r-2', { includes: ['via', 'remediation'] }),
      newCheck('r-3', { includes: ['remediation'], accessRefs: [] }),
    ]);
    const loop = start();
    await loop.idle();
    const resultOf = async (requestId: string) => (await findCheck(store, requestId))?.violationCheckResult;
    const remediation = {
      drop: { accessRefs: [{ type: 'ENTITLEMENT', id: 'e-pay' }], optimal: true },
      revoke: { assignments: [{ type: 'ENTITLEMENT', id: 'e-vendor' }], optimal: true },
    };
    expect(await resultOf('r-1')).toMatchObject({ remediation });
    expect(await resultOf('r-2')).toMatchObject({ remediation, violationContexts: [{ correctionAdvice: null }] });
    expect((await resultOf('r-1'))?.violationContexts[0]).not.toHaveProperty('correctionAdvice');
    expect(await resultOf('r-3')).toMatchObject({
      remediation: { drop: { accessRefs: [], optimal: true }, revoke: { assignments: [], optimal: true } },
    });
  });

  test('ends like any other check when there is nothing to explain', async () => {
    const unknown = newCheck('r-1', { includes: ['via'], identityId: 'i-gone' });
    await enqueueAll(store, [unknown, newCheck('r-2', { includes: ['via'], accessRefs: [] })]);
    const loop = start();
    await loop.idle();
    expect(await outcomeOf(store, 'r-1')).toBe('ERROR The identity i-gone does not exist any more.');
    expect(await outcomeOf(store, 'r-2')).toBe('SUCCESS');
  });

  test('waits for the storage like any other check', async () => {
    await enqueueAll(store, [newCheck('r-1', { includes: ['via'] })]);
    let failures = 1;
    const readExplanation: Store['sod']['readExplanation'] = (...request) => {
      failures -= 1;
      if (failures >= 0) return Promise.reject(new StorageUnavailable('busy'));
      return store.sod.readExplanation(...request);
    };
    const loop = start({ sod: { readExplanation } });
    expect(await loop.idle()).toBe(100);
    loop.resume();
    expect(await loop.idle()).toBe(LOOK_EVERY_MS);
    expect(await outcomeOf(store, 'r-1')).toBe('PENDING');
    clock.nowMs += 1_000;
    loop.resume();
    await loop.idle();
    expect(await outcomeOf(store, 'r-1')).toBe('SUCCESS p-1');
  });
});

describe('stopping', () => {
  test('stores what is done, and gives back the rest: it keeps its place and no attempt counts', async () => {
    await enqueueAll(
      store,
      requestIds(10).map((id, at) => newCheck(id, at === 4 ? { identityId: 'slow' } : {})),
    );
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    const loop = start({
      busyMs: () => 0,
      reader: readerWith('slow', () => {
        reach();
        return new Promise(() => {});
      }),
    });
    await reached;
    loop.stop();
    await loop.ended;
    expect(loop.claimed).toEqual([10]);
    expect(await outcomeOf(store, 'r-003')).toBe('SUCCESS p-1');
    const left = await claim();
    expect(left.map(({ requestId, attempts }) => [requestId, attempts])).toEqual(
      requestIds(10)
        .slice(4)
        .map((id) => [id, 1]),
    );
  });

  test('stores what is done even if a report does not end', async () => {
    await enqueueAll(store, [newCheck('r-1')]);
    await store.reports.enqueue(newReport('scan'), 20);
    const [evaluated, opened, stored, hanging] = [0, 1, 2, 3].map(() => Promise.withResolvers<void>());
    const reader = createSodReader(store.sod);
    const loop = start({
      busyMs: () => 0,
      reader: {
        read: async (tenant, id) => {
          const isOfReport = id === '';
          if (isOfReport) await evaluated?.promise;
          const reading = await reader.read(tenant, id);
          // The check is concluded in the same turn of the event loop.
          if (!isOfReport) setImmediate(() => evaluated?.resolve());
          return reading;
        },
      },
      reports: {
        ...store.reports,
        openSource: async (tenant) => {
          opened?.resolve();
          await hanging?.promise;
          return store.reports.openSource(tenant);
        },
      },
      checks: {
        ...store.checks,
        complete: async (completions) => {
          const completed = await store.checks.complete(completions);
          stored?.resolve();
          return completed;
        },
      },
    });
    await opened?.promise;
    loop.stop();
    await stored?.promise;
    hanging?.resolve();
    await loop.ended;
    expect(await outcomeOf(store, 'r-1')).toBe('SUCCESS p-1');
  });

  test('ends at once when idle, and when the storage is unavailable', async () => {
    const idle = start();
    await idle.idle();
    idle.stop();
    await idle.ended;
    const away = start({
      checks: { ...store.checks, claim: () => Promise.reject(new StorageUnavailable('away')) },
    });
    await away.idle();
    away.stop();
    await away.ended;
  });

  test('unsubscribes from commits', async () => {
    let listeners = 0;
    const loop = start({
      onCommit: () => {
        listeners += 1;
        return () => {
          listeners -= 1;
        };
      },
    });
    await loop.idle();
    expect(listeners).toBe(1);
    loop.stop();
    await loop.ended;
    expect(listeners).toBe(0);
  });
});
