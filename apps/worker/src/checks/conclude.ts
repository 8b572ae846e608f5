import { concludeWithError } from '@access-admin/domain';
import type { Semaphore } from '@access-admin/scheduling';
import { type ClaimedCheck, StorageUnavailable } from '@access-admin/store';
import { ATTEMPTS_MAX, failedForGood } from '../leased/attempts.ts';
import type { LeasedWork } from '../leased/loop.ts';
import { createPauses, type Pause, type PauseDeps, WorkStopped, WorkTooLong } from '../leased/pause.ts';
import { CHECK_TOO_LONG, CHECK_WORK_MS_MAX } from './bounds.ts';
import { giveBack, retryLater } from './give-back.ts';
import type { CheckConclusion, CheckJob, HeldCheck } from './held-check.ts';
import { openResults, type Results, type ResultsDeps } from './results.ts';

export interface ConcludeDeps extends PauseDeps, ResultsDeps {
  /** For checks with `include`, each of which can hold its result and large lists. */
  readonly longChecks: Semaphore;
  /** Finds the outcome of a check, with pauses; ends where a pause rejects. */
  readonly runCheck: (claim: ClaimedCheck, pause: Pause) => Promise<CheckConclusion>;
}

const RETRY_STORAGE_MS = 200;
/** Between two checks that cannot be read. It need not grow: checks are given back, and claims wait longer and longer. */
const STORAGE_PAUSE_MS = 100;

/** Concludes the checks of a job one after the other, and returns when each is stored or released. */
export function createConcludeJob(deps: ConcludeDeps): LeasedWork<CheckJob>['run'] {
  /** Until the jobs of a tenant that were claimed before are concluded. */
  const earlier = new Map<string, Promise<void>>();

  return async ({ tenant, checks }, { signal, endAlone }) => {
    const { promise: aborted, resolve: abort } = Promise.withResolvers<undefined>();
    signal.addEventListener('abort', () => abort(undefined), { once: true });
    if (signal.aborted) abort(undefined);
    const orAborted = <T>(work: Promise<T>): Promise<T | undefined> => Promise.race([work, aborted]);
    const results = openResults(deps, tenant, signal);
    const work: Work = { deps, results, signal, orAborted };

    const before = earlier.get(tenant);
    const { promise: concluded, resolve } = Promise.withResolvers<void>();
    earlier.set(tenant, concluded);
    try {
      if (before !== undefined) await orAborted(before);
      for (const check of checks) {
        await deps.yieldIfDue();
        if (signal.aborted) break;
        if (!check.isEnded) await concludeCheck(work, check);
      }
    } finally {
      // Also after a failure: later jobs of the tenant wait for it, and held checks take places.
      if (earlier.get(tenant) === concluded) earlier.delete(tenant);
      resolve();
      // Only an evaluation can end the process. The results may wait for the storage.
      endAlone();
      await results.storeAll();
      const left = checks.filter(({ isEnded }) => !isEnded);
      await giveBack(deps, left, { delayMs: 0, isAttempt: false }, 'stopped');
    }
  };
}

interface Work {
  readonly deps: ConcludeDeps;
  readonly results: Results;
  readonly signal: AbortSignal;
  /** Resolves when the job is aborted, too. */
  orAborted<T>(work: Promise<T>): Promise<T | undefined>;
}

async function concludeCheck(work: Work, check: HeldCheck): Promise<void> {
  const { deps, results, signal } = work;
  const { claim } = check;
  const slot = deps.longChecks.open(claim.tenant, { signal: () => signal });
  if (claim.includes.length > 0 && !(await slot.acquire()).ok) return;
  try {
    // The worker of the last attempt neither ended the check nor gave it back.
    const conclusion =
      claim.attempts > ATTEMPTS_MAX ? inError(claim, failedForGood('check')) : await runWithPauses(work, check);
    if (conclusion !== null) await results.add(check, conclusion);
  } catch (err) {
    if (!check.isEnded) await fail(work, check, err);
  } finally {
    slot.release();
  }
}

const inError = (claim: ClaimedCheck, message: string): CheckConclusion => ({
  ...concludeWithError(claim, message),
  verdict: null,
});

/** Null when the work is aborted, or the check has been lost. */
async function runWithPauses({ deps, signal, orAborted }: Work, check: HeldCheck): Promise<CheckConclusion | null> {
  const pauses = createPauses(deps, { signal, workMsMax: CHECK_WORK_MS_MAX });
  const afterYield = () => {
    if (check.isEnded) throw new WorkStopped();
  };
  try {
    const running = deps.runCheck(check.claim, () => pauses.pause()?.then(afterYield));
    // A check that is aborted while it waits for the storage may never end.
    running.catch(() => {});
    const conclusion = await orAborted(running);
    return conclusion === undefined || check.isEnded ? null : conclusion;
  } catch (err) {
    if (err instanceof WorkStopped) return null;
    if (err instanceof WorkTooLong) return inError(check.claim, CHECK_TOO_LONG);
    throw err;
  } finally {
    check.workedMs = pauses.end();
  }
}

/** Releases a check for a later attempt, or ends it when this was its last. */
async function fail({ deps, results, signal }: Work, check: HeldCheck, err: unknown): Promise<void> {
  const { tenant, requestId, attempts } = check.claim;
  deps.log.error({ err, tenant, requestId, attempts }, 'a check failed');
  if (err instanceof StorageUnavailable) {
    // The next check would fail, too. A job that ends meanwhile releases the check again, which has no effect: the fence has risen.
    void giveBack(deps, [check], { delayMs: RETRY_STORAGE_MS, isAttempt: false }, 'retry');
    return deps.wait(STORAGE_PAUSE_MS, signal);
  }
  if (attempts >= ATTEMPTS_MAX) return results.add(check, inError(check.claim, failedForGood('check')));
  return retryLater(deps, check);
}
