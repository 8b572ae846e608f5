import type { AuditEvent } from '@access-admin/domain';
import type { AuditStreamClaim, AuditStreamStore } from '@access-admin/store';
import { createLeasedJob, type LeasedJobDeps } from '../leased/job.ts';
import type { LeasedWork } from '../leased/loop.ts';
import { LeaseLost } from '../leased/pause.ts';
import type { AuditLine, AuditSink } from './sink.ts';

export interface AuditStreamDeps extends LeasedJobDeps {
  readonly auditStream: AuditStreamStore;
  readonly sink: AuditSink;
  /** The line of an event, without its end. */
  formatEvent(event: AuditEvent): string;
}

const TENANTS_AT_ONCE_MAX = 4;
// The cursor moves after so many events, or so much text.
const EVENTS_AT_ONCE = 500;
const LENGTH_AT_ONCE = 256 * 1024;

/**
 * Writes audit logs to a target, each event at least once and in the order of its tenant: the cursor moves when the target has
 * taken the events. A target that is away holds up nothing else.
 */
export function createAuditStreamWork(deps: AuditStreamDeps): LeasedWork<AuditStreamClaim> {
  const { auditStream, sink } = deps;
  return createLeasedJob(
    {
      kind: 'auditStream',
      leases: auditStream,
      atOnceMax: () => TENANTS_AT_ONCE_MAX,
      idsOf: () => ({}),
      run: async (claim, { pause, note }) => {
        let events = 0;
        note({ events });
        for await (const lines of batchesOf(deps, claim)) {
          await pause();
          await sink.write(lines);
          const last = lines.at(-1);
          if (last === undefined || !(await auditStream.advance(claim, last.event.sequence))) throw new LeaseLost();
          events += lines.length;
          note({ events });
        }
        await auditStream.release(claim, { availableAtMs: 0, isAttempt: false });
        return 'success';
      },
    },
    deps,
  );
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
