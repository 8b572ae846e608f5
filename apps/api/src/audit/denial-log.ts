import { type AuditContext, type AuditEvent, describeError } from '@access-admin/domain';
import type { AuditStore, RepeatedDenial } from '@access-admin/store';

export const DENIAL_MINUTE_MS = 60_000;
/** Denials of one caller and operation that are events of their own in a minute. */
export const DENIALS_RECORDED_MAX = 10;
/** Callers and operations that are kept. */
export const KINDS_MAX = 10_000;

/** Records denials: the first ten of a caller, operation and minute as events, the others as one event with their count. */
export interface DenialLog extends AsyncDisposable {
  /** Resolves when the refusal may be sent. `recordOne` replaces the event of a denied operation. */
  record(auditContext: AuditContext, resource: AuditEvent['resource'], recordOne?: () => Promise<void>): Promise<void>;
  /** Records the counts of the last minute. No request may be running. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface DenialLogDeps {
  readonly audit: Pick<AuditStore, 'recordDenial' | 'recordRepeatedDenials'>;
  /** Runs a task after a time, unless the process ends before. */
  readonly later: (task: () => void, delayMs: number) => void;
  readonly log: { error(fields: object, message: string): void };
}

/** The denials of one caller and operation. */
interface Denials {
  recorded: number;
  counted: RepeatedDenial | null;
}

export function openDenialLog({ audit, later, log }: DenialLogDeps): DenialLog {
  /** By tenant and kind: the denials of this minute, and the counts that could not be recorded before. */
  const kept = new Map<string, Map<string, Denials>>();
  let writing = Promise.resolve();
  let isScheduled = false;
  /** Whether counts could be recorded when that was last tried in this minute. */
  let isWritable = true;

  const find = (tenant: string, kind: string) => kept.get(tenant)?.get(kind);
  const keep = (tenant: string, kind: string, denials: Denials): Denials => {
    const kinds = kept.get(tenant) ?? new Map<string, Denials>();
    kept.set(tenant, kinds.set(kind, denials));
    schedule();
    return denials;
  };
  const isFull = () => {
    let count = 0;
    for (const { size } of kept.values()) count += size;
    return count >= KINDS_MAX;
  };
  const endMinuteOf = async (tenant: string) => {
    const ended = [...(kept.get(tenant) ?? [])];
    kept.delete(tenant);
    const counts = ended.flatMap(([, { counted }]) => counted ?? []);
    if (counts.length === 0) return;
    try {
      await audit.recordRepeatedDenials(tenant, counts);
    } catch (error) {
      log.error({ tenant, kinds: counts.length, reason: describeError(error) }, 'counted denials are not recorded');
      isWritable = false;
      for (const [kind, { recorded, counted }] of ended) {
        if (counted === null) continue;
        const newer = find(tenant, kind) ?? { recorded, counted: null };
        keep(tenant, kind, { ...newer, counted: newer.counted === null ? counted : sumOf(counted, newer.counted) });
      }
    }
  };
  /** One after the other: each may hold as many counts again as are kept. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    writing = writing.then(work);
    return writing;
  };
  const endMinute = () =>
    inTurn(async () => {
      isWritable = true;
      for (const tenant of [...kept.keys()]) await endMinuteOf(tenant);
    });
  const makeRoom = () =>
    inTurn(async () => {
      if (isFull() && isWritable) await endMinuteOf(largestOf(kept));
    });
  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    later(() => {
      isScheduled = false;
      void endMinute();
    }, DENIAL_MINUTE_MS);
  };

  return {
    record: async (auditContext, resource, recordOne = () => audit.recordDenial(auditContext, resource)) => {
      const { tenant, actor, operation } = auditContext;
      const kind = JSON.stringify([actor.clientId, actor.identityId, operation]);
      if (find(tenant, kind) === undefined && isFull()) await makeRoom();
      const known = find(tenant, kind);
      // Without memory to count it, each denial is an event, so that none is lost.
      if (known === undefined && isFull()) return recordOne();
      const denials = known ?? keep(tenant, kind, { recorded: 0, counted: null });
      if (denials.recorded >= DENIALS_RECORDED_MAX) {
        const one = { auditContext, resource, count: 1 };
        denials.counted = denials.counted === null ? one : sumOf(denials.counted, one);
        return;
      }
      denials.recorded += 1;
      try {
        await recordOne();
      } catch (error) {
        denials.recorded -= 1;
        throw error;
      }
    },
    [Symbol.asyncDispose]: endMinute,
  };
}

function sumOf(earlier: RepeatedDenial, later: RepeatedDenial): RepeatedDenial {
  const id = earlier.resource.id === later.resource.id ? later.resource.id : null;
  return { ...later, resource: { ...later.resource, id }, count: earlier.count + later.count };
}

/** The tenant that has the most kinds. */
function largestOf(kept: ReadonlyMap<string, ReadonlyMap<string, Denials>>): string {
  let largest = { tenant: '', size: 0 };
  for (const [tenant, { size }] of kept) if (size > largest.size) largest = { tenant, size };
  return largest.tenant;
}
