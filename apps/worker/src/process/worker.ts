import { REPORT_EXCEPTIONS_MAX } from '@access-admin/contract';
import type { Scheduler } from '@access-admin/scheduling';
import type {
  LoadStore,
  MailClaim,
  RegisterMaintenance,
  ReportStore,
  ReservationStore,
  Store,
} from '@access-admin/store';
import type { Logger } from 'pino';
import type { AuditRetentionDeps } from '../audit-retention/sweep.ts';
import type { OpenAuditStream } from '../audit-stream/open.ts';
import { type CheckWorkDeps, createCheckWork } from '../checks/work.ts';
import { createErasureWork } from '../erasures/work.ts';
import { createLeasedLoop, type LeasedWork, type LoopDeps } from '../leased/loop.ts';
import { createLoadWork } from '../loads/work.ts';
import { addMailsOfPeriod } from '../mail/periods.ts';
import { BATCH_MAX } from '../register/differences.ts';
import { createRegisterWork } from '../register/work.ts';
import type { Populations } from '../reports/population.ts';
import { createReportWork } from '../reports/work.ts';
import type { OpenDelivery } from '../webhooks/open-delivery.ts';
import { createSweeps, runSweeps, type StoredSweepDeps } from './sweeps.ts';
import { createTenantRemovalWork } from './tenant-removals.ts';

export interface WorkerDeps
  extends LoopDeps,
    Pick<StoredSweepDeps, 'events' | 'eventRetentionDays' | 'checkRetentionDays' | 'signInExpiry'>,
    Omit<AuditRetentionDeps, 'isAuditStreamed'>,
    Pick<CheckWorkDeps, 'reader' | 'sod' | 'leaseMs' | 'onJobEnd' | 'onVerdict'> {
  readonly checks: CheckWorkDeps['checks'] & StoredSweepDeps['checks'];
  readonly engine: Store['engine'];
  readonly reports: ReportStore;
  readonly loads: LoadStore;
  readonly reservations: ReservationStore;
  readonly register: RegisterMaintenance;
  readonly tenantRemovals: Store['tenantRemovals'];
  readonly tenants: Store['tenants'];
  readonly mails: Store['mails'];
  readonly erasures: Store['erasures'];
  readonly populations: Populations;
  /** How many days ended violations are kept. */
  readonly violationRetentionDays: number;
  /** Null where nothing can be signed, and so nothing is delivered. */
  readonly delivery: OpenDelivery | null;
  /** Null where audit events are streamed nowhere. */
  readonly auditLogs: OpenAuditStream | null;
  /** Null where no mails are sent. */
  readonly mailWork: LeasedWork<MailClaim> | null;
  readonly log: Pick<Logger, 'debug' | 'info' | 'error' | 'warn'>;
  /** The time in which the process has worked, in milliseconds. */
  busyMs(): number;
  readonly yieldIfDue: Scheduler['yieldIfDue'];
}

/** All that a worker does. */
export interface Worker {
  /** How many jobs are under way. */
  jobCount(): number;
  /** Works until the signal is aborted; resolves when what is done is stored and the rest given back. */
  run(signal: AbortSignal): Promise<void>;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

export function createWorker(deps: WorkerDeps): Worker {
  const { delivery, auditLogs, mailWork } = deps;
  const reports = createReportWork(deps);
  const checks = createCheckWork(deps);
  const loads = createLoadWork(deps);
  const register = createRegisterWork({
    ...deps,
    exceptionsMax: REPORT_EXCEPTIONS_MAX,
    batchMax: BATCH_MAX[deps.engine],
  });
  const loop = createLeasedLoop(
    [
      checks,
      reports,
      loads,
      register,
      createTenantRemovalWork(deps),
      createErasureWork(deps),
      ...(delivery === null ? [] : [delivery.work]),
      ...(auditLogs === null ? [] : [auditLogs.work]),
      ...(mailWork === null ? [] : [mailWork]),
    ],
    deps,
  );
  const sweeps = [
    ...createSweeps({ ...deps, isAuditStreamed: auditLogs !== null }),
    ...(delivery === null ? [] : [{ everyMs: MINUTE_MS, run: delivery.removeOld }]),
    ...(mailWork === null
      ? []
      : [{ everyMs: HOUR_MS, run: async (nowMs: number) => addMailsOfPeriod(deps, nowMs).then(() => false) }]),
  ];
  return {
    jobCount: loop.jobCount,
    run: async (signal) => {
      await Promise.all([loop.run(signal), runSweeps(sweeps, deps, signal)]);
      delivery?.close();
      await auditLogs?.close();
    },
  };
}
