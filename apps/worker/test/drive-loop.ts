import { createScheduler } from '@access-admin/scheduling';
import type { Store } from '@access-admin/store';
import { createSodReader } from '@access-admin/store';
import { pino } from 'pino';
import { createJobLog } from '../src/process/job-log.ts';
import { createWorker, type WorkerDeps } from '../src/process/worker.ts';
import { createPopulations } from '../src/reports/population.ts';

export const LEASE_MS = 30_000;
export const START_MS = Date.parse('2026-03-01T12:00:01.000Z');

/** A clock that only the test changes. */
export interface TestClock {
  nowMs: number;
}

/** A worker with a clock that only the test moves: it works until it waits, and goes on at that time or on `resume`. */
export interface DrivenLoop {
  /** Resolves with the duration of the shortest wait when the worker waits and does nothing else. */
  idle(): Promise<number>;
  /** Ends the current waits, as if their time had passed. */
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

export function driveLoop(store: Store, clock: TestClock, overrides: Partial<WorkerDeps> = {}): DrivenLoop {
  const stopping = new AbortController();
  const logged: string[] = [];
  const claimed: number[] = [];
  let polls = 0;
  let workedMs = 0;
  // Each step takes a millisecond.
  const { busyMs = () => ++workedMs } = overrides;
  let listener = () => {};
  const log = pino({ level: 'debug' }, { write: (line: string) => logged.push(line) });
  const { delivery = null, auditLogs = null, mailWork = null } = overrides;
  const kinds = KINDS + [delivery, auditLogs, mailWork].filter((work) => work !== null).length;
  const waits = createWaits(clock, { loops: 2 * kinds + 1, isWorking: () => worker.jobCount() > 0 });
  const queue = overrides.checks ?? store.checks;
  const worker = createWorker({
    leaseMs: LEASE_MS,
    delivery: null,
    auditLogs: null,
    mailWork: null,
    mails: store.mails,
    erasures: store.erasures,
    tenants: store.tenants,
    reader: createSodReader(store.sod),
    sod: store.sod,
    engine: store.engine,
    reports: store.reports,
    loads: store.loads,
    reservations: store.reservations,
    tenantRemovals: { ...store.tenantRemovals, claim: async () => [] },
    // Tests of checks and reports count what the loop does.
    register: { ...store.register, claim: async () => [] },
    violationRetentionDays: 400,
    events: store.events,
    eventRetentionDays: 30,
    checkRetentionDays: 400,
    signInExpiry: store.signInExpiry,
    auditRetention: store.auditRetention,
    auditRetentionDays: null,
    auditArchive: '',
    signAuditHead: async () => 'signature',
    populations: createPopulations({ bytesMax: 1e9, shardSize: 7 }),
    onCommit: (wake) => {
      listener = () => wake(null);
      return () => {
        listener = () => {};
      };
    },
    log,
    onJobEnd: createJobLog(log),
    onVerdict: () => {},
    onStorageFailure: () => {},
    now: () => clock.nowMs,
    busyMs,
    yieldIfDue: createScheduler({ elapsed: busyMs, dueAfterMs: 5 }).yieldIfDue,
    random: () => 1,
    wait: waits.wait,
    ...overrides,
    checks: {
      ...queue,
      claim: async (request) => {
        polls += 1;
        const claims = await queue.claim(request);
        if (claims.length > 0) claimed.push(claims.length);
        return claims;
      },
    },
  });
  return {
    idle: waits.idle,
    resume: waits.resume,
    wake: () => listener(),
    stop: () => stopping.abort(),
    ended: worker.run(stopping.signal),
    polls: () => polls,
    claimed,
    logged,
  };
}

/** The kinds of work that each worker has. A loop of claims and one of renewals for each, and that of sweeps, wait for work. */
const KINDS = 6;

interface Wait {
  readonly ms: number;
  readonly untilMs: number;
  readonly end: () => void;
}

function createWaits(clock: TestClock, { loops, isWorking }: { readonly loops: number; isWorking(): boolean }) {
  const current = new Set<Wait>();
  const endPassed = () => {
    for (const each of [...current]) if (clock.nowMs >= each.untilMs) each.end();
  };
  const wait = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      // Short waits only let other events be handled: work waits for the database.
      if (ms < 100 || signal.aborted) return setImmediate(resolve);
      const timer = setInterval(endPassed, 1);
      const end = () => {
        if (!current.delete(started)) return;
        clearInterval(timer);
        resolve();
      };
      const started = { ms, untilMs: clock.nowMs + ms, end };
      current.add(started);
      signal.addEventListener('abort', end, { once: true });
    });
  /** Jobs may be under way that wait until the storage may be available again. */
  const isIdle = () => {
    const due = [...current].filter(({ untilMs }) => clock.nowMs < untilMs);
    return due.length === current.size && due.length >= loops + (isWorking() ? 1 : 0);
  };
  const idle = async (): Promise<number> => {
    while (!isIdle()) await new Promise((resolve) => setImmediate(resolve));
    return Math.min(...Array.from(current, ({ ms }) => ms));
  };
  const resume = () => {
    for (const each of [...current]) each.end();
  };
  return { wait, idle, resume };
}
