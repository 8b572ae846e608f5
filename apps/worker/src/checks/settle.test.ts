import { setImmediate } from 'node:timers/promises';
import { type CheckCompletion, type CheckQueue, type ClaimedCheck, StorageUnavailable } from '@access-admin/store';
import { describe, expect, test } from 'vitest';
import { type HeldCheck, holdCheck } from './held.ts';
import { createSettlement } from './settle.ts';

const LEASE_MS = 5_000;
const OUTCOME = { state: 'SUCCESS', result: '{}', verdict: null } as const;
const LARGE = { state: 'SUCCESS', result: 'x'.repeat(16 * 2 ** 20 - 200), verdict: null } as const;

const checkOf = (requestId: string, tenant = 'a'): HeldCheck => {
  const claim: ClaimedCheck = {
    tenant,
    requestId,
    created: '2026-03-01T12:00:00.000Z',
    identityId: 'i',
    accessRefs: [],
    origin: null,
    clientMetadata: null,
    includes: [],
    fence: 1,
    attempts: 1,
  };
  return holdCheck(claim, 0);
};

/** A settlement on a storage that a test describes, with waits that end when the time of the test has passed. */
function open(storage: Partial<Pick<CheckQueue, 'complete' | 'release' | 'renew'>>) {
  const clock = { ms: 0 };
  const stored: CheckCompletion[] = [];
  const givenBack: string[] = [];
  const logged: string[] = [];
  const waits: { readonly untilMs: number; readonly ms: number; readonly end: () => void }[] = [];
  const settlement = createSettlement({
    queue: {
      complete: async (completions) => {
        const completed = (await storage.complete?.(completions)) ?? {
          effective: completions.length,
          lockedTenants: new Set(),
        };
        stored.push(...completions.filter(({ tenant }) => !completed.lockedTenants.has(tenant)));
        return completed;
      },
      release: async () => {},
      renew: async (claims) => claims,
      giveBack: async (claims) => void givenBack.push(...claims.map(({ requestId }) => requestId)),
      ...(storage.release === undefined ? {} : { release: storage.release }),
      ...(storage.renew === undefined ? {} : { renew: storage.renew }),
    },
    onStored: () => {},
    log: { debug: () => {}, error: (_fields: unknown, message?: string) => void logged.push(message ?? '') },
    leaseMs: LEASE_MS,
    now: () => clock.ms,
    random: () => 1,
    wait: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted || ms === 0) return resolve();
        waits.push({ untilMs: clock.ms + ms, ms, end: resolve });
        signal.addEventListener('abort', () => resolve(), { once: true });
      }),
    onLost: () => {},
  });
  const settle = async () => {
    for (let turn = 0; turn < 5; turn++) await setImmediate();
  };
  return {
    settlement,
    clock,
    stored: () => stored.map(({ tenant, requestId }) => `${tenant} ${requestId}`),
    completions: stored,
    givenBack,
    logged,
    waits,
    settle,
    pass: async (ms: number) => {
      clock.ms += ms;
      for (const { untilMs, end } of waits) if (untilMs <= clock.ms) end();
      await settle();
    },
  };
}

const noSpace: CheckQueue['complete'] = async () => {
  throw new StorageUnavailable('disk full');
};

test('while a transaction is under way, outcomes of all tenants gather for the next one', async () => {
  const groups: number[] = [];
  const { promise: committed, resolve: commit } = Promise.withResolvers<void>();
  const { settlement, settle, stored } = open({
    complete: async (completions) => {
      groups.push(completions.length);
      if (groups.length === 1) await committed;
      return { effective: completions.length, lockedTenants: new Set() };
    },
  });
  settlement.conclude(checkOf('r-1'), OUTCOME);
  settlement.flush();
  for (const tenant of ['a', 'b', 'c']) settlement.conclude(checkOf('r-2', tenant), OUTCOME);
  settlement.flush();
  commit();
  await settle();
  expect([groups, stored()]).toEqual([
    [1, 3],
    ['a r-1', 'a r-2', 'b r-2', 'c r-2'],
  ]);
});

test('the results of an unfinished job wait for the others of it, but not for long, and not in much memory', async () => {
  const { settlement, clock, settle, stored } = open({});
  const flushIfDue = async () => {
    settlement.flushIfDue();
    await settle();
    return stored().length;
  };
  settlement.conclude(checkOf('r-1'), OUTCOME);
  clock.ms = 24;
  expect(await flushIfDue()).toBe(0);
  clock.ms = 25;
  expect(await flushIfDue()).toBe(1);
  settlement.conclude(checkOf('r-2'), LARGE);
  expect(await flushIfDue()).toBe(2);
});

test('a failed check is released for later, or ends in an error when this was its last attempt', async () => {
  const released: number[] = [];
  const { settlement, settle, completions } = open({
    release: async (_claim, availableAtMs) => void released.push(availableAtMs),
  });
  const failed = checkOf('r-1');
  settlement.fail(failed);
  await failed.ended;
  expect(released).toEqual([200]);
  const last = checkOf('r-2');
  settlement.fail({ ...last, claim: { ...last.claim, attempts: 5 } });
  settlement.flush();
  await settle();
  expect(completions.map(({ state }) => state)).toEqual(['ERROR']);
});

test('no further check is concluded while more than 32 MiB of results wait', async () => {
  const { promise: committed, resolve: commit } = Promise.withResolvers<void>();
  const { settlement } = open({
    complete: async (completions) => {
      await committed;
      return { effective: completions.length, lockedTenants: new Set() };
    },
  });
  for (const id of ['r-1', 'r-2']) settlement.conclude(checkOf(id), LARGE);
  expect(settlement.whenFree()).toBeUndefined();
  settlement.conclude(checkOf('r-3'), LARGE);
  settlement.flush();
  const free = settlement.whenFree();
  expect(free).toBeInstanceOf(Promise);
  commit();
  await free;
  expect(settlement.whenFree()).toBeUndefined();
});

describe('a result for which the storage has no space', () => {
  test('is tried at growing intervals until it is stored, and never ends in an error', async () => {
    let attempts = 0;
    const check = checkOf('r');
    const { settlement, settle, pass, waits, clock, completions } = open({
      complete: async (completions) => {
        attempts += 1;
        if (clock.ms < 10_000) throw new StorageUnavailable('disk full');
        return { effective: completions.length, lockedTenants: new Set() };
      },
    });
    settlement.conclude(check, OUTCOME);
    settlement.flush();
    await settle();
    while (!check.isEnded) await pass(50);
    expect(completions.map(({ state, result }) => [state, result])).toEqual([['SUCCESS', '{}']]);
    // It is tried twice at once.
    expect(waits.map(({ ms }) => ms).slice(0, 6)).toEqual([100, 200, 400, 800, 1_250, 1_250]);
    expect(attempts).toBe(13);
  });

  test('is forgotten when another worker has taken the check', async () => {
    const check = checkOf('r');
    const { settlement, settle, pass, givenBack, stored } = open({ complete: noSpace, renew: async () => [] });
    settlement.conclude(check, OUTCOME);
    settlement.flush();
    await settle();
    await pass(100);
    expect([check.isEnded, stored(), givenBack]).toEqual([true, [], ['r']]);
  });

  test('is given back when the results that wait take more than 32 MiB', async () => {
    const { settlement, settle, pass, givenBack } = open({ complete: noSpace });
    for (const id of ['r-1', 'r-2', 'r-3']) settlement.conclude(checkOf(id), LARGE);
    settlement.flush();
    await settle();
    await pass(100);
    expect(givenBack).toEqual(['r-3']);
  });
});

test('a storage that accepts nothing at all is left in peace for longer and longer', async () => {
  const away = async () => Promise.reject(new StorageUnavailable('away'));
  const { settlement, settle, pass, waits, logged } = open({ complete: noSpace, renew: away });
  settlement.conclude(checkOf('r'), OUTCOME);
  settlement.flush();
  await settle();
  for (let round = 0; round < 30; round++) await pass(100);
  expect(waits.map(({ ms }) => ms)).toEqual([100, 200, 400, 800, 1_600]);
  expect(new Set(logged)).toEqual(new Set(['the storage failed']));
  settlement.stop();
  await settle();
  expect(logged.at(-1)).toBe('results are left to the next worker');
});

test('one result that cannot be stored ends in an error, and the others of its group are stored', async () => {
  const { settlement, settle, completions } = open({
    complete: async (completions) => {
      if (completions.some(({ requestId, state }) => requestId === 'bad' && state === 'SUCCESS'))
        throw new RangeError('Invalid string length');
      return { effective: completions.length, lockedTenants: new Set() };
    },
  });
  for (const id of ['good', 'bad', 'other']) settlement.conclude(checkOf(id), OUTCOME);
  settlement.flush();
  await settle();
  expect(completions.map(({ requestId, state }) => `${requestId} ${state}`)).toEqual([
    'good SUCCESS',
    'other SUCCESS',
    'bad ERROR',
  ]);
});

describe('results of a tenant whose events another transaction is numbering', () => {
  const openLocked = () => {
    const locked = new Set(['a']);
    let statements = 0;
    const opened = open({
      complete: async (completions) => {
        statements += 1;
        const effective = completions.filter(({ tenant }) => !locked.has(tenant)).length;
        return { effective, lockedTenants: new Set(locked) };
      },
    });
    return { ...opened, locked, statements: () => statements };
  };

  test('wait without delaying others, and are stored soon after it', async () => {
    const { settlement, settle, pass, stored, locked, statements } = openLocked();
    for (let at = 0; at < 300; at++) settlement.conclude(checkOf(`r-${at}`), OUTCOME);
    settlement.conclude(checkOf('r', 'b'), OUTCOME);
    settlement.flush();
    await settle();
    // The first group shows that the tenant is locked.
    expect([stored(), statements(), settlement.lockedTenants()]).toEqual([['b r'], 2, new Set(['a'])]);
    await pass(24);
    expect(statements()).toBe(2);
    locked.clear();
    await pass(1);
    expect([stored().length, settlement.lockedTenants()]).toEqual([301, new Set()]);
  });

  test('are given back when they take more than 32 MiB, and when the worker stops', async () => {
    const { settlement, settle, givenBack } = openLocked();
    for (const id of ['r-1', 'r-2', 'r-3']) settlement.conclude(checkOf(id), LARGE);
    settlement.flush();
    await settle();
    expect(givenBack).toEqual(['r-3']);
    settlement.stop();
    await settle();
    expect(givenBack).toEqual(['r-3', 'r-1', 'r-2']);
  });
});
