import { coverage, runs } from '@access-admin/test-depth';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSharedRoom, type RoomShare } from './shared-room.ts';

const SIZE = 20;
const WAITING_MAX = 6;
const WAIT_MS = 50;
const TENANTS = ['a', 'b', 'c', 'd'];

type Step = readonly [kind: 'take' | 'takeMore' | 'release' | 'give' | 'leave' | 'pass', which: number, amount: number];

const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom('take', 'take', 'take', 'takeMore', 'release', 'give', 'leave', 'pass'),
  fc.nat(99),
  fc.integer({ min: 1, max: 9 }),
);

/** A share as the test sees it: a second account of what it holds and of the take that waits. */
interface Seen {
  readonly tenant: string;
  readonly share: RoomShare;
  readonly leaving: AbortController;
  held: number;
  waiting: number | null;
  /** The number of the last take, which orders those that wait. */
  take: number;
}

/** A room whose clock the test moves, and a second account of it. */
function openRoom(refusesAtOnce: boolean) {
  let nowMs = 0;
  const timers = new Set<{ readonly atMs: number; readonly callback: () => void }>();
  const room = createSharedRoom({
    size: SIZE,
    waitingMax: WAITING_MAX,
    waitMsMax: WAIT_MS,
    refusesAtOnce,
    elapsed: () => nowMs,
    after: (ms, callback) => {
      const timer = { atMs: nowMs + ms, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  });
  const shares: Seen[] = [];
  const excesses: object[] = [];
  const heldBy = (counts: (seen: Seen) => boolean) => shares.filter(counts).reduce((sum, { held }) => sum + held, 0);
  /** Grants become known in their order, so the account is that of the moment of the grant. */
  const grant = (seen: Seen, amount: number) => {
    const own = heldBy(({ tenant }) => tenant === seen.tenant);
    const free = SIZE - heldBy(() => true);
    if (amount > (own === 0 ? free : (own + free) / 2 - own)) excesses.push({ own, free, amount });
    seen.held += amount;
  };
  let takes = 0;
  const take = (seen: Seen, amount: number) => {
    seen.take = takes++;
    const taken = seen.share.take(amount);
    if (!(taken instanceof Promise)) {
      if (taken.ok) grant(seen, amount);
      return;
    }
    seen.waiting = amount;
    void taken.then(({ ok }) => {
      if (ok) grant(seen, amount);
      seen.waiting = null;
    });
  };
  const release = (seen: Seen, amount?: number) => {
    seen.held -= Math.min(amount ?? seen.held, seen.held);
    seen.share.release(amount);
  };
  const pass = (ms: number) => {
    nowMs += ms;
    for (const timer of [...timers].filter(({ atMs }) => atMs <= nowMs)) {
      timers.delete(timer);
      timer.callback();
    }
  };
  const act = ([kind, which, amount]: Step) => {
    if (kind === 'pass') return pass(amount * 10);
    if (kind === 'take') {
      const tenant = TENANTS[which % TENANTS.length] ?? '';
      const leaving = new AbortController();
      const share = room.open(tenant, () => leaving.signal);
      const seen: Seen = { tenant, share, leaving, held: 0, waiting: null, take: 0 };
      shares.push(seen);
      return take(seen, amount);
    }
    const seen = shares[which % Math.max(shares.length, 1)];
    if (seen === undefined) return;
    if (kind === 'takeMore' && seen.waiting === null) take(seen, amount);
    if (kind === 'leave') seen.leaving.abort();
    if (kind === 'release') release(seen);
    if (kind === 'give') release(seen, Math.min(amount, seen.held));
  };
  return { room, shares, excesses, timers, heldBy, act, release };
}

const settled = async () => {
  for (let turn = 0; turn < 3; turn++) await null;
};

test('whatever tenants do: never more than there is, nobody fills it, no room is left unused, nothing leaks', async () => {
  let waited = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.boolean(), async (steps, refusesAtOnce) => {
      const { room, shares, excesses, timers, heldBy, act, release } = openRoom(refusesAtOnce);
      for (const each of steps) {
        act(each);
        await settled();
        expect(excesses).toEqual([]);
        const waiting = shares.filter((seen) => seen.waiting !== null).sort((one, other) => one.take - other.take);
        waited += waiting.length;
        const present = shares.filter((seen) => seen.held > 0 || seen.waiting !== null);
        const held = heldBy(() => true);
        const tenants = new Set(present.map(({ tenant }) => tenant)).size;
        expect(room.usage()).toEqual({ held, waiting: waiting.length, tenants });
        expect([held <= SIZE, waiting.length <= WAITING_MAX, timers.size]).toEqual([true, true, waiting.length]);
        const firsts = TENANTS.map((tenant) => ({
          own: heldBy((seen) => seen.tenant === tenant),
          amount: waiting.find((seen) => seen.tenant === tenant)?.waiting ?? null,
        }));
        const free = SIZE - held;
        const isKept = firsts.some(({ own, amount }) => own === 0 && amount !== null && amount > free);
        const mayTake = firsts.filter(({ own, amount }) => amount !== null && own + amount <= free - amount);
        if (!isKept) expect(mayTake).toEqual([]);
      }
      for (const seen of shares) release(seen);
      await settled();
      expect([room.usage(), timers.size]).toEqual([{ held: 0, waiting: 0, tenants: 0 }, 0]);
    }),
    runs(3_000),
  );
  expect(waited).toBeGreaterThan(coverage(100));
});
