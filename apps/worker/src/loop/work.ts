import { REPORT_EXCEPTIONS_MAX } from '@access-admin/domain';
import {
  type CheckQueue,
  type EventStore,
  type RegisterMaintenance,
  type ReportStore,
  StorageUnavailable,
  type Store,
} from '@access-admin/store';
import type { Logger } from 'pino';
import { createHeldChecks } from '../checks/held.ts';
import { createCheckIntake } from '../checks/intake.ts';
import { type RunCheckDeps, runCheckAtOnce } from '../checks/run.ts';
import { createSettlement, type Settlement } from '../checks/settle.ts';
import { CHECK_TOO_LONG } from '../claims/bounds.ts';
import type { LongWork } from '../claims/long-work.ts';
import { createPeriodicSweep } from '../claims/policy.ts';
import { BATCH_MAX } from '../register/differences.ts';
import { createRegisterWork } from '../register/work.ts';
import type { Populations } from '../reports/population.ts';
import { createReportWork } from '../reports/work.ts';
import type { Turns } from '../turns/turns.ts';

export interface WorkDeps extends RunCheckDeps {
  /** From 0 up to, and without, 1. */
  random(): number;
  readonly checks: Pick<
    CheckQueue,
    'claim' | 'complete' | 'release' | 'renew' | 'giveBack' | 'failExhausted' | 'nextClaimableAtMs'
  >;
  readonly engine: Store['engine'];
  readonly reports: ReportStore;
  readonly register: RegisterMaintenance;
  readonly populations: Populations;
  /** Ended violations are kept so long. */
  readonly violationRetentionDays: number;
  readonly events: Pick<EventStore, 'removeExpired'>;
  readonly eventRetentionDays: number;
  readonly signInExpiry: Store['signInExpiry'];
  readonly log: Pick<Logger, 'debug' | 'error' | 'warn'>;
  /** The time in which the process has worked, in milliseconds. */
  busyMs(): number;
  /** Resolves after `ms`, or as soon as the signal is aborted; never rejects. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** The checks, reports and registers of the worker: claimed, begun, and their outcomes stored. */
export interface Work {
  /** Claims new work, reports at once or from time to time. Returns how long to wait for more, in milliseconds; 0 when there is some. */
  claim(isAtOnce: boolean): Promise<number>;
  /** Whether reports or rounds of registers are under way. */
  isLongUnderWay(): boolean;
  /** Whether more should be claimed now, because what was claimed alone is no longer tried. */
  isClaimDue(): boolean;
  /** Renews the leases that are due. */
  renew(): Promise<void>;
  /** Whether outcomes should be stored now. */
  isStoreDue: Settlement['isDue'];
  /** Stores outcomes of checks. Returns how many checks were released. */
  store: Settlement['store'];
  /** How long an idle worker may wait before it stores outcomes again, in milliseconds. */
  storeIdleMs: Settlement['idleMs'];
  /** Throws the error of a check that could not read the storage since the last call. */
  throwFailure(): void;
  /** Stores what is done and gives back the rest. */
  stop(): Promise<void>;
}

/** What the loop gives to its work. */
export interface WorkLoop {
  readonly turns: Turns;
  readonly longWork: LongWork;
  readonly leaseMs: number;
  /** Ends the wait of the loop. */
  wake(): void;
}

export function createWork(deps: WorkDeps, { turns, longWork, leaseMs, wake }: WorkLoop): Work {
  const { log } = deps;
  let failure: StorageUnavailable | null = null;
  const common = { ...deps, leaseMs, queue: deps.checks, turns };
  const settlement = createSettlement({ ...common, onStored: turns.charge, onLost: () => intake.noteLost() });
  const held = createHeldChecks({
    turns,
    busyMs: deps.busyMs,
    runCheck: (claim) => runCheckAtOnce(deps, claim),
    onOutcome: settlement.conclude,
    onTooLong: (check) => settlement.end(check, CHECK_TOO_LONG),
    onFailure: (check, err) => {
      const { tenant, requestId, attempts } = check.claim;
      log.error({ err, tenant, requestId, attempts }, 'a check failed');
      settlement.fail(check);
      if (err instanceof StorageUnavailable) failure = err;
    },
  });
  const intake = createCheckIntake({ ...common, held });
  const long = { ...common, longWork, onWorked: turns.charge, onEnd: wake };
  const reportWork = createReportWork(long);
  const registerWork = createRegisterWork({
    ...long,
    exceptionsMax: REPORT_EXCEPTIONS_MAX,
    batchMax: BATCH_MAX[deps.engine],
  });
  const sweepEvents = createEventSweep(deps);
  const sweepSignIns = createSignInSweep(deps);
  return {
    claim: async (isAtOnce) => {
      const idleMs = await intake.claim();
      // If a check that is tried again ends the process, no report has an attempt less.
      if (held.isTrying()) await reportWork.renew({ countsAsAttempt: false });
      else if (await reportWork.claim(isAtOnce)) return 0;
      else if (isAtOnce && ((await sweepEvents()) || (await sweepSignIns()))) return 0;
      return (await registerWork.claim(isAtOnce)) ? 0 : Math.min(idleMs, registerWork.idleMs());
    },
    isLongUnderWay: () => reportWork.isUnderWay() || registerWork.isUnderWay(),
    isClaimDue: intake.isNextTrialDue,
    renew: async () => {
      await intake.renew();
      await reportWork.renew({ countsAsAttempt: !held.isTrying() });
      await registerWork.renew();
    },
    isStoreDue: settlement.isDue,
    store: settlement.store,
    storeIdleMs: settlement.idleMs,
    throwFailure: () => {
      const error = failure;
      failure = null;
      if (error !== null) throw error;
    },
    stop: async () => {
      const leave = (what: string) => (err: unknown) => log.error({ err }, `${what} are left to the next worker`);
      // All at the same time: what is done is stored even if a report does not end.
      await Promise.all([
        settlement.store().then(settlement.giveBack).catch(leave('results')),
        intake.giveBack().catch(leave('checks')),
        reportWork.stop().catch(leave('reports')),
        registerWork.stop().catch(leave('registers')),
      ]);
    },
  };
}

const SWEEP_EVERY_MS = 60_000;
const DAY_MS = 86_400_000;

/** Removes expired events, once a minute; true when there may be more. */
const createEventSweep = ({ events, eventRetentionDays, now }: WorkDeps) =>
  createPeriodicSweep(now, SWEEP_EVERY_MS, (nowMs) =>
    events.removeExpired({
      before: new Date(nowMs - eventRetentionDays * DAY_MS).toISOString(),
      now: new Date(nowMs).toISOString(),
    }),
  );

/** Another process, whose clock is behind, may take what has ended for what has not. */
const ENDED_FOR_MS = 300_000;

/** Removes sessions, links, pending sign-ins and failed attempts that have ended, once a minute; true when there may be more. */
const createSignInSweep = ({ signInExpiry, now }: WorkDeps) =>
  createPeriodicSweep(now, SWEEP_EVERY_MS, (nowMs) => signInExpiry.removeExpired(nowMs - ENDED_FOR_MS));
