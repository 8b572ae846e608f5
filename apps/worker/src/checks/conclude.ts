import type { Semaphore } from '@access-admin/scheduling';
import { type CheckQueue, StorageUnavailable } from '@access-admin/store';
import type { Logger } from 'pino';
import { CHECK_TOO_LONG, CHECK_WORK_MS_MAX } from '../claims/bounds.ts';
import { type BackoffDeps, createBackoff } from '../leased/backoff.ts';
import type { LeasedWork, Underway } from '../leased/loop.ts';
import { createPauses, type Pause, type PauseDeps, WorkStopped, WorkTooLong } from '../leased/pause.ts';
import type { CheckClaims } from './claim.ts';
import type { CheckConclusion, CheckJob, HeldCheck, RunCheck } from './held.ts';
import type { Settlement } from './settle.ts';
import type { Trial, Trials } from './trials.ts';

export interface ConcludeDeps extends PauseDeps, BackoffDeps {
  readonly queue: Pick<CheckQueue, 'giveBack'>;
  readonly claims: Pick<CheckClaims, 'count' | 'release'>;
  readonly settlement: Settlement;
  readonly trials: Trials;
  /** For checks with `include`, each of which can hold its result and large lists. */
  readonly longChecks: Semaphore;
  /** Is called before a trial begins. */
  beforeTrial(): Promise<void>;
  readonly runCheck: RunCheck;
  readonly log: Pick<Logger, 'error'>;
}

/** A check that has worked so long, in milliseconds, does not end the process. */
const TRIED_MS = 10;

/** Concludes the checks of a job one after the other, and returns when each is stored, released or given back. */
export function createConcludeJob(deps: ConcludeDeps): LeasedWork<CheckJob>['run'] {
  const { claims, settlement, trials, yieldIfDue } = deps;
  const concludeCheck = createConcludeCheck(deps);
  /** Until the jobs of a tenant that were claimed before are concluded. */
  const earlier = new Map<string, Promise<void>>();

  const concludeAll = async ({ tenant, checks }: CheckJob, abort: Abort) => {
    const { signal } = abort;
    const before = earlier.get(tenant);
    const { promise: concluded, resolve } = Promise.withResolvers<void>();
    earlier.set(tenant, concluded);
    try {
      if (before !== undefined) await abort.orUntil(before);
      for (const check of checks) {
        await yieldIfDue();
        for (let over = trials.whenOver(); over !== undefined && !signal.aborted; over = trials.whenOver())
          await abort.orUntil(over);
        const free = settlement.whenFree();
        if (free !== undefined) await abort.orUntil(free);
        if (signal.aborted) break;
        if (check.isOpen) await concludeCheck(check, abort, null);
      }
    } finally {
      // Also after a failure: later jobs of the tenant wait for it.
      if (earlier.get(tenant) === concluded) earlier.delete(tenant);
      resolve();
    }
  };

  return async (job, { signal, onCapacity }) => {
    const { trial, checks } = job;
    const abort = createAbort(signal);
    const [check] = checks;
    try {
      if (trial === null || check === undefined) await concludeAll(job, abort);
      else await concludeCheck(check, abort, trial);
    } finally {
      trial?.end();
      // What is stored shares a commit with the next claim.
      onCapacity(claims.release(job) ? 'now' : 'soon');
    }
    // When the worker stops, or could not try a check.
    const open = checks.filter(({ isOpen }) => isOpen);
    if (open.length > 0) await giveBack(deps, open);
    const allEnded = Promise.all(checks.map(({ ended }) => ended));
    await abort.orUntil(allEnded);
    if (checks.some(({ isEnded }) => !isEnded)) settlement.stop();
    await allEnded;
    // A check that was released may be claimable.
    onCapacity('soon');
  };
}

async function giveBack({ queue, log }: ConcludeDeps, checks: readonly HeldCheck[]): Promise<void> {
  try {
    await queue.giveBack(checks.map(({ claim }) => claim));
  } catch (err) {
    log.error({ err }, 'checks are left to the next worker');
  }
  for (const check of checks) check.end('stopped');
}

interface Abort {
  readonly signal: AbortSignal;
  /** Resolves with the promise, or when the signal is aborted. */
  orUntil<T>(promise: Promise<T>): Promise<T | undefined>;
}

function createAbort(signal: Underway['signal']): Abort {
  const { promise: aborted, resolve } = Promise.withResolvers<undefined>();
  signal.addEventListener('abort', () => resolve(undefined), { once: true });
  return { signal, orUntil: (promise) => Promise.race([promise, aborted]) };
}

function createConcludeCheck(deps: ConcludeDeps) {
  const { claims, settlement, log } = deps;
  const backoff = createBackoff(deps);

  /** Rejects with `WorkStopped` when the work is aborted or the check has ended meanwhile, with `WorkTooLong` beyond its time. */
  const conclude = async (
    check: HeldCheck,
    { signal, orUntil }: Abort,
    trial: Trial | null,
  ): Promise<CheckConclusion> => {
    const { claim } = check;
    const work = createPauses(deps, { signal, workMsMax: CHECK_WORK_MS_MAX });
    const noteYield = () => {
      if (work.workedMs() >= TRIED_MS) trial?.end();
      settlement.flushIfDue();
      if (!check.isOpen) throw new WorkStopped();
    };
    const pause: Pause = () => work.pause()?.then(noteYield);
    try {
      const running = deps.runCheck(claim, pause);
      // A check that is aborted while it waits for the storage may never end.
      running.catch(() => {});
      const outcome = await orUntil(running);
      if (outcome === undefined) throw new WorkStopped();
      return outcome;
    } finally {
      check.workedMs = work.end();
      claims.count(claim.tenant, check.workedMs);
    }
  };
  /** False if the trial must not begin. */
  const prepare = async (trial: Trial, abort: Abort): Promise<boolean> => {
    trial.beAlone();
    try {
      await abort.orUntil(deps.beforeTrial());
    } catch (err) {
      log.error({ err }, 'the storage failed');
      await backoff.afterFailure(abort.signal);
      return false;
    }
    return !abort.signal.aborted;
  };
  const fail = async (check: HeldCheck, err: unknown, { signal }: Abort) => {
    const { tenant, requestId, attempts } = check.claim;
    log.error({ err, tenant, requestId, attempts }, 'a check failed');
    settlement.fail(check);
    if (!(err instanceof StorageUnavailable)) return;
    // The next check would fail, too.
    log.error({ err }, 'the storage failed');
    settlement.flush();
    await backoff.afterFailure(signal);
  };

  return async (check: HeldCheck, abort: Abort, trial: Trial | null): Promise<void> => {
    const slot = deps.longChecks.open(check.claim.tenant, { signal: () => abort.signal });
    if (check.claim.includes.length > 0) {
      settlement.flush();
      if (!(await slot.acquire()).ok) return;
    }
    try {
      if (trial !== null && !(await prepare(trial, abort))) return;
      const outcome = await conclude(check, abort, trial);
      if (!check.isOpen) return;
      settlement.conclude(check, outcome);
      settlement.flushIfDue();
      backoff.reset();
    } catch (err) {
      if (!check.isOpen || err instanceof WorkStopped) return;
      if (err instanceof WorkTooLong) settlement.endInError(check, CHECK_TOO_LONG);
      else await fail(check, err, abort);
    } finally {
      slot.release();
    }
  };
}
