import { REPORT_KEPT_DAYS } from '@access-admin/domain';
import { type ClaimedReport, StorageUnavailable } from '@access-admin/store';
import type { Logger } from 'pino';
import { ATTEMPTS_MAX } from '../checks/settle.ts';
import { fail, type RunReportDeps, runReport } from './run.ts';

export interface ReportWorkDeps extends RunReportDeps {
  readonly log: Pick<Logger, 'debug' | 'error'>;
}

/** Works on one report after the other, between checks. */
export interface ReportWork {
  /** Works until the signal is aborted or a moment has passed, one step without a signal; false when there is nothing to do. */
  go(quiet: AbortSignal | null): Promise<boolean>;
  /** Gives the report in hand back. */
  stop(): Promise<void>;
}

const STEPS_MAX = 50;
const LOOK_EVERY_MS = 100;
const SWEEP_EVERY_MS = 60_000;
const RETRY_FIRST_MS = 500;
const RETRY_STORAGE_MS = 5_000;
const KEPT_MS = REPORT_KEPT_DAYS * 24 * 3_600_000;
const FAILED_FOR_GOOD = `The report failed ${ATTEMPTS_MAX} times.`;

interface InHand {
  readonly claim: ClaimedReport;
  readonly steps: AsyncGenerator<void, boolean>;
}

export function createReportWork(deps: ReportWorkDeps): ReportWork {
  const { reports, log, now, leaseMs } = deps;
  const sweep = createSweep(deps);
  let inHand: InHand | null = null;
  let lookedMs = Number.NEGATIVE_INFINITY;

  const takeNext = async (): Promise<InHand | null> => {
    const claim = await reports.claim({ nowMs: now(), leaseMs });
    if (claim === null) return null;
    // Whoever had it last never came to say that it failed.
    if (claim.attempts > ATTEMPTS_MAX) {
      await fail(deps, claim, FAILED_FOR_GOOD);
      return null;
    }
    return { claim, steps: runReport(deps, claim) };
  };

  const step = async (current: InHand) => {
    try {
      const { done, value } = await current.steps.next();
      if (done !== true) return;
      inHand = null;
      const { tenant, reportId } = current.claim;
      log.debug({ tenant, reportId }, value ? 'report done' : 'report left to another worker');
    } catch (err) {
      inHand = null;
      // What the storage does not take now is left to the end of the lease.
      await settleFailure(deps, current, err).catch((cause) =>
        log.error({ err: cause }, 'a report is left to its lease'),
      );
    }
  };

  return {
    go: async (quiet) => {
      if (inHand === null) {
        if (quiet === null && Math.abs(now() - lookedMs) < LOOK_EVERY_MS) return false;
        lookedMs = now();
        inHand = await takeNext();
        if (inHand === null) return sweep();
      }
      for (let steps = 0; inHand !== null && steps < STEPS_MAX; steps++) {
        await step(inHand);
        if (quiet === null || quiet.aborted) break;
        await deps.wait(0, quiet);
      }
      return true;
    },
    stop: async () => {
      if (inHand === null) return;
      const { claim, steps } = inHand;
      inHand = null;
      await steps.return(false);
      await reports.release(claim, { availableAtMs: 0, countsAsAttempt: false });
    },
  };
}

/** Gives a report back for later, or ends it when this was its last attempt. */
async function settleFailure(deps: ReportWorkDeps, { claim }: InHand, err: unknown): Promise<void> {
  const { reports, log, now } = deps;
  const { tenant, reportId, attempts } = claim;
  log.error({ err, tenant, reportId, attempts }, 'a report failed');
  const isStorageAway = err instanceof StorageUnavailable;
  if (!isStorageAway && attempts >= ATTEMPTS_MAX) {
    await fail(deps, claim, FAILED_FOR_GOOD);
    return;
  }
  const delayMs = isStorageAway ? RETRY_STORAGE_MS : RETRY_FIRST_MS * 2 ** attempts;
  await reports.release(claim, { availableAtMs: now() + delayMs, countsAsAttempt: !isStorageAway });
}

/** Removes, now and then, what is not to be kept; true when there may be more. */
function createSweep({ reports, now }: Pick<ReportWorkDeps, 'reports' | 'now'>): () => Promise<boolean> {
  let sweptMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = now();
    if (Math.abs(nowMs - sweptMs) < SWEEP_EVERY_MS) return false;
    if (await reports.removeExpired(new Date(nowMs - KEPT_MS).toISOString())) return true;
    sweptMs = nowMs;
    return false;
  };
}
