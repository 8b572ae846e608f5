import { setImmediate } from 'node:timers/promises';
import type { AuditContext, AuditEvent } from '@access-admin/domain';
import type { RepeatedDenial } from '@access-admin/store';
import { coverage, seeds } from '@access-admin/test-depth';
import { describe, expect, test } from 'vitest';
import { DENIAL_WINDOW_MS, DENIAL_WINDOWS_MAX, DENIED_RESOURCES_MAX, openDenialLog } from './coalesce-denials.ts';

type Resource = AuditEvent['resource'];

/** An event of the log; a first one has no count. */
interface Recorded {
  readonly atMs: number;
  readonly auditContext: AuditContext;
  readonly resource: Resource;
  readonly count: number | null;
}

function open() {
  const state = { nowMs: 0, fails: false };
  const events: Recorded[] = [];
  const tasks: { readonly dueMs: number; readonly task: () => void }[] = [];
  const errors: object[] = [];
  const store = async (denials: readonly (RepeatedDenial | Omit<RepeatedDenial, 'count'>)[]) => {
    if (state.fails) throw new Error('away');
    for (const denial of denials)
      events.push({ atMs: state.nowMs, ...denial, count: 'count' in denial ? denial.count : null });
  };
  const denials = openDenialLog({
    audit: {
      recordDenial: (auditContext, resource) => store([{ auditContext, resource }]),
      recordRepeatedDenials: (_, repeated) => store(repeated),
    },
    elapsed: () => state.nowMs,
    later: (task, delayMs) => tasks.push({ dueMs: state.nowMs + delayMs, task }),
    log: { error: (fields) => errors.push(fields) },
  });
  const settle = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  const advance = async (ms: number) => {
    const endMs = state.nowMs + ms;
    for (;;) {
      const next = tasks.toSorted((left, right) => left.dueMs - right.dueMs)[0];
      if (next === undefined || next.dueMs > endMs) break;
      tasks.splice(tasks.indexOf(next), 1);
      state.nowMs = Math.max(state.nowMs, next.dueMs);
      next.task();
      await settle();
    }
    state.nowMs = endMs;
  };
  const refuse = ({ client = 'c-1', operation = 'get', id = 'r-1', tenant = 'acme' }: Refusal = {}) => {
    const actor = { clientId: client, identityId: null };
    const time = new Date(state.nowMs).toISOString();
    const auditContext = { tenant, actor, operation, time, trackingId: `${operation} at ${state.nowMs}` };
    return denials.record(auditContext, { type: 'AUTH_USER', id });
  };
  const countsOf = () => events.map(({ count }) => count);
  return { state, events, errors, denials, advance, refuse, countsOf, settle };
}

interface Refusal {
  readonly tenant?: string;
  readonly client?: string;
  readonly operation?: string;
  readonly id?: string | null;
}

describe('refused requests', () => {
  test('the first of a kind is recorded before it is answered, further ones of its minute as one event with their count', async () => {
    const log = open();
    await log.refuse();
    expect(log.countsOf()).toEqual([null]);
    for (let call = 1; call < 12_000; call += 1) await log.refuse();
    await log.advance(DENIAL_WINDOW_MS - 1);
    expect(log.countsOf()).toEqual([null]);
    await log.advance(1);
    expect(log.countsOf()).toEqual([null, 11_999]);
    await log.refuse();
    expect(log.countsOf()).toEqual([null, 11_999, null]);
    await log.advance(DENIAL_WINDOW_MS);
    expect(log.countsOf()).toEqual([null, 11_999, null]);
  });

  test('the event of a count has the time and the request of the last one', async () => {
    const log = open();
    for (const ms of [0, 10, 20]) {
      await log.advance(ms);
      await log.refuse();
    }
    await log.denials[Symbol.asyncDispose]();
    expect(log.events.at(-1)?.auditContext).toMatchObject({
      time: new Date(30).toISOString(),
      trackingId: 'get at 30',
    });
  });

  test('other actors, operations and resources are kinds of their own', async () => {
    const log = open();
    const kinds = [{}, { client: 'c-2' }, { operation: 'put' }, { id: 'r-2' }, { id: null }, { tenant: 'globex' }];
    for (const kind of [...kinds, ...kinds]) await log.refuse(kind);
    expect(log.countsOf()).toEqual(kinds.map(() => null));
    await log.denials[Symbol.asyncDispose]();
    expect(log.countsOf()).toEqual([...kinds.map(() => null), ...kinds.map(() => 1)]);
  });

  test('many resources of one actor are counted by operation, without ids', async () => {
    const log = open();
    for (let id = 0; id < 5_000; id += 1) await log.refuse({ id: `r-${id}`, operation: id % 2 === 0 ? 'get' : 'put' });
    await log.refuse({ client: 'c-2', id: 'r-0' });
    await log.denials[Symbol.asyncDispose]();
    const ofFirst = log.events.filter(({ auditContext }) => auditContext.actor.clientId === 'c-1');
    const together = (5_000 - DENIED_RESOURCES_MAX) / 2 - 1;
    expect(ofFirst.filter(({ resource }) => resource.id !== null)).toHaveLength(DENIED_RESOURCES_MAX);
    expect(ofFirst.flatMap(({ resource, count }) => (resource.id === null ? [count] : []))).toEqual([
      null,
      null,
      together,
      together,
    ]);
  });

  test('no refusal waits for the record of another', async () => {
    const recorded = Promise.withResolvers<void>();
    const denials = openDenialLog({
      audit: { recordDenial: () => recorded.promise, recordRepeatedDenials: () => Promise.resolve() },
      elapsed: () => 0,
      later: () => undefined,
      log: { error: () => undefined },
    });
    const auditContext = { tenant: 'acme', actor: { clientId: 'c', identityId: null }, operation: 'get' };
    const record = () =>
      denials.record({ ...auditContext, time: '2026-03-01T00:00:00.000Z', trackingId: 't' }, { type: 'ROLE', id: 'r' });
    const order: string[] = [];
    const first = record().then(() => order.push('first'));
    await record().then(() => order.push('second'));
    recorded.resolve();
    await first;
    expect(order).toEqual(['second', 'first']);
  });

  test('where the first cannot be recorded it fails, and the next one is the first again', async () => {
    const log = open();
    log.state.fails = true;
    await expect(log.refuse()).rejects.toThrow('away');
    await expect(log.refuse()).rejects.toThrow('away');
    log.state.fails = false;
    await log.refuse();
    await log.refuse();
    await log.denials[Symbol.asyncDispose]();
    expect(log.countsOf()).toEqual([null, 1]);
  });

  test('counts that cannot be recorded are kept and recorded later', async () => {
    const log = open();
    await log.refuse();
    await log.refuse();
    log.state.fails = true;
    await log.advance(DENIAL_WINDOW_MS);
    expect(log.errors).toEqual([expect.objectContaining({ kinds: 1, lost: 0 })]);
    log.state.fails = false;
    await log.advance(5_000);
    expect(log.countsOf()).toEqual([null, 1]);
  });

  test('many counts wait for one attempt at a time, and after a failure 5 s for the next', async () => {
    const state = { nowMs: 0, attempts: 0 };
    const errors: object[] = [];
    let storage = Promise.withResolvers<void>();
    const denials = openDenialLog({
      audit: {
        recordDenial: async () => undefined,
        recordRepeatedDenials: () => {
          state.attempts += 1;
          return storage.promise;
        },
      },
      elapsed: () => state.nowMs,
      later: () => undefined,
      log: { error: (fields) => errors.push(fields) },
    });
    const refuseMany = async (count: number) => {
      for (let at = 0; at < count; at += 1) {
        const actor = { clientId: `c-${at % 700}`, identityId: null };
        const context = { tenant: 'acme', actor, operation: 'get', time: '2026-03-01T00:00:00.000Z', trackingId: 't' };
        await denials.record(context, { type: 'ROLE', id: null });
      }
    };
    const attemptsAfter = async (ms: number) => {
      state.nowMs += ms;
      await refuseMany(1_400);
      return [state.attempts, errors.length];
    };
    expect(await attemptsAfter(0)).toEqual([0, 0]);
    expect(await attemptsAfter(DENIAL_WINDOW_MS)).toEqual([1, 0]);
    expect(await attemptsAfter(DENIAL_WINDOW_MS)).toEqual([1, 0]);
    storage.reject(new Error('away'));
    await setImmediate();
    expect(await attemptsAfter(4_999)).toEqual([1, 1]);
    storage = Promise.withResolvers();
    expect(await attemptsAfter(1)).toEqual([2, 1]);
    const disposed = denials[Symbol.asyncDispose]();
    storage.reject(new Error('away'));
    await disposed;
    expect([state.attempts, errors.length]).toEqual([3, 3]);
  });

  test('the windows of a process are bounded: the oldest end early, and their counts are recorded', async () => {
    const log = open();
    const callOf = (at: number) => ({ client: `c-${at}`, id: null });
    for (let at = 0; at < DENIAL_WINDOWS_MAX + 1_000; at += 1)
      for (let call = 0; call < 2; call += 1) await log.refuse(callOf(at));
    await log.settle();
    expect(log.events.filter(({ count }) => count !== null)).toHaveLength(1_000);
    await log.refuse(callOf(DENIAL_WINDOWS_MAX));
    await log.denials[Symbol.asyncDispose]();
    const total = log.events.reduce((sum, { count }) => sum + (count ?? 1), 0);
    expect(total).toBe(2 * (DENIAL_WINDOWS_MAX + 1_000) + 1);
  });
});

const isAnsweredBy = (refusal: Promise<void>): Promise<boolean> =>
  refusal.then(
    () => true,
    () => false,
  );

type Random = (end: number) => number;

/** Integers from 0 up to, but not including, `end`; the same seed gives the same numbers. */
function createRandom(seed: number): Random {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0;
  return (end) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) % end;
  };
}

const STEP_MS = [1, 20_000, DENIAL_WINDOW_MS - 1, DENIAL_WINDOW_MS, 200_000];

const drawRefusal = (random: Random): Refusal => ({
  client: `c-${random(2)}`,
  operation: random(2) === 0 ? 'get' : 'put',
  id: random(4) === 0 ? null : `r-${random(40)}`,
});

const operationOf = ({ actor, operation }: Pick<AuditContext, 'actor' | 'operation'>) =>
  `${actor.clientId} ${operation}`;

/** Sums by actor and operation. */
function sumsOf(counts: readonly (readonly [key: string, count: number])[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [key, count] of counts) sums.set(key, (sums.get(key) ?? 0) + count);
  return sums;
}

test('every answered refusal is in the log once, and neither a kind nor an actor fills it', async () => {
  let counted = 0;
  for (const seed of seeds(300)) {
    const random = createRandom(seed);
    const log = open();
    const answered: [string, number][] = [];
    for (let step = 0; step < 200; step += 1) {
      const kind = random(20);
      if (kind === 0) await log.advance(STEP_MS[random(STEP_MS.length)] ?? 0);
      else if (kind === 1) log.state.fails = random(2) === 0;
      else {
        const refusal = drawRefusal(random);
        const isAnswered = await isAnsweredBy(log.refuse(refusal));
        if (isAnswered) answered.push([`${refusal.client} ${refusal.operation}`, 1]);
      }
    }
    log.state.fails = false;
    await log.denials[Symbol.asyncDispose]();
    const recorded = log.events.map(({ auditContext, count }) => [operationOf(auditContext), count ?? 1] as const);
    expect([seed, Object.fromEntries(sumsOf(recorded))]).toEqual([seed, Object.fromEntries(sumsOf(answered))]);
    expectBounded(log.events);
    counted += answered.length - log.events.length;
  }
  expect(counted).toBeGreaterThan(coverage(300));
});

/** Within any window a kind has one first event, and an actor has few with an id. */
function expectBounded(events: readonly Recorded[]): void {
  const firsts = events.filter(({ count }) => count === null);
  for (const first of firsts) {
    const within = firsts.filter(({ atMs }) => atMs >= first.atMs && atMs < first.atMs + DENIAL_WINDOW_MS);
    const ofActor = within.filter(
      ({ auditContext: { actor } }) => actor.clientId === first.auditContext.actor.clientId,
    );
    expect(ofActor.filter(({ resource }) => resource.id !== null).length).toBeLessThanOrEqual(DENIED_RESOURCES_MAX);
    const sameKind = ofActor.filter(
      ({ auditContext: { operation }, resource }) =>
        operation === first.auditContext.operation && resource.id === first.resource.id,
    );
    expect(sameKind).toHaveLength(1);
  }
}

test('what is no operation has a first event and a number of resources of its own', async () => {
  const { denials, events, advance } = open();
  const firsts: string[] = [];
  const refuse = (id: string) => {
    const actor = { clientId: 'address:192.0.2.1', identityId: null };
    const time = new Date(0).toISOString();
    const auditContext = { tenant: 'acme', actor, operation: 'sign-in', time, trackingId: id };
    const recordFirst = async () => void firsts.push(id);
    return denials.record(auditContext, { type: 'AUTH_USER', id }, { recordFirst, resourcesMax: 2 });
  };
  for (const id of ['r-1', 'r-1', 'r-2', 'r-3', 'r-4']) await refuse(id);
  await advance(DENIAL_WINDOW_MS);
  expect(firsts).toEqual(['r-1', 'r-2', 'r-3']);
  expect(events.map(({ resource, count }) => [resource.id, count])).toEqual([
    ['r-1', 1],
    [null, 1],
  ]);
});
