import type { AuditEvent, AuditLogHead } from '@access-admin/domain';
import type { Scheduler } from '@access-admin/scheduling';
import type { AuditRetentionStore, ExpiredAuditLog } from '@access-admin/store';
import type { EndedJob, JobOutcome } from '@access-admin/telemetry';
import type { Logger } from 'pino';
import { archiveEvents } from './archive.ts';

export interface AuditRetentionDeps {
  readonly auditRetention: AuditRetentionStore;
  /** Null where events are kept for good. */
  readonly auditRetentionDays: number | null;
  /** The folder of the archive. */
  readonly auditArchive: string;
  /** Whether events are streamed: those that are not yet stay. */
  readonly isAuditStreamed: boolean;
  /** Signs the end of a log. */
  readonly signAuditHead: (tenant: string, head: AuditLogHead) => Promise<string>;
  readonly log: Pick<Logger, 'error' | 'warn'>;
  onJobEnd(job: EndedJob): void;
  /** Milliseconds since 1970. */
  now(): number;
  /** The time in which the process has worked, in milliseconds. */
  busyMs(): number;
  readonly yieldIfDue: Scheduler['yieldIfDue'];
}

const DAY_MS = 86_400_000;
const EVENTS_MAX = 100_000;

/** Why events that have expired stay for now. */
class NotStreamed extends Error {}

/**
 * Archives the events that are older than their days, a file for each day of a log. A log that cannot be archived stays as it is,
 * and holds up no other.
 */
export async function archiveExpiredEvents(
  deps: AuditRetentionDeps,
  nowMs: number,
  signal: AbortSignal,
): Promise<void> {
  const { auditRetention, auditRetentionDays } = deps;
  if (auditRetentionDays === null) return;
  const before = dayOf(nowMs - auditRetentionDays * DAY_MS);
  for (const expired of await auditRetention.listExpired(before))
    for (let log: ExpiredAuditLog | null = expired; log !== null && !signal.aborted; )
      log = await archiveDay(deps, log, before);
}

const dayOf = (ms: number): string => new Date(Math.floor(ms / DAY_MS) * DAY_MS).toISOString();

/** Archives the events up to the end of the day of the first one; the rest of the log where there were any. */
async function archiveDay(
  deps: AuditRetentionDeps,
  log: ExpiredAuditLog,
  before: string,
): Promise<ExpiredAuditLog | null> {
  const { auditRetention, auditArchive: folder, signAuditHead: sign, yieldIfDue: pause, now, busyMs } = deps;
  const { tenant, firstSequence, previousHash } = log;
  const startedMs = now();
  const busyBeforeMs = busyMs();
  const onEnd = (outcome: JobOutcome, events = 0) =>
    deps.onJobEnd({
      kind: 'auditRetention',
      tenant,
      ids: { events },
      startedMs,
      waitedMs: null,
      workedMs: busyMs() - busyBeforeMs,
      attempt: 1,
      outcome,
      traceparent: null,
    });
  try {
    const events = eventsOfDay(deps, log, before);
    const archived = await archiveEvents(events, {
      folder,
      tenant,
      start: { firstSequence, previousHash },
      sign,
      pause,
    });
    if (archived === null) return null;
    const { head, count } = archived;
    const isFirst = await auditRetention.begin(log, head);
    onEnd(isFirst ? 'success' : 'lost', count);
    return isFirst ? { ...log, firstSequence: head.sequence + 1, previousHash: head.hash } : null;
  } catch (err) {
    if (err instanceof NotStreamed)
      deps.log.warn({ tenant, streamed: log.streamed }, 'expired audit events stay until they are streamed');
    else deps.log.error({ err, tenant, folder }, 'expired audit events cannot be archived, and stay');
    onEnd('retry');
    return null;
  }
}

/** Which events these are depends on them alone, so that a file that is written again is the same. */
async function* eventsOfDay(
  { auditRetention, isAuditStreamed }: AuditRetentionDeps,
  log: ExpiredAuditLog,
  before: string,
): AsyncGenerator<AuditEvent> {
  let end: string | null = null;
  for await (const event of auditRetention.read(log)) {
    if (end === null && event.time >= before) return;
    end ??= dayOf(Date.parse(event.time) + DAY_MS);
    if (event.time >= end || event.sequence >= log.firstSequence + EVENTS_MAX) return;
    if (isAuditStreamed && event.sequence > log.streamed) throw new NotStreamed();
    yield event;
  }
}
