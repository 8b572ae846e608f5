import { type AuditContext, type AuditEvent, describeError } from '@access-admin/domain';
import type { AuditStore, RepeatedDenial } from '@access-admin/store';

export const DENIAL_MINUTE_MS = 60_000;
/** Denials of one caller and operation that are events of their own in a minute. */
export const DENIALS_RECORDED_MAX = 10;
/** Beyond this number of callers and operations a minute ends early. */
const KINDS_MAX = 1_000;
const UNWRITTEN_MAX = 10 * KINDS_MAX;

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

export function openDenialLog({ audit, later, log }: DenialLogDeps): DenialLog {
  let minute = new Map<string, { recorded: number; counted: RepeatedDenial | null }>();
  let unwritten: RepeatedDenial[] = [];
  let writing = Promise.resolve();
  let isScheduled = false;

  const write = async () => {
    const counts = [...unwritten, ...Array.from(minute.values(), ({ counted }) => counted ?? []).flat()];
    minute = new Map();
    unwritten = [];
    for (const [tenant, denials] of Map.groupBy(counts, ({ auditContext }) => auditContext.tenant))
      try {
        await audit.recordRepeatedDenials(tenant, denials);
      } catch (error) {
        log.error({ tenant, kinds: denials.length, reason: describeError(error) }, 'counted denials are not recorded');
        unwritten = [...unwritten, ...denials].slice(-UNWRITTEN_MAX);
      }
    if (unwritten.length > 0) schedule();
  };
  const endMinute = (): Promise<void> => {
    writing = writing.then(write);
    return writing;
  };
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
      const kind = JSON.stringify([tenant, actor.clientId, actor.identityId, operation]);
      if (minute.size >= KINDS_MAX && !minute.has(kind)) void endMinute();
      schedule();
      const denials = minute.get(kind) ?? { recorded: 0, counted: null };
      minute.set(kind, denials);
      if (denials.recorded >= DENIALS_RECORDED_MAX) {
        const { count, resource: other } = denials.counted ?? { count: 0, resource };
        const id = other.id === resource.id ? resource.id : null;
        denials.counted = { auditContext, resource: { ...resource, id }, count: count + 1 };
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
