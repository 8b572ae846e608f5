import { REPORT_KEPT_DAYS } from '@access-admin/domain';
import { type ClaimedReport, StorageUnavailable } from '@access-admin/store';
import type { Logger } from 'pino';
import { ATTEMPTS_MAX, createPeriodicSweep, failedForGood, retryDelayMs } from '../claims/policy.ts';
import { fail, type RunReportDeps, runReport } from './run.ts';

export interface ReportWorkDeps extends RunReportDeps {
  readonly log: Pick<Logger, 'debug' | 'error'>;
}

/** Makes one report after the other, between checks. */
export interface ReportWork {
  /** Works for a limited number of steps or until the signal is aborted; one step without a signal. False when idle. */
  run(until: AbortSignal | null): Promise<boolean>;
  /** Releases the current report. */
  stop(): Promise<void>;
}

const STEPS_MAX = 50;
const POLL_EVERY_MS = 100;
const SWEEP_EVERY_MS = 60_000;
const RETRY_FIRST_MS = 500;
const RETRY_STORAGE_MS = 5_000;
const KEPT_MS = REPORT_KEPT_DAYS * 24 * 3_600_000;

interface CurrentReport {
  readonly claim: ClaimedReport;
  readonly steps: AsyncGenerator<void, boolean>;
}

export function createReportWork(deps: ReportWorkDeps): ReportWork {
  const { reports, log, now, leaseMs } = deps;
  const sweep = createSweep(deps);
  let current: CurrentReport | null = null;
  let polledMs = Number.NEGATIVE_INFINITY;

  const takeNext = async (): Promise<CurrentReport | null> => {
    const claim = await reports.claim({ nowMs: now(), leaseMs });
    if (claim === null) return null;
    // The worker of the last attempt died.
    if (claim.attempts > ATTEMPTS_MAX) {
      await fail(deps, claim, failedForGood('report'));
      return null;
    }
    return { claim, steps: runReport(deps, claim) };
  };

  const step = async (report: CurrentReport) => {
    try {
      const { done, value } = await report.steps.next();
      if (done !== true) return;
      current = null;
      const { tenant, reportId } = report.claim;
      log.debug({ tenant, reportId }, value ? 'report done' : 'report left to another worker');
    } catch (err) {
      current = null;
      // If the failure cannot be stored, another worker takes the report when its lease ends.
      await settleFailure(deps, report, err).catch((cause) =>
        log.error({ err: cause }, 'a report is left until its lease ends'),
      );
    }
  };

  return {
    run: async (until) => {
      if (current === null) {
        if (until === null && Math.abs(now() - polledMs) < POLL_EVERY_MS) return false;
        polledMs = now();
        current = await takeNext();
        if (current === null) return sweep();
      }
      for (let steps = 0; current !== null && steps < STEPS_MAX; steps++) {
        await step(current);
        if (until === null || until.aborted) break;
        await deps.wait(0, until);
      }
      return true;
    },
    stop: async () => {
      if (current === null) return;
      const { claim, steps } = current;
      current = null;
      await steps.return(false);
      await reports.release(claim, { availableAtMs: 0, countsAsAttempt: false });
    },
  };
}

/** Releases a report for a later attempt, or ends it when this was its last attempt. */
async function settleFailure(deps: ReportWorkDeps, { claim }: CurrentReport, err: unknown): Promise<void> {
  const { reports, log, now } = deps;
  const { tenant, reportId, attempts } = claim;
  log.error({ err, tenant, reportId, attempts }, 'a report failed');
  const isStorageUnavailable = err instanceof StorageUnavailable;
  if (!isStorageUnavailable && attempts >= ATTEMPTS_MAX) {
    await fail(deps, claim, failedForGood('report'));
    return;
  }
  const delayMs = isStorageUnavailable ? RETRY_STORAGE_MS : retryDelayMs(attempts, RETRY_FIRST_MS);
  await reports.release(claim, { availableAtMs: now() + delayMs, countsAsAttempt: !isStorageUnavailable });
}

/** Removes expired reports, once a minute; true when there may be more. */
const createSweep = ({ reports, now }: Pick<ReportWorkDeps, 'reports' | 'now'>) =>
  createPeriodicSweep(now, SWEEP_EVERY_MS, (nowMs) => reports.removeExpired(new Date(nowMs - KEPT_MS).toISOString()));
