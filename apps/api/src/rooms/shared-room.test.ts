import { describe, expect, test } from 'vitest';
import type { RoomOptions, Taken } from './ledger.ts';
import { createSharedRoom, type RoomShare } from './shared-room.ts';

/** A room with a clock and timers that the test moves. */
function openRoom(options: Partial<RoomOptions> & Pick<RoomOptions, 'size'>) {
  let nowMs = 0;
  const timers = new Set<{ readonly atMs: number; readonly callback: () => void }>();
  const room = createSharedRoom({
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
  return { ...room, advance, timers };
}

const isTaken = async (taken: Taken | Promise<Taken>) => (await taken).ok;
const refusalOf = async (taken: Taken | Promise<Taken>) => {
  const outcome = await taken;
  return outcome.ok ? null : outcome.failure;
};

describe('a shared room', () => {
  test('gives one tenant half of it, and another one half of what is left', () => {
    const room = openRoom({ size: 64 });
    const share = room.open('a');
    expect([share.take(32), share.take(1)]).toEqual([{ ok: true, value: null }, expect.any(Promise)]);
    const other = room.open('b');
    expect(other.take(16)).toEqual({ ok: true, value: null });
    expect(room.usage()).toEqual({ held: 48, waiting: 1, tenants: 2 });
  });

  test('gives a tenant that holds nothing all that is free, but never more', () => {
    const room = openRoom({ size: 3, waitingMax: 0 });
    const takes = ['a', 'b', 'c', 'd'].map((tenant) => room.open(tenant).take(1));
    expect(takes).toEqual([true, true, true, false].map((isThere) => expect.objectContaining({ ok: isThere })));
    expect(room.usage()).toEqual({ held: 3, waiting: 0, tenants: 3 });
  });

  test('serves the tenant that holds the least, then the one that has worked the least, then the first', async () => {
    const worked: Record<string, number> = { a: 9, b: 5, c: 3, d: 3 };
    const room = openRoom({ size: 4, workedMs: (tenant) => worked[tenant] ?? 0 });
    const first = room.open('a');
    const second = room.open('a');
    const full = room.open('e');
    expect([first.take(1), second.take(1), full.take(2)].every((taken) => 'ok' in taken && taken.ok)).toBe(true);
    const served: string[] = [];
    const waits = ['a', 'b', 'c', 'd'].map(async (tenant) => {
      if (await isTaken(room.open(tenant).take(1))) served.push(tenant);
    });
    for (const share of [first, second, full]) share.release();
    await Promise.all(waits);
    expect(served).toEqual(['c', 'd', 'b', 'a']);
  });

  test('is not given to others while a tenant that holds nothing waits for much of it', async () => {
    const room = openRoom({ size: 10 });
    const large = room.open('a');
    const small = room.open('b');
    expect([await isTaken(large.take(5)), await isTaken(small.take(2))]).toEqual([true, true]);
    const waiting = room.open('c').take(6);
    const later = room.open('d').take(1);
    small.release();
    expect(room.usage()).toMatchObject({ held: 5, waiting: 2 });
    large.release();
    expect([await isTaken(waiting), await isTaken(later)]).toEqual([true, true]);
  });

  test('refuses after the longest wait, and when the caller leaves', async () => {
    const room = openRoom({ size: 2 });
    const holder = room.open('a');
    expect(await isTaken(holder.take(2))).toBe(true);
    const leaving = new AbortController();
    const takes = [room.open('a').take(1), room.open('b').take(1), room.open('b', () => leaving.signal).take(1)];
    leaving.abort();
    expect(await refusalOf(takes[2] as Taken)).toEqual({ isOwn: true, retryAfterSeconds: 1 });
    room.advance(1_000);
    expect(await refusalOf(takes[0] as Taken)).toEqual({ isOwn: true, retryAfterSeconds: 1 });
    expect(await refusalOf(takes[1] as Taken)).toEqual({ isOwn: false, retryAfterSeconds: 1 });
    expect([room.usage(), room.timers.size]).toEqual([{ held: 2, waiting: 0, tenants: 1 }, 0]);
    const gone = room.open('c', () => leaving.signal).take(1);
    expect(await isTaken(gone)).toBe(false);
  });

  test('lets a tenant have half of the waiting takes', async () => {
    const room = openRoom({ size: 2, waitingMax: 4 });
    await room.open('a').take(1);
    const takes = Array.from({ length: 3 }, () => room.open('a').take(1));
    expect(takes.map((taken) => taken instanceof Promise)).toEqual([true, true, false]);
    await room.open('b').take(1);
    expect(room.open('b').take(1)).toBeInstanceOf(Promise);
    expect(room.usage().waiting).toBe(3);
  });

  test('tells how long a further take would wait, by the time that shares were held', async () => {
    const room = openRoom({ size: 4, waitingMax: 12 });
    // A tenant that holds nothing and does not wait is forgotten.
    room.open('a').take(1);
    for (let at = 0; at < 10; at++) {
      const share = room.open('a');
      share.take(1);
      room.advance(400);
      share.release();
    }
    room.open('a').take(1);
    const takes = Array.from({ length: 7 }, () => room.open('a').take(1));
    expect(takes.map((taken) => taken instanceof Promise)).toEqual([...Array(6).fill(true), false]);
    expect(await refusalOf(takes[6] as Taken)).toEqual({ isOwn: true, retryAfterSeconds: 2 });
  });

  test('refuses at once where it is to, but lets wait what other tenants keep from its part', async () => {
    const room = openRoom({ size: 12, refusesAtOnce: true });
    await room.open('a').take(6);
    expect(await refusalOf(room.open('a').take(1))).toEqual({ isOwn: true, retryAfterSeconds: 1 });
    const share = room.open('b');
    await share.take(3);
    expect(share.take(1)).toBeInstanceOf(Promise);
    expect(await isTaken(room.open('b').take(2))).toBe(false);
  });

  test('keeps nothing of a share that is released while it waits, or right after it was served', async () => {
    const room = openRoom({ size: 2 });
    const holder = room.open('a');
    await holder.take(2);
    const [left, served] = [room.open('b'), room.open('c')] as [RoomShare, RoomShare];
    const waits = [left.take(1), served.take(1)];
    left.release();
    holder.release();
    served.release();
    expect(await Promise.all(waits.map(isTaken))).toEqual([false, true]);
    expect([room.usage(), room.timers.size]).toEqual([{ held: 0, waiting: 0, tenants: 0 }, 0]);
  });
});
