import type { Store } from '@access-admin/store';
import type { Logger } from 'pino';
import { type BackoffDeps, createBackoff } from './backoff.ts';

/** A kind of work that is claimed under a lease: no other worker has it until the lease ends. */
export interface LeasedWork<Job> {
  /** How long a claim holds, in milliseconds, and how much of it passes until it is renewed. */
  readonly leaseMs: number;
  readonly renewEveryMs: number;
  /** Claims what there is capacity for. Called again when there may be more, or more capacity. */
  claim(): Promise<readonly Job[]>;
  /** How long after the latest claim there may be more without a commit, in milliseconds. */
  idleMs(): number;
  /** Extends the leases of jobs. Returns those that are still held. */
  renew(jobs: readonly Job[], leaseEndMs: number): Promise<readonly Job[]>;
  /** Does a job, and settles it or gives it back. */
  run(job: Job, underway: Underway): Promise<void>;
}

export interface Underway {
  /** Aborted when the lease is lost or the worker stops. */
  readonly signal: AbortSignal;
  /** There is capacity for another claim before the job has ended: at once, or within some milliseconds if others are to share it. */
  onCapacity(when: 'now' | 'soon'): void;
}

export interface LoopDeps extends BackoffDeps {
  readonly onCommit: Store['onCommit'];
  readonly log: Pick<Logger, 'error'>;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Claims and does work of several kinds, all of it at the same time. */
export interface LeasedLoop {
  /** How many jobs are under way. */
  jobCount(): number;
  /** Until the signal is aborted; resolves when every job has ended. */
  run(signal: AbortSignal): Promise<void>;
}

/** While jobs are under way, more is claimed this often after commits, and that often without one. */
const CLAIM_NOTICED_MS = 25;
const CLAIM_EVERY_MS = 250;
// Without a reason, each abort makes an error with its stack.
const WOKEN = 'woken';

export function createLeasedLoop(kinds: readonly LeasedWork<unknown>[], deps: LoopDeps): LeasedLoop {
  let wakeup = new AbortController();
  const jobCount = (): number => works.reduce((sum, work) => sum + work.jobCount(), 0);
  const works = kinds.map((kind) =>
    createWork(kind, { ...deps, wake: () => wakeup.abort(WOKEN), isBusy: () => jobCount() > 0 }),
  );

  /** Claims what is due, and waits until something may be. */
  const proceed = async (signal: AbortSignal) => {
    // Created before claiming, so that a commit in the meantime is not missed.
    wakeup = new AbortController();
    // What fails for one kind holds up no other.
    const failures: unknown[] = [];
    for (const work of works) await work.renew().catch((err) => failures.push(err));
    for (const work of works) await work.claimIfDue().catch((err) => failures.push(err));
    if (failures.length > 0) throw failures[0];
    const waitMs = Math.min(...works.map((work) => work.waitMs()));
    if (signal.aborted) return;
    await deps.wait(waitMs, wakeup.signal);
    if (!wakeup.signal.aborted) for (const work of works) work.noteTimePassed();
  };

  return {
    jobCount,
    run: async (signal) => {
      const backoff = createBackoff(deps);
      const unsubscribe = deps.onCommit(() => {
        for (const work of works) work.noteCommit();
        wakeup.abort(WOKEN);
      });
      signal.addEventListener('abort', () => wakeup.abort(WOKEN), { once: true });
      while (!signal.aborted) {
        try {
          await proceed(signal);
          backoff.reset();
        } catch (err) {
          deps.log.error({ err }, 'the storage failed');
          await backoff.afterFailure(signal);
        }
      }
      unsubscribe();
      await Promise.all(works.map((work) => work.stop()));
    },
  };
}

interface UnderwayJob<Job> {
  readonly job: Job;
  readonly ending: AbortController;
  renewedMs: number;
  ended: Promise<void>;
}

interface WorkDeps extends Pick<LoopDeps, 'log' | 'now'> {
  /** Ends the wait of the loop. */
  wake(): void;
  /** Whether jobs of any kind are under way. */
  isBusy(): boolean;
}

/** The work of one kind. */
function createWork<Job>(kind: LeasedWork<Job>, { log, now, wake, isBusy }: WorkDeps) {
  const underway = new Set<UnderwayJob<Job>>();
  let isDue = true;
  let claimedMs = Number.NEGATIVE_INFINITY;
  /** Another claim is due, however short the time since the latest one is. */
  const makeDue = () => {
    isDue = true;
    claimedMs = Number.NEGATIVE_INFINITY;
  };
  const untilClaimMs = () => (isDue ? CLAIM_NOTICED_MS : CLAIM_EVERY_MS) - Math.abs(now() - claimedMs);
  const isLost = ({ ending }: UnderwayJob<Job>) => ending.signal.aborted;

  const start = (job: Job, nowMs: number) => {
    const ending = new AbortController();
    const started: UnderwayJob<Job> = { job, ending, renewedMs: nowMs, ended: Promise.resolve() };
    let hasWoken = false;
    const onCapacity = (when: 'now' | 'soon') => {
      hasWoken = true;
      isDue = true;
      if (when === 'now') makeDue();
      wake();
    };
    underway.add(started);
    started.ended = kind
      .run(job, { signal: ending.signal, onCapacity })
      .catch((err) => log.error({ err }, 'a job is left until its lease ends'))
      .finally(() => {
        underway.delete(started);
        if (!hasWoken) onCapacity('now');
      });
  };

  return {
    jobCount: () => underway.size,
    noteCommit: () => {
      isDue = true;
    },
    noteTimePassed: makeDue,
    claimIfDue: async () => {
      if (isBusy() ? untilClaimMs() > 0 : !isDue) return;
      isDue = false;
      const nowMs = now();
      try {
        for (const job of await kind.claim()) start(job, nowMs);
      } catch (error) {
        isDue = true;
        throw error;
      } finally {
        // At its end: its own commit may take as long as the pause between two claims.
        claimedMs = now();
      }
    },
    /** Renews the leases that are due. The clock may jump either way. */
    renew: async () => {
      const nowMs = now();
      const isPast = ({ renewedMs }: UnderwayJob<Job>) => Math.abs(nowMs - renewedMs) >= kind.renewEveryMs;
      const due = [...underway].filter((each) => !isLost(each) && isPast(each));
      if (due.length === 0) return;
      const jobs = due.map(({ job }) => job);
      const held = new Set(await kind.renew(jobs, nowMs + kind.leaseMs));
      for (const each of due)
        if (held.has(each.job)) each.renewedMs = nowMs;
        else each.ending.abort('lost');
    },
    /** How long nothing is due, in milliseconds. */
    waitMs: (): number => {
      if (!isBusy()) return isDue ? 0 : kind.idleMs();
      const held = [...underway].filter((each) => !isLost(each));
      const renewals = held.map(({ renewedMs }) => kind.renewEveryMs - Math.abs(now() - renewedMs));
      return Math.max(1, Math.min(untilClaimMs(), kind.idleMs(), ...renewals));
    },
    stop: async () => {
      for (const { ending } of underway) ending.abort('stopped');
      await Promise.all(Array.from(underway, ({ ended }) => ended));
    },
  };
}
