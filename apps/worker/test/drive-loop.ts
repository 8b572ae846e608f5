import { createSodReader } from '@access-admin/rulebook-cache';
import type { Store } from '@access-admin/store';
import { pino } from 'pino';
import { createRunLoop, type RunLoopDeps } from '../src/loop/run-loop.ts';
import { createPopulations } from '../src/reports/population.ts';

export const LEASE_MS = 30_000;
export const START_MS = Date.parse('2026-03-01T12:00:01.000Z');

/** A clock that only tests move. */
export interface TestClock {
  nowMs: number;
}

/** A run loop whose time stands still: it runs until it waits, and goes on when told. */
export interface DrivenLoop {
  /** Resolves when the loop waits with nothing in hand, with how long it means to; rejects when it ended instead. */
  idle(): Promise<number>;
  /** Ends the wait, as if its time had come. */
  goOn(): void;
  /** Tells of a commit. */
  ring(): void;
  stop(): void;
  readonly ended: Promise<void>;
  /** How often the loop asked what there is to do. */
  rounds(): number;
  /** How many checks each claim took, empty claims left out. */
  readonly claimed: readonly number[];
  readonly logged: readonly string[];
}

export function driveLoop(store: Store, clock: TestClock, overrides: Partial<RunLoopDeps> = {}): DrivenLoop {
  const stopping = new AbortController();
  const logged: string[] = [];
  const claimed: number[] = [];
  let rounds = 0;
  let listener = () => {};
  const waits = createWaits();
  const queue = overrides.checks ?? store.checks;
  const loop = createRunLoop(
    {
      reader: createSodReader(store.sod),
      sod: store.sod,
      reports: store.reports,
      populations: createPopulations({ bytesMax: 1e9, shardSize: 7 }),
      onCommit: (ring) => {
        listener = ring;
        return () => {
          listener = () => {};
        };
      },
      log: pino({ level: 'debug' }, { write: (line: string) => logged.push(line) }),
      now: () => clock.nowMs,
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
          rounds += 1;
          return queue.nextClaimableAtMs();
        },
      },
    },
    { leaseMs: LEASE_MS },
  );
  return {
    idle: waits.idle,
    goOn: waits.goOn,
    ring: () => listener(),
    stop: () => stopping.abort(),
    ended: loop.run(stopping.signal),
    rounds: () => rounds,
    claimed,
    logged,
  };
}

function createWaits() {
  let current: { readonly ms: number; readonly end: () => void } | null = null;
  let watcher: ((ms: number) => void) | null = null;
  const wait = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      // Between rounds of work the loop only takes breath.
      if (ms === 0 || signal.aborted) return setImmediate(resolve);
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
  return { wait, idle, goOn: () => current?.end() };
}
