import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Acquired, SemaphoreOptions } from './ledger.ts';
import { createSemaphore, withSlot } from './semaphore.ts';

/** A semaphore with a clock and timers that the test moves. */
function openSemaphore(options: Partial<SemaphoreOptions> & Pick<SemaphoreOptions, 'capacity'>) {
  let nowMs = 0;
  const timers = new Set<{ readonly atMs: number; readonly callback: () => void }>();
  const semaphore = createSemaphore({
    waitingMax: 100,
    waitMsMax: 1_000,
    elapsed: () => nowMs,
    after: (ms, callback) => {
      const timer = { atMs: nowMs + ms, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    ...options,
  });
  const advance = (ms: number) => {
    nowMs += ms;
    for (const timer of [...timers])
      if (timer.atMs <= nowMs) {
        timers.delete(timer);
        timer.callback();
      }
  };
  return { ...semaphore, advance, timers };
}

const isAcquired = async (acquired: Acquired | Promise<Acquired>) => (await acquired).ok;
const refusalOf = async (acquired: Acquired | Promise<Acquired>) => {
  const outcome = await acquired;
  return outcome.ok ? null : outcome.failure;
};

describe('a semaphore', () => {
  test('gives one tenant half of it, and another one half of what is left', () => {
    const semaphore = openSemaphore({ capacity: 64 });
    const slot = semaphore.open('a');
    expect([slot.acquire(32), slot.acquire(1)]).toEqual([{ ok: true, value: null }, expect.any(Promise)]);
    const other = semaphore.open('b');
    expect(other.acquire(16)).toEqual({ ok: true, value: null });
    expect(semaphore.usage()).toEqual({ held: 48, waiting: 1, tenants: 2 });
  });

  test('gives a tenant that holds nothing all that is free, but never more', () => {
    const semaphore = openSemaphore({ capacity: 3, waitingMax: 0 });
    const acquisitions = ['a', 'b', 'c', 'd'].map((tenant) => semaphore.open(tenant).acquire(1));
    expect(acquisitions).toEqual([true, true, true, false].map((isThere) => expect.objectContaining({ ok: isThere })));
    expect(semaphore.usage()).toEqual({ held: 3, waiting: 0, tenants: 3 });
  });

  test('serves the tenant that holds the least, then the one that was served longest ago, then the first', async () => {
    const semaphore = openSemaphore({ capacity: 4 });
    const served: string[] = [];
    const enter = async (tenant: string) => {
      const slot = semaphore.open(tenant);
      if (await isAcquired(slot.acquire(1))) served.push(tenant);
      return slot;
    };
    const first = [await enter('a'), await enter('a'), await enter('b'), await enter('c')];
    const waits = ['b', 'a', 'd', 'e'].map(enter);
    for (const slot of first) slot.release();
    await Promise.all(waits);
    expect(served.slice(4)).toEqual(['d', 'e', 'a', 'b']);
  });

  test('is not given to others while a tenant that holds nothing waits for much of it', async () => {
    const semaphore = openSemaphore({ capacity: 10 });
    const large = semaphore.open('a');
    const small = semaphore.open('b');
    expect([await isAcquired(large.acquire(5)), await isAcquired(small.acquire(2))]).toEqual([true, true]);
    const waiting = semaphore.open('c').acquire(6);
    const later = semaphore.open('d').acquire(1);
    small.release();
    expect(semaphore.usage()).toMatchObject({ held: 5, waiting: 2 });
    large.release();
    expect([await isAcquired(waiting), await isAcquired(later)]).toEqual([true, true]);
  });

  test('refuses after the longest wait, and when the caller leaves', async () => {
    const semaphore = openSemaphore({ capacity: 2 });
    const holder = semaphore.open('a');
    expect(await isAcquired(holder.acquire(2))).toBe(true);
    const leaving = new AbortController();
    const acquisitions = [
      semaphore.open('a').acquire(1),
      semaphore.open('b').acquire(1),
      semaphore.open('b', { signal: () => leaving.signal }).acquire(1),
    ];
    leaving.abort();
    expect(await refusalOf(acquisitions[2] as Acquired)).toEqual({ isOwn: true, retryAfterSeconds: 1 });
    semaphore.advance(1_000);
    expect(await refusalOf(acquisitions[0] as Acquired)).toEqual({ isOwn: true, retryAfterSeconds: 1 });
    expect(await refusalOf(acquisitions[1] as Acquired)).toEqual({ isOwn: false, retryAfterSeconds: 1 });
    expect([semaphore.usage(), semaphore.timers.size]).toEqual([{ held: 2, waiting: 0, tenants: 1 }, 0]);
    const gone = semaphore.open('c', { signal: () => leaving.signal }).acquire(1);
    expect(await isAcquired(gone)).toBe(false);
  });

  test('lets a tenant have half of the waiting acquisitions', async () => {
    const semaphore = openSemaphore({ capacity: 2, waitingMax: 4 });
    await semaphore.open('a').acquire(1);
    const acquisitions = Array.from({ length: 3 }, () => semaphore.open('a').acquire(1));
    expect(acquisitions.map((acquired) => acquired instanceof Promise)).toEqual([true, true, false]);
    await semaphore.open('b').acquire(1);
    expect(semaphore.open('b').acquire(1)).toBeInstanceOf(Promise);
    expect(semaphore.usage().waiting).toBe(3);
  });

  test('tells how long a further acquisition would wait, by the time that slots were held', async () => {
    const semaphore = openSemaphore({ capacity: 4, waitingMax: 12 });
    // A tenant that holds nothing and does not wait is forgotten.
    semaphore.open('a').acquire(1);
    for (let at = 0; at < 10; at++) {
      const slot = semaphore.open('a');
      slot.acquire(1);
      semaphore.advance(400);
      slot.release();
    }
    semaphore.open('a').acquire(1);
    const acquisitions = Array.from({ length: 7 }, () => semaphore.open('a').acquire(1));
    expect(acquisitions.map((acquired) => acquired instanceof Promise)).toEqual([...Array(6).fill(true), false]);
    expect(await refusalOf(acquisitions[6] as Acquired)).toEqual({ isOwn: true, retryAfterSeconds: 2 });
  });

  test('refuses at once where it is to, but lets wait what other tenants keep from its part', async () => {
    const semaphore = openSemaphore({ capacity: 12, refusesAtOnce: true });
    await semaphore.open('a').acquire(6);
    expect(await refusalOf(semaphore.open('a').acquire(1))).toEqual({ isOwn: true, retryAfterSeconds: 1 });
    const slot = semaphore.open('b');
    await slot.acquire(3);
    expect(slot.acquire(1)).toBeInstanceOf(Promise);
    expect(await isAcquired(semaphore.open('b').acquire(2))).toBe(false);
  });

  test('keeps nothing of a slot that is released while it waits, or right after it was served', async () => {
    const semaphore = openSemaphore({ capacity: 2 });
    const holder = semaphore.open('a');
    await holder.acquire(2);
    const [left, served] = [semaphore.open('b'), semaphore.open('c')] as const;
    const waits = [left.acquire(1), served.acquire(1)];
    left.release();
    holder.release();
    served.release();
    expect(await Promise.all(waits.map(isAcquired))).toEqual([false, true]);
    expect([semaphore.usage(), semaphore.timers.size]).toEqual([{ held: 0, waiting: 0, tenants: 0 }, 0]);
  });

  test('lets a tenant hold up to a bound, if it is to, and one that holds nothing exceed it by one acquisition', async () => {
    const semaphore = openSemaphore({ capacity: 10, tenantMax: 4 });
    const acquired: string[] = [];
    const enter = (name: string, tenant: string, amount: number) => {
      const slot = semaphore.open(tenant);
      void Promise.resolve(slot.acquire(amount)).then(({ ok }) => ok && acquired.push(name));
      return slot;
    };
    const large = enter('a large', 'a', 6);
    enter('a small', 'a', 1);
    const other = enter('b', 'b', 3);
    enter('c', 'c', 2);
    await setImmediate();
    expect(acquired).toEqual(['a large', 'b']);
    other.release();
    await setImmediate();
    expect(acquired.slice(2)).toEqual(['c']);
    large.release();
    await setImmediate();
    expect(acquired.slice(3)).toEqual(['a small']);
  });

  test('lets a tenant whose work hangs keep others from nothing beyond its bound', async () => {
    const semaphore = openSemaphore({ capacity: 4, tenantMax: 3 });
    const begun: string[] = [];
    const enter = (tenant: string) => {
      const slot = semaphore.open(tenant);
      void Promise.resolve(slot.acquire()).then(() => begun.push(tenant));
      return slot;
    };
    const hanging = Array.from({ length: 10 }, () => enter('hanging'));
    enter('good');
    enter('good');
    await setImmediate();
    expect(begun).toEqual(['hanging', 'hanging', 'hanging', 'good']);
    hanging[0]?.release();
    await setImmediate();
    expect(begun.slice(4)).toEqual(['good']);
  });
});

const REFUSED = new Error('refused');

/** A semaphore for one piece of work, which is held until `release`. */
async function openHeld(waitingMax: number) {
  const semaphore = createSemaphore({ capacity: 1, tenantMax: 1, waitingMax, refuses: 'longest', elapsed: () => 0 });
  const run = <T>(tenant: string, client: string, work: () => Promise<T>) =>
    withSlot(semaphore.open(tenant, { client }), () => REFUSED, work);
  const held = Promise.withResolvers<void>();
  const holding = run('holder', 'h', () => held.promise);
  const order: string[] = [];
  const refused: string[] = [];
  const works: Promise<unknown>[] = [];
  const enter = (tenant: string, client: string, name = `${tenant} ${client}`) => {
    const work = run(tenant, client, async () => void order.push(name));
    works.push(work.catch((error: unknown) => refused.push(error === REFUSED ? name : String(error))));
  };
  const release = async () => {
    await setImmediate();
    held.resolve();
    await Promise.all([holding, ...works]);
    return { order, refused };
  };
  return { run, enter, release };
}

describe('what waits', () => {
  test('is served by tenants in turn, whatever each has waiting', async () => {
    const { enter, release } = await openHeld(100);
    for (let at = 0; at < 5; at++) enter('flood', 'x', `flood ${at}`);
    enter('one', 'a');
    enter('two', 'b');
    expect(await release()).toEqual({
      order: ['flood 0', 'one a', 'two b', 'flood 1', 'flood 2', 'flood 3', 'flood 4'],
      refused: [],
    });
  });

  test('is served by clients of one tenant in turn', async () => {
    const { enter, release } = await openHeld(100);
    for (let at = 0; at < 3; at++) enter('same', 'flood', `flood ${at}`);
    enter('same', 'good');
    expect((await release()).order).toEqual(['flood 0', 'same good', 'flood 1', 'flood 2']);
  });

  test('is refused, if it is to, from the newest of the tenant, and there of the client, that has most waiting', async () => {
    const { enter, release } = await openHeld(4);
    for (let at = 0; at < 4; at++) enter('flood', at === 0 ? 'rare' : 'often', `flood ${at}`);
    enter('other', 'a');
    enter('flood', 'often', 'flood 4');
    expect(await release()).toEqual({
      order: ['flood 0', 'other a', 'flood 1', 'flood 2'],
      refused: ['flood 3', 'flood 4'],
    });
  });

  test('is refused where no tenant has more waiting than the newcomer', async () => {
    const { enter, release } = await openHeld(2);
    for (const tenant of ['one', 'two', 'three']) enter(tenant, 'a');
    expect(await release()).toEqual({ order: ['one a', 'two a'], refused: ['three a'] });
  });

  test('is served after work that failed', async () => {
    const { run, enter, release } = await openHeld(10);
    const failing = expect(run('one', 'a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    enter('one', 'a');
    expect((await release()).order).toEqual(['one a']);
    await failing;
    expect(await run('one', 'a', async () => 'next')).toBe('next');
  });

  test('waits for no more than one piece of work of each other tenant', async () => {
    const { enter, release } = await openHeld(1000);
    for (let at = 0; at < 300; at++) enter(`a${at % 3}`, `c${at % 7}`, `a${at % 3}`);
    const { order } = await release();
    for (let at = 0; at + 3 <= order.length; at += 3) expect(new Set(order.slice(at, at + 3)).size).toBe(3);
  });
});
