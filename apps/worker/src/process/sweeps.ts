import type { CheckQueue, EventStore, LoadStore, ReportStore, ReservationStore, Store } from '@access-admin/store';
import type { Logger } from 'pino';
import { type AuditRetentionDeps, archiveExpiredEvents } from '../audit-retention/sweep.ts';
import { namedOf } from '../mail/work.ts';
import { removeExpiredReports } from '../reports/work.ts';

/** Work that is due from time to time, for all tenants. */
export interface Sweep {
  readonly everyMs: number;
  /** Does some of it; true when there may be more. */
  run(nowMs: number, signal: AbortSignal): Promise<boolean>;
}

export interface SweepDeps {
  readonly log: Pick<Logger, 'error'>;
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms`, or as soon as the signal is aborted; never rejects. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

const LOOK_EVERY_MS = 1_000;

/** Runs sweeps, each once in its period, until the signal is aborted. The clock may jump either way. */
export async function runSweeps(sweeps: readonly Sweep[], deps: SweepDeps, signal: AbortSignal): Promise<void> {
  const { log, now, wait } = deps;
  const sweptMs = new Map<Sweep, number>();
  while (!signal.aborted) {
    for (const sweep of sweeps) {
      const nowMs = now();
      if (signal.aborted || Math.abs(nowMs - (sweptMs.get(sweep) ?? Number.NEGATIVE_INFINITY)) < sweep.everyMs)
        continue;
      try {
        while (!signal.aborted && (await sweep.run(nowMs, signal)));
        sweptMs.set(sweep, nowMs);
      } catch (err) {
        log.error({ err }, 'the storage failed');
      }
    }
    await wait(LOOK_EVERY_MS, signal);
  }
}

export interface StoredSweepDeps extends AuditRetentionDeps {
  readonly reports: ReportStore;
  readonly loads: Pick<LoadStore, 'removeExpired'>;
  readonly reservations: Pick<ReservationStore, 'expireSome'>;
  readonly events: Pick<EventStore, 'removeExpired'>;
  readonly checks: Pick<CheckQueue, 'removeExpired'>;
  readonly eventRetentionDays: number;
  readonly checkRetentionDays: number;
  readonly signInExpiry: Store['signInExpiry'];
  readonly mails: Pick<Store['mails'], 'removeExpired'>;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const ARCHIVE_EVERY_MS = 600_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Another process, whose clock is behind, may take what has ended for what has not. */
const ENDED_FOR_MS = 300_000;

/** Removes what has expired: reports, parts of loads, reservations, events, checks, archived audit events, mails, and what signing in leaves. Tells which reservations expire. */
export function createSweeps(deps: StoredSweepDeps): readonly Sweep[] {
  const { events, checks, loads, reservations, eventRetentionDays, checkRetentionDays, signInExpiry, auditRetention } =
    deps;
  const iso = (ms: number) => new Date(ms).toISOString();
  return [
    { everyMs: MINUTE_MS, run: (nowMs) => removeExpiredReports(deps, nowMs) },
    { everyMs: MINUTE_MS, run: loads.removeExpired },
    { everyMs: SECOND_MS, run: reservations.expireSome },
    {
      everyMs: MINUTE_MS,
      run: (nowMs) => events.removeExpired({ before: iso(nowMs - eventRetentionDays * DAY_MS), now: iso(nowMs) }),
    },
    steadily(HOUR_MS, (nowMs) => checks.removeExpired(iso(nowMs - checkRetentionDays * DAY_MS))),
    steadily(ARCHIVE_EVERY_MS, async (nowMs, signal) => {
      await archiveExpiredEvents(deps, nowMs, signal);
      return false;
    }),
    { everyMs: MINUTE_MS, run: auditRetention.removeArchived },
    { everyMs: MINUTE_MS, run: (nowMs) => signInExpiry.removeExpired(nowMs - ENDED_FOR_MS) },
    { everyMs: MINUTE_MS, run: (nowMs) => removeExpiredMails(deps, nowMs) },
  ];
}

async function removeExpiredMails({ mails, log }: StoredSweepDeps, nowMs: number): Promise<boolean> {
  const { lost, isMore } = await mails.removeExpired(nowMs);
  for (const mail of lost) log.warn(namedOf(mail), 'a mail was not sent in time, and is given up');
  return isMore;
}

/** Begins once the clock has gone on as it should for a period: one that is set wrong, and soon right again, removes nothing. */
function steadily(everyMs: number, run: Sweep['run']): Sweep {
  let lookedMs = Number.NaN;
  return {
    everyMs,
    run: async (nowMs, signal) => {
      const sinceMs = nowMs - lookedMs;
      lookedMs = nowMs;
      return sinceMs >= 0 && sinceMs <= 2 * everyMs ? await run(nowMs, signal) : false;
    },
  };
}
