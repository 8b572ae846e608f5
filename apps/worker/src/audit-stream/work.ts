import type { AuditEvent } from '@access-admin/domain';
import { type AuditStreamClaim, type AuditStreamStore, TenantRemoved } from '@access-admin/store';
import type { EndedJob, JobOutcome } from '@access-admin/telemetry';
import type { Logger } from 'pino';
import type { LeasedWork } from '../leased/loop.ts';
import { createPauses, LeaseLost, type PauseDeps, WorkStopped } from '../leased/pause.ts';
import type { AuditLine, AuditSink } from './sink.ts';

export interface AuditStreamDeps extends PauseDeps {
  readonly auditStream: AuditStreamStore;
  readonly sink: AuditSink;
  /** The line of an event, without its end. */
  formatEvent(event: AuditEvent): string;
  readonly log: Pick<Logger, 'error'>;
  readonly leaseMs: number;
  onJobEnd(job: EndedJob): void;
  /** Milliseconds since 1970. */
  now(): number;
}

const TENANTS_AT_ONCE_MAX = 4;
const RENEW_EVERY_MS = 1_000;
const IDLE_MS = 1_000;
/** The pause after a failure: the target is away, or its disk is full. */
const RETRY_MS = 5_000;
// The cursor moves after so many events, or so much text.
const EVENTS_AT_ONCE = 500;
const LENGTH_AT_ONCE = 256 * 1024;

/**
 * Writes audit logs to a target, each event at least once and in the order of its tenant: the cursor moves when the target has
 * taken the events. A target that is away holds up nothing else.
 */
export function createAuditStreamWork(deps: AuditStreamDeps): LeasedWork<AuditStreamClaim> {
  const { auditStream, now, leaseMs } = deps;
  let underwayCount = 0;
  return {
    leaseMs,
    renewEveryMs: Math.min(leaseMs / 4, RENEW_EVERY_MS),
    arisesFrom: ['any'],
    idleMs: () => IDLE_MS,
    tenantOf: ({ tenant }) => tenant,
    claim: async () => {
      const limit = TENANTS_AT_ONCE_MAX - underwayCount;
      if (limit <= 0) return [];
      const claims = await auditStream.claim({ nowMs: now(), leaseMs, limit });
      underwayCount += claims.length;
      return claims;
    },
    renew: auditStream.renew,
    run: async (claim, { signal }) => {
      try {
        await streamLog(deps, claim, signal);
      } finally {
        underwayCount -= 1;
      }
    },
  };
}

async function streamLog(deps: AuditStreamDeps, claim: AuditStreamClaim, signal: AbortSignal): Promise<void> {
  const { auditStream, log, now } = deps;
  const { tenant } = claim;
  const startedMs = now();
  const { pause, end } = createPauses(deps, { signal });
  let count = 0;
  let outcome: JobOutcome = 'success';
  try {
    for await (const lines of batchesOf(deps, claim)) {
      await pause();
      await deps.sink.write(lines);
      const last = lines.at(-1);
      if (last === undefined || !(await auditStream.advance(claim, last.event.sequence))) throw new LeaseLost();
      count += lines.length;
    }
  } catch (err) {
    outcome = outcomeOf(err, signal);
    if (outcome === 'retry') log.error({ err, tenant }, 'the audit log of a tenant could not be streamed');
  }
  deps.onJobEnd({
    kind: 'auditStream',
    tenant,
    ids: { events: count },
    startedMs,
    waitedMs: null,
    workedMs: end(),
    attempt: 1,
    outcome,
    traceparent: null,
  });
  if (outcome === 'lost') return;
  await auditStream
    .release(claim, outcome === 'retry' ? now() + RETRY_MS : 0)
    .catch((err) => log.error({ err }, 'the stream of an audit log is left until its lease ends'));
}

function outcomeOf(err: unknown, signal: AbortSignal): JobOutcome {
  if (err instanceof LeaseLost || err instanceof TenantRemoved || signal.reason === 'lost') return 'lost';
  return err instanceof WorkStopped ? 'stopped' : 'retry';
}

async function* batchesOf(
  { auditStream, formatEvent }: AuditStreamDeps,
  claim: AuditStreamClaim,
): AsyncGenerator<readonly AuditLine[]> {
  let lines: AuditLine[] = [];
  let length = 0;
  for await (const event of auditStream.read(claim)) {
    const text = formatEvent(event);
    lines.push({ event, text });
    length += text.length;
    if (lines.length < EVENTS_AT_ONCE && length < LENGTH_AT_ONCE) continue;
    yield lines;
    [lines, length] = [[], 0];
  }
  if (lines.length > 0) yield lines;
}
