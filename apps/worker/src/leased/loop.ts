import { type ArisingWork, StorageUnavailable, type Store, TenantRemoved } from '@access-admin/store';
import type { Logger } from 'pino';
import { type Alone, createAlone } from './alone.ts';
import { type Backoff, type BackoffDeps, createBackoff } from './backoff.ts';
import { createClaimTimer } from './claim-timer.ts';
import { createRenewals, type RenewedWork, type UnderwayJob } from './renewals.ts';

/** A kind of work that is claimed under a lease: no other worker has it until the lease ends. */
export interface LeasedWork<Job> extends RenewedWork<Job> {
  /** The commits that may give such work. */
  readonly arisesFrom: readonly ArisingWork[];
  /** Claims what there is capacity for. Called again when there may be more, or more capacity. */
  claim(): Promise<readonly Job[]>;
  /** How long after the latest claim there may be more without a commit, in milliseconds. */
  idleMs(): number;
  /** Whether a job may end the process, as its earlier claims may have done, so that no other is under way beside it. Never if left out. */
  isAlone?(job: Job): boolean;
  /** Does a job, and settles it or gives it back. */
  run(job: Job, underway: Underway): Promise<void>;
}

export interface Underway {
  /** Aborted when the lease is lost or the worker stops. */
  readonly signal: AbortSignal;
  /** Lets other work begin beside a job that ran alone: it cannot end the process any more, and may wait for the storage. */
  endAlone(): void;
}

/** Work that is still pending after two claims may have ended its workers, so it runs alone. The attempts include the present claim. */
export const runsAlone = ({ attempts }: { readonly attempts: number }): boolean => attempts > 2;

export interface LoopDeps extends BackoffDeps {
  readonly onCommit: Store['onCommit'];
  readonly log: Pick<Logger, 'error'>;
  /** Called for each failure of the storage. */
  onStorageFailure(error: StorageUnavailable): void;
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

// Without a reason, each abort makes an error with its stack.
const WOKEN = 'woken';

/**
 * Each kind has loops of its own, and each tenant renewals of its own: what waits for the storage holds up no other kind, and no leases
 * of another tenant.
 */
export function createLeasedLoop(kinds: readonly LeasedWork<unknown>[], deps: LoopDeps): LeasedLoop {
  const jobCount = (): number => works.reduce((sum, work) => sum + work.jobCount(), 0);
  // The pauses of busy times, or of a job that ran alone, are over for every kind.
  const wakeAll = () => {
    for (const work of works) work.wake();
  };
  const alone = createAlone(() => works);
  const works = kinds.map((kind) => createWork(kind, { ...deps, alone, isBusy: () => jobCount() > 0, wakeAll }));
  return {
    jobCount,
    run: async (signal) => {
      const unsubscribe = deps.onCommit((arising) => {
        for (const work of works) work.noteCommit(arising);
      });
      await Promise.all(works.map((work) => work.run(signal)));
      unsubscribe();
    },
  };
}

interface WorkDeps extends Omit<LoopDeps, 'onCommit'> {
  readonly alone: Alone;
  /** Whether jobs of any kind are under way. */
  isBusy(): boolean;
  /** Called when the last job of any kind has ended, and when none runs alone any more. */
  wakeAll(): void;
}

/** The work of one kind. */
function createWork<Job>(kind: LeasedWork<Job>, deps: WorkDeps) {
  const { log, now, isBusy } = deps;
  const underway = new Set<UnderwayJob<Job>>();
  let wakeup = new AbortController();
  let claimed: Promise<void> = Promise.resolve();
  const timer = createClaimTimer({ idleMs: kind.idleMs, now });
  const afterFailure = async (backoff: Backoff, err: unknown, signal: AbortSignal) => {
    // What concerns a removed tenant alone has no reader any more.
    if (!(err instanceof TenantRemoved)) log.error({ err }, 'the storage failed');
    if (err instanceof StorageUnavailable) deps.onStorageFailure(err);
    // No commit ends the pause: others may commit often while claims fail.
    await backoff.afterFailure(signal);
  };

  const begin = async (started: UnderwayJob<Job>): Promise<void> => {
    // What was claimed at the same time is given back.
    if (deps.alone.isUnderWay()) started.ending.abort('stopped');
    else if (kind.isAlone?.(started.job) === true) await deps.alone.begin(started);
  };
  const start = (job: Job, nowMs: number) => {
    const ending = new AbortController();
    const ended = Promise.resolve();
    const started: UnderwayJob<Job> = { job, ending, renewedMs: nowMs, isBeingRenewed: false, ended };
    const endAlone = () => {
      if (deps.alone.end(started)) deps.wakeAll();
    };
    underway.add(started);
    started.ended = begin(started)
      .then(() => kind.run(job, { signal: ending.signal, endAlone }))
      .catch((err) => {
        // The work of a removed tenant has no reader any more: its failure is no error.
        if (!(err instanceof TenantRemoved)) log.error({ err }, 'a job is left until its lease ends');
      })
      .finally(() => {
        underway.delete(started);
        endAlone();
        timer.dueNow();
        wakeup.abort(WOKEN);
        if (!isBusy()) deps.wakeAll();
      });
  };

  const renewals = createRenewals(kind, { ...deps, underway: () => underway, afterFailure });

  const untilDueMs = () => timer.untilDueMs(isBusy());
  const claimIfDue = async (signal: AbortSignal) => {
    if (deps.alone.isUnderWay() || untilDueMs() > 0) return;
    timer.begin();
    // After a jump of the clock, own leases that seem to have ended are not to be claimed again.
    await renewals.renewFirst(signal);
    const nowMs = now();
    const { promise, resolve } = Promise.withResolvers<void>();
    claimed = promise;
    try {
      for (const job of await kind.claim()) start(job, nowMs);
    } catch (error) {
      // Nothing of what was noticed has been claimed.
      timer.notice();
      throw error;
    } finally {
      timer.end();
      resolve();
    }
  };
  /** Claims what is due, and waits until something may be. */
  const claimAll = async (signal: AbortSignal) => {
    const backoff = createBackoff(deps);
    signal.addEventListener('abort', () => wakeup.abort(WOKEN), { once: true });
    while (!signal.aborted) {
      // Created before claiming, so that a commit in the meantime is not missed.
      wakeup = new AbortController();
      try {
        await claimIfDue(signal);
        backoff.reset();
      } catch (err) {
        await afterFailure(backoff, err, signal);
        continue;
      }
      if (signal.aborted) return;
      await deps.wait(deps.alone.isUnderWay() ? kind.idleMs() : untilDueMs(), wakeup.signal);
      // By the clock the time may not have passed, as it may jump.
      if (!wakeup.signal.aborted) timer.dueNow();
    }
  };

  return {
    jobCount: () => underway.size,
    underway: () => [...underway],
    claimed: () => claimed,
    wake: () => wakeup.abort(WOKEN),
    noteCommit: (arising: ArisingWork | null) => {
      if (arising !== null && !kind.arisesFrom.includes(arising)) return;
      timer.notice();
      wakeup.abort(WOKEN);
    },
    /** Until the signal is aborted; resolves when every job has ended. */
    run: async (signal: AbortSignal) => {
      await Promise.all([claimAll(signal), renewals.run(signal)]);
      for (const { ending } of underway) ending.abort('stopped');
      await Promise.all(Array.from(underway, ({ ended }) => ended));
    },
  };
}
