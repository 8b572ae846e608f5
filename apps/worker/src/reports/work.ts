import { REPORT_KEPT_DAYS, REPORTS_AT_ONCE_MAX } from '@access-admin/domain';
import { type ClaimedReport, StorageUnavailable } from '@access-admin/store';
import type { Logger } from 'pino';
import { REPORT_TOO_LONG, REPORT_WORK_MS_MAX } from '../claims/bounds.ts';
import { ATTEMPTS_MAX, createPeriodicSweep, failedForGood, retryDelayMs } from '../claims/policy.ts';
import type { Lane, Turns } from '../turns/turns.ts';
import { createReportLease, type ReportLease } from './lease.ts';
import { fail, type RunReportDeps, runReport } from './run.ts';

export interface ReportWorkDeps extends Omit<RunReportDeps, 'reportsUnderWay'> {
  readonly log: Pick<Logger, 'debug' | 'error'>;
  readonly turns: Pick<Turns, 'add' | 'remove'>;
}

/** Makes reports, several at the same time but one of each tenant, each in a lane of its own. */
export interface ReportWork {
  /** Claims a report if there is room, at once or from time to time; true when there may be more. */
  claim(isAtOnce: boolean): Promise<boolean>;
  /** Renews the leases that are due. */
  renew(how: { readonly countsAsAttempt: boolean }): Promise<void>;
  /** Releases all reports. */
  stop(): Promise<void>;
}

const CLAIM_EVERY_MS = 25;
const SWEEP_EVERY_MS = 60_000;
const RETRY_FIRST_MS = 500;
const RETRY_STORAGE_MS = 5_000;
const KEPT_MS = REPORT_KEPT_DAYS * 24 * 3_600_000;

interface UnderwayReport extends Lane {
  readonly claim: ClaimedReport;
  readonly lease: ReportLease;
  /** Ends the work without an outcome. */
  abort(): Promise<void>;
}

export function createReportWork(deps: ReportWorkDeps): ReportWork {
  const { reports, log, now, leaseMs, turns } = deps;
  const sweep = createSweep(deps);
  const underway = new Set<UnderwayReport>();
  const runDeps: RunReportDeps = { ...deps, reportsUnderWay: () => Math.max(1, underway.size) };
  let claimedMs = Number.NEGATIVE_INFINITY;

  return {
    claim: async (isAtOnce) => {
      if (underway.size >= REPORTS_AT_ONCE_MAX) return false;
      if (!isAtOnce && Math.abs(now() - claimedMs) < CLAIM_EVERY_MS) return false;
      claimedMs = now();
      const claim = await reports.claim({ nowMs: claimedMs, leaseMs });
      if (claim === null) return isAtOnce && underway.size === 0 && (await sweep());
      // The worker of the last attempt died.
      if (claim.attempts > ATTEMPTS_MAX) await fail(deps, claim, failedForGood('report'));
      else {
        const lane = createReportLane(runDeps, claim, {
          log,
          onEnd: () => {
            underway.delete(lane);
            claimedMs = Number.NEGATIVE_INFINITY;
          },
        });
        underway.add(lane);
        turns.add(lane);
      }
      return true;
    },
    renew: async ({ countsAsAttempt }) => {
      for (const { lease } of underway) {
        lease.count(countsAsAttempt);
        await lease.renew();
      }
    },
    stop: async () => {
      for (const lane of underway) {
        underway.delete(lane);
        turns.remove(lane);
        await lane.abort();
        await reports.release(lane.claim, { availableAtMs: 0, countsAsAttempt: false });
      }
    },
  };
}

interface ReportLaneDeps extends Pick<ReportWorkDeps, 'log'> {
  onEnd(): void;
}

function createReportLane(deps: RunReportDeps, claim: ClaimedReport, { log, onEnd }: ReportLaneDeps): UnderwayReport {
  const { tenant, reportId } = claim;
  const lease = createReportLease(deps, claim);
  const steps = runReport(deps, claim, lease);
  let workMs = 0;

  const proceed = async (): Promise<'more' | 'idle'> => {
    if (lease.isLost) {
      await steps.return(false);
      log.debug({ tenant, reportId }, 'report left to another worker');
      return 'idle';
    }
    if (workMs > REPORT_WORK_MS_MAX) {
      await steps.return(false);
      await fail(deps, claim, REPORT_TOO_LONG);
      return 'idle';
    }
    const { done, value } = await steps.next();
    if (done !== true) return 'more';
    log.debug({ tenant, reportId }, value ? 'report done' : 'report left to another worker');
    return 'idle';
  };

  return {
    tenant,
    claim,
    lease,
    charge: (ms) => {
      workMs += ms;
    },
    step: async () => {
      try {
        const outcome = await proceed();
        if (outcome === 'idle') onEnd();
        return outcome;
      } catch (err) {
        onEnd();
        // If the failure cannot be stored, another worker takes the report when its lease ends.
        await settleFailure({ ...deps, log }, claim, err).catch((cause) =>
          log.error({ err: cause }, 'a report is left until its lease ends'),
        );
        return 'idle';
      }
    },
    abort: async () => {
      await steps.return(false);
    },
  };
}

/** Releases a report for a later attempt, or ends it when this was its last attempt. */
async function settleFailure(
  deps: RunReportDeps & Pick<ReportWorkDeps, 'log'>,
  claim: ClaimedReport,
  err: unknown,
): Promise<void> {
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
