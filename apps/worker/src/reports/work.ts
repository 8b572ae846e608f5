import { REPORTS_AT_ONCE_MAX } from '@access-admin/contract';
import { REPORT_KEPT_DAYS } from '@access-admin/domain';
import { type ClaimedReport, StorageUnavailable, TenantRemoved } from '@access-admin/store';
import type { EndedJob, JobOutcome } from '@access-admin/telemetry';
import type { Logger } from 'pino';
import { ATTEMPTS_MAX, failedForGood, retryDelayMs } from '../leased/attempts.ts';
import { type LeasedWork, runsAlone, type Underway } from '../leased/loop.ts';
import { createPauses, LeaseLost, type PauseDeps, WorkStopped, WorkTooLong } from '../leased/pause.ts';
import { waitedMs } from '../leased/waited.ts';
import { REPORT_TOO_LONG, REPORT_WORK_MS_MAX } from './bounds.ts';
import { createReportLease, type ReportLease } from './lease.ts';
import { fail, runReport } from './run.ts';
import type { RunReportDeps } from './task.ts';

export interface ReportWorkDeps extends RunReportDeps, PauseDeps {
  readonly log: Pick<Logger, 'error'>;
  onJobEnd(job: EndedJob): void;
}

/** A report that this worker makes. */
interface ReportJob {
  readonly claim: ClaimedReport;
  readonly lease: ReportLease;
}

const RENEW_EVERY_MS = 1_000;
const IDLE_MS = 1_000;
const RETRY_FIRST_MS = 500;
const RETRY_STORAGE_MS = 5_000;
const KEPT_MS = REPORT_KEPT_DAYS * 24 * 3_600_000;

/** Makes reports, several at the same time but one of each tenant. */
export function createReportWork(deps: ReportWorkDeps): LeasedWork<ReportJob> {
  const { reports, now, leaseMs } = deps;
  const underway = new Set<ReportJob>();

  const claimOne = async (): Promise<ReportJob | null> => {
    for (;;) {
      const held = Array.from(underway, ({ claim }) => claim.tenant);
      const claim = await reports.claim({ nowMs: now(), leaseMs, held });
      if (claim === null) return null;
      if (claim.attempts <= ATTEMPTS_MAX) return { claim, lease: createReportLease(deps, claim) };
      // The worker of the last attempt died.
      await fail(deps, claim, failedForGood('report'));
    }
  };

  const claimAll = async (): Promise<readonly ReportJob[]> => {
    const claimed: ReportJob[] = [];
    while (underway.size < REPORTS_AT_ONCE_MAX) {
      const job = await claimOne().catch((err) => {
        // What was claimed before is done.
        if (claimed.length === 0) throw err;
        return null;
      });
      if (job === null) break;
      underway.add(job);
      claimed.push(job);
      if (runsAlone(job.claim)) break;
    }
    return claimed;
  };

  return {
    leaseMs,
    renewEveryMs: Math.min(leaseMs / 4, RENEW_EVERY_MS),
    arisesFrom: ['any'],
    idleMs: () => IDLE_MS,
    tenantOf: ({ claim }) => claim.tenant,
    isAlone: ({ claim }) => runsAlone(claim),
    claim: claimAll,
    renew: async (jobs) => {
      const held: ReportJob[] = [];
      for (const job of jobs) if (await job.lease.renew()) held.push(job);
      return held;
    },
    run: async (job, { signal }) => {
      try {
        await makeReport(deps, job, signal);
      } finally {
        underway.delete(job);
      }
    },
  };
}

async function makeReport(
  deps: RunReportDeps & ReportWorkDeps,
  { claim, lease }: ReportJob,
  signal: Underway['signal'],
): Promise<void> {
  const { log, now } = deps;
  const { tenant, reportId, created, attempts: attempt, origin } = claim;
  const startedMs = now();
  const { pause, end } = createPauses(deps, { signal, workMsMax: REPORT_WORK_MS_MAX });
  const outcome = await runReport(deps, { claim, lease, pause }).catch((err) =>
    // If the failure cannot be stored, another worker takes the report when its lease ends.
    settleEnd(deps, { claim, lease }, err).catch((cause): JobOutcome => {
      if (cause instanceof TenantRemoved) return 'lost';
      log.error({ err: cause }, 'a report is left until its lease ends');
      return 'retry';
    }),
  );
  deps.onJobEnd({
    kind: 'report',
    tenant,
    ids: { reportId },
    startedMs,
    waitedMs: waitedMs(created, startedMs),
    workedMs: end(),
    attempt,
    outcome,
    traceparent: origin?.traceparent ?? null,
  });
}

/** Settles a report that has ended without an outcome. */
async function settleEnd(
  deps: RunReportDeps & ReportWorkDeps,
  { claim, lease }: ReportJob,
  err: unknown,
): Promise<JobOutcome> {
  if (err instanceof WorkTooLong) {
    await fail(deps, claim, REPORT_TOO_LONG);
    return 'error';
  }
  if (err instanceof LeaseLost || err instanceof TenantRemoved || lease.isLost) return 'lost';
  if (!(err instanceof WorkStopped)) return settleFailure(deps, claim, err);
  await deps.reports.release(claim, { availableAtMs: 0, isAttempt: false });
  return 'stopped';
}

/** Releases a report for a later attempt, or ends it when this was its last attempt. */
async function settleFailure(
  deps: RunReportDeps & Pick<ReportWorkDeps, 'log'>,
  claim: ClaimedReport,
  err: unknown,
): Promise<JobOutcome> {
  const { reports, log, now } = deps;
  const { tenant, reportId, attempts } = claim;
  log.error({ err, tenant, reportId, attempts }, 'a report failed');
  const isStorageUnavailable = err instanceof StorageUnavailable;
  if (!isStorageUnavailable && attempts >= ATTEMPTS_MAX) {
    await fail(deps, claim, failedForGood('report'));
    return 'error';
  }
  const delayMs = isStorageUnavailable ? RETRY_STORAGE_MS : retryDelayMs(attempts, RETRY_FIRST_MS);
  await reports.release(claim, { availableAtMs: now() + delayMs, isAttempt: !isStorageUnavailable });
  return 'retry';
}

/** Removes expired reports; true when there may be more. */
export const removeExpiredReports = ({ reports }: Pick<ReportWorkDeps, 'reports'>, nowMs: number): Promise<boolean> =>
  reports.removeExpired(new Date(nowMs - KEPT_MS).toISOString());
