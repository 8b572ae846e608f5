import { coverage, runs } from '@access-admin/test-depth';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSemaphore, type Slot } from './semaphore.ts';

const CAPACITY = 20;
const WAITING_MAX = 6;
const WAIT_MS = 50;
const TENANTS = ['a', 'b', 'c', 'd'];

type Step = readonly [
  kind: 'acquire' | 'acquireMore' | 'release' | 'give' | 'leave' | 'pass',
  which: number,
  amount: number,
];

const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom('acquire', 'acquire', 'acquire', 'acquireMore', 'release', 'give', 'leave', 'pass'),
  fc.nat(99),
  fc.integer({ min: 1, max: 9 }),
);

/** A slot as the test sees it: a second account of what it holds and of the acquisition that waits. */
interface Seen {
  readonly tenant: string;
  readonly slot: Slot;
  readonly leaving: AbortController;
  held: number;
  waiting: number | null;
  /** The number of the last acquisition, which orders those that wait. */
  acquisition: number;
}

interface Rules {
  readonly tenantMax: number | null;
  readonly refuses: 'newcomer' | 'longest';
  readonly refusesAtOnce: boolean;
}

const rules: fc.Arbitrary<Rules> = fc.record({
  tenantMax: fc.constantFrom(null, 8),
  refuses: fc.constantFrom('newcomer', 'longest'),
  refusesAtOnce: fc.boolean(),
});

/** A semaphore whose clock the test moves, and a second account of it. */
function openSemaphore({ tenantMax, ...rules }: Rules) {
  let nowMs = 0;
  const timers = new Set<{ readonly atMs: number; readonly callback: () => void }>();
  const semaphore = createSemaphore({
    ...rules,
    ...(tenantMax === null ? {} : { tenantMax }),
    capacity: CAPACITY,
    waitingMax: WAITING_MAX,
    waitMsMax: WAIT_MS,
    elapsed: () => nowMs,
    after: (ms, callback) => {
      const timer = { atMs: nowMs + ms, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  });
  const slots: Seen[] = [];
  const excesses: object[] = [];
  const heldBy = (counts: (seen: Seen) => boolean) => slots.filter(counts).reduce((sum, { held }) => sum + held, 0);
  /** Grants become known in their order, so the account is that of the moment of the grant. */
  const grant = (seen: Seen, amount: number) => {
    const own = heldBy(({ tenant }) => tenant === seen.tenant);
    const free = CAPACITY - heldBy(() => true);
    if (amount > free || (own > 0 && own + amount > (tenantMax ?? free - amount))) excesses.push({ own, free, amount });
    seen.held += amount;
  };
  let acquisitions = 0;
  const acquire = (seen: Seen, amount: number) => {
    seen.acquisition = acquisitions++;
    const acquired = seen.slot.acquire(amount);
    if (!(acquired instanceof Promise)) {
      if (acquired.ok) grant(seen, amount);
      return;
    }
    seen.waiting = amount;
    void acquired.then(({ ok }) => {
      if (ok) grant(seen, amount);
      seen.waiting = null;
    });
  };
  const release = (seen: Seen, amount?: number) => {
    seen.held -= Math.min(amount ?? seen.held, seen.held);
    seen.slot.release(amount);
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
    if (kind === 'acquire') {
      const tenant = TENANTS[which % TENANTS.length] ?? '';
      const leaving = new AbortController();
      const slot = semaphore.open(tenant, { signal: () => leaving.signal });
      const seen: Seen = { tenant, slot, leaving, held: 0, waiting: null, acquisition: 0 };
      slots.push(seen);
      return acquire(seen, amount);
    }
    const seen = slots[which % Math.max(slots.length, 1)];
    if (seen === undefined) return;
    if (kind === 'acquireMore' && seen.waiting === null) acquire(seen, amount);
    if (kind === 'leave') seen.leaving.abort();
    if (kind === 'release') release(seen);
    if (kind === 'give') release(seen, Math.min(amount, seen.held));
  };
  return { semaphore, slots, excesses, timers, heldBy, act, release };
}

const settled = async () => {
  for (let turn = 0; turn < 3; turn++) await null;
};

test('whatever tenants do: never more than there is, nobody fills it, no capacity is left unused, nothing leaks', async () => {
  let waited = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), rules, async (steps, each) => {
      const { semaphore, slots, excesses, timers, heldBy, act, release } = openSemaphore(each);
      for (const next of steps) {
        act(next);
        await settled();
        expect(excesses).toEqual([]);
        const waiting = slots
          .filter((seen) => seen.waiting !== null)
          .sort((one, other) => one.acquisition - other.acquisition);
        waited += waiting.length;
        const present = slots.filter((seen) => seen.held > 0 || seen.waiting !== null);
        const held = heldBy(() => true);
        const tenants = new Set(present.map(({ tenant }) => tenant)).size;
        expect(semaphore.usage()).toEqual({ held, waiting: waiting.length, tenants });
        expect([held <= CAPACITY, waiting.length <= WAITING_MAX, timers.size]).toEqual([true, true, waiting.length]);
        const firsts = TENANTS.map((tenant) => ({
          own: heldBy((seen) => seen.tenant === tenant),
          amount: waiting.find((seen) => seen.tenant === tenant)?.waiting ?? null,
        }));
        const free = CAPACITY - held;
        const isKept = firsts.some(({ own, amount }) => own === 0 && amount !== null && amount > free);
        const mayTake = firsts.filter(
          ({ own, amount }) => amount !== null && amount <= free && own + amount <= (each.tenantMax ?? free - amount),
        );
        if (!isKept) expect(mayTake).toEqual([]);
      }
      for (const seen of slots) release(seen);
      await settled();
      expect([semaphore.usage(), timers.size]).toEqual([{ held: 0, waiting: 0, tenants: 0 }, 0]);
    }),
    runs(3_000),
  );
  expect(waited).toBeGreaterThan(coverage(100));
});
