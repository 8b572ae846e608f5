import { REPORTS_AT_ONCE_MAX } from '@access-admin/contract';
import { REPORT_KEPT_DAYS } from '@access-admin/domain';
import type { ClaimedReport } from '@access-admin/store';
import type { EndedJob } from '@access-admin/telemetry';
import type { Logger } from 'pino';
import { ATTEMPTS_MAX, failedForGood } from '../leased/attempts.ts';
import { type LeasedWork, runsAlone, type Underway } from '../leased/loop.ts';
import { createPauses, type PauseDeps } from '../leased/pause.ts';
import { settleFailure } from '../leased/settle.ts';
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
  const { now } = deps;
  const { tenant, reportId, created, attempts: attempt, origin } = claim;
  const startedMs = now();
  const { pause, end } = createPauses(deps, { signal, workMsMax: REPORT_WORK_MS_MAX });
  const outcome = await runReport(deps, { claim, lease, pause }).catch((err) =>
    settleFailure(
      deps,
      {
        kind: 'report',
        tenant,
        attempts: attempt,
        ids: { reportId },
        isLost: lease.isLost,
        tooLong: REPORT_TOO_LONG,
        release: (later) => deps.reports.release(claim, later),
        fail: (message) => fail(deps, claim, message),
      },
      err,
    ),
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

/** Removes expired reports; true when there may be more. */
export const removeExpiredReports = ({ reports }: Pick<ReportWorkDeps, 'reports'>, nowMs: number): Promise<boolean> =>
  reports.removeExpired(new Date(nowMs - KEPT_MS).toISOString());
