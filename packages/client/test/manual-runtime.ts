import type { Runtime } from '../src/http/runtime.ts';

/** A clock that advances only with `sleep`, which resolves at once, and timers that fire only on `fire`. */
export interface ManualRuntime extends Runtime {
  /** All delays of `sleep`, in milliseconds. */
  readonly sleeps: readonly number[];
  /** The delays of pending timers, in milliseconds. */
  readonly timers: readonly number[];
  advance(ms: number): void;
  /** Fires the timers with this delay. */
  fire(ms: number): void;
}

/** Starts at 2026-11-21T09:30:00Z; the random number is always the same. */
export function createManualRuntime(randomNumber = 0.5): ManualRuntime {
  let now = Date.UTC(2026, 10, 21, 9, 30);
  const sleeps: number[] = [];
  const timers = new Set<{ readonly ms: number; readonly callback: () => void }>();
  return {
    now: () => now,
    random: () => randomNumber,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      sleeps.push(ms);
      now += ms;
    },
    after: (ms, callback) => {
      const timer = { ms, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    sleeps,
    get timers() {
      return [...timers].map(({ ms }) => ms);
    },
    advance: (ms) => {
      now += ms;
    },
    fire: (ms) => {
      for (const timer of timers) {
        if (timer.ms !== ms) continue;
        timers.delete(timer);
        timer.callback();
      }
    },
  };
}
