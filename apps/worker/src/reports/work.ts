import { REPORT_KEPT_DAYS, REPORTS_AT_ONCE_MAX } from '@access-admin/domain';
import { type ClaimedReport, StorageUnavailable } from '@access-admin/store';
import type { Logger } from 'pino';
import { REPORT_TOO_LONG, REPORT_WORK_MS_MAX } from '../claims/bounds.ts';
import { LeaseLost, type LongWork, WorkStopped, WorkTooLong } from '../claims/long-work.ts';
import { ATTEMPTS_MAX, createPeriodicSweep, failedForGood, retryDelayMs } from '../claims/policy.ts';
import { createReportLease } from './lease.ts';
import { fail, type ReportTask, type RunReportDeps, runReport } from './run.ts';

export interface ReportWorkDeps extends Omit<RunReportDeps, 'reportsUnderWay'> {
  readonly log: Pick<Logger, 'debug' | 'error'>;
  readonly longWork: LongWork;
  /** Is told how long a report of a tenant has worked. */
  onWorked(tenant: string, ms: number): void;
  /** Is called when a report has ended, so that another may be claimed. */
  onEnd(): void;
}

/** Makes reports, several at the same time but one of each tenant. */
export interface ReportWork {
  /** Claims a report if there is room, at once or from time to time; true when there may be more. */
  claim(isAtOnce: boolean): Promise<boolean>;
  isUnderWay(): boolean;
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

interface UnderwayReport extends Pick<ReportTask, 'claim' | 'lease'> {
  /** Ends the work without an outcome. */
  end(reason: LeaseLost | WorkStopped): void;
  readonly ended: Promise<void>;
}

export function createReportWork(deps: ReportWorkDeps): ReportWork {
  const { reports, now, leaseMs } = deps;
  const sweep = createSweep(deps);
  const underway = new Set<UnderwayReport>();
  const runDeps = { ...deps, reportsUnderWay: () => Math.max(1, underway.size) };
  let claimedMs = Number.NEGATIVE_INFINITY;

  const start = (claim: ClaimedReport) => {
    const report = startReport(runDeps, claim);
    underway.add(report);
    void report.ended.then(() => {
      underway.delete(report);
      claimedMs = Number.NEGATIVE_INFINITY;
      deps.onEnd();
    });
  };

  return {
    isUnderWay: () => underway.size > 0,
    claim: async (isAtOnce) => {
      if (underway.size >= REPORTS_AT_ONCE_MAX) return false;
      if (!isAtOnce && Math.abs(now() - claimedMs) < CLAIM_EVERY_MS) return false;
      claimedMs = now();
      const claim = await reports.claim({ nowMs: claimedMs, leaseMs });
      if (claim === null) return isAtOnce && underway.size === 0 && (await sweep());
      // The worker of the last attempt died.
      if (claim.attempts > ATTEMPTS_MAX) await fail(deps, claim, failedForGood('report'));
      else start(claim);
      return true;
    },
    renew: async ({ countsAsAttempt }) => {
      for (const { lease, end } of underway) {
        lease.count(countsAsAttempt);
        if (!(await lease.renew())) end(new LeaseLost());
      }
    },
    stop: async () => {
      const stopped = [...underway];
      for (const { end } of stopped) end(new WorkStopped());
      for (const { claim, ended } of stopped) {
        await ended;
        await reports.release(claim, { availableAtMs: 0, countsAsAttempt: false });
      }
    },
  };
}

function startReport(deps: ReportWorkDeps & RunReportDeps, claim: ClaimedReport): UnderwayReport {
  const { log, longWork, onWorked } = deps;
  const { tenant, reportId } = claim;
  const lease = createReportLease(deps, claim);
  const end = new AbortController();
  let workMs = 0;
  const pause = longWork.pauses(end.signal, (ms) => {
    onWorked(tenant, ms);
    workMs += ms;
    if (workMs > REPORT_WORK_MS_MAX) end.abort(new WorkTooLong());
  });
  const run = async () => {
    try {
      await runReport(deps, { claim, lease, pause });
      log.debug({ tenant, reportId }, 'report done');
    } catch (err) {
      if (err instanceof LeaseLost) log.debug({ tenant, reportId }, 'report left to another worker');
      else if (!(err instanceof WorkStopped)) await settleFailure(deps, claim, err);
    }
  };
  return { claim, lease, end: (reason) => end.abort(reason), ended: run() };
}

/** Stores the failure of an attempt. If that fails too, another worker takes the report when its lease ends. */
async function settleFailure(deps: ReportWorkDeps, claim: ClaimedReport, err: unknown): Promise<void> {
  try {
    if (err instanceof WorkTooLong) await fail(deps, claim, REPORT_TOO_LONG);
    else await settleError(deps, claim, err);
  } catch (cause) {
    deps.log.error({ err: cause }, 'a report is left until its lease ends');
  }
}

/** Releases a report for a later attempt, or ends it when this was its last attempt. */
async function settleError(deps: ReportWorkDeps, claim: ClaimedReport, err: unknown): Promise<void> {
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
