import { createSodReader } from '@access-admin/rulebook-cache';
import type { Store } from '@access-admin/store';
import { pino } from 'pino';
import { createRunLoop, type RunLoopDeps } from '../src/loop/run-loop.ts';
import { createPopulations } from '../src/reports/population.ts';

export const LEASE_MS = 30_000;
export const START_MS = Date.parse('2026-03-01T12:00:01.000Z');

/** A clock that only the test changes. */
export interface TestClock {
  nowMs: number;
}

/** A run loop with a stopped clock: it runs until it waits, and continues on `resume`. */
export interface DrivenLoop {
  /** Resolves with the duration of the wait when the loop is idle. */
  idle(): Promise<number>;
  /** Ends the current wait, as if its time had passed. */
  resume(): void;
  /** Notifies the loop of a commit. */
  wake(): void;
  stop(): void;
  readonly ended: Promise<void>;
  /** How often the loop polled the queue. */
  polls(): number;
  /** The number of checks of each claim, without empty claims. */
  readonly claimed: readonly number[];
  readonly logged: readonly string[];
}

export function driveLoop(store: Store, clock: TestClock, overrides: Partial<RunLoopDeps> = {}): DrivenLoop {
  const stopping = new AbortController();
  const logged: string[] = [];
  const claimed: number[] = [];
  let [polls, busyMs] = [0, 0];
  let listener = () => {};
  const waits = createWaits();
  const queue = overrides.checks ?? store.checks;
  const loop = createRunLoop(
    {
      reader: createSodReader(store.sod),
      sod: store.sod,
      engine: store.engine,
      reports: store.reports,
      // Tests of checks and reports count what the loop does.
      register: { ...store.register, claim: async () => null, demandComparisons: async () => {} },
      violationRetentionDays: 400,
      events: store.events,
      eventRetentionDays: 30,
      signInExpiry: store.signInExpiry,
      populations: createPopulations({ bytesMax: 1e9, shardSize: 7 }),
      onCommit: (wake) => {
        listener = wake;
        return () => {
          listener = () => {};
        };
      },
      log: pino({ level: 'debug' }, { write: (line: string) => logged.push(line) }),
      now: () => clock.nowMs,
      // Each step takes a millisecond.
      busyMs: () => ++busyMs,
      random: () => 1,
      wait: waits.wait,
      ...overrides,
      checks: {
        ...queue,
        claim: async (request) => {
          const claims = await queue.claim(request);
          if (claims.length > 0) claimed.push(claims.length);
          return claims;
        },
        nextClaimableAtMs: () => {
          polls += 1;
          return queue.nextClaimableAtMs();
        },
      },
    },
    { leaseMs: LEASE_MS },
  );
  return {
    idle: waits.idle,
    resume: waits.resume,
    wake: () => listener(),
    stop: () => stopping.abort(),
    ended: loop.run(stopping.signal),
    polls: () => polls,
    claimed,
    logged,
  };
}

function createWaits() {
  let current: { readonly ms: number; readonly end: () => void } | null = null;
  let watcher: ((ms: number) => void) | null = null;
  const wait = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      // Short waits only let other events be handled: the loop has work that waits for the database.
      if (ms < 100 || signal.aborted) return setImmediate(resolve);
      const end = () => {
        current = null;
        resolve();
      };
      current = { ms, end };
      signal.addEventListener('abort', end, { once: true });
      watcher?.(ms);
    });
  const idle = () =>
    new Promise<number>((resolve) => {
      if (current !== null) return resolve(current.ms);
      watcher = (ms) => {
        watcher = null;
        resolve(ms);
      };
    });
  return { wait, idle, resume: () => current?.end() };
}
