import { type AuditContext, type AuditEvent, describeError } from '@access-admin/domain';
import type { AuditStore, RepeatedDenial } from '@access-admin/store';

/** Refused requests of one kind are counted for this long after the first. */
export const DENIAL_WINDOW_MS = 60_000;
/** So many refused resources of one actor are recorded by id within a window; others are counted by operation. */
export const DENIED_RESOURCES_MAX = 16;
/** The most windows of a process. Beyond it the oldest one ends early. */
export const DENIAL_WINDOWS_MAX = 10_000;

const EVENTS_AT_ONCE = 500;
const RETRY_MS = 5_000;

/** Records refused requests: the first of a kind at once, further ones of its window as one event with their count. */
export interface DenialLog extends AsyncDisposable {
  /** Resolves when the refusal may be sent: for the first of its kind once it is recorded, for others at once. */
  record(auditContext: AuditContext, resource: AuditEvent['resource'], how?: DenialRecording): Promise<void>;
  /** Records all counts. No request may be running. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** How refused requests of a kind are recorded where they are no operations. */
export interface DenialRecording {
  /** Records the first of its kind in place of the event of a denied operation. */
  readonly recordFirst?: () => Promise<void>;
  /** So many resources of the actor are recorded by id. */
  readonly resourcesMax?: number;
}

export interface DenialLogDeps {
  readonly audit: Pick<AuditStore, 'recordDenial' | 'recordRepeatedDenials'>;
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
  /** Runs a task after a time, unless the process ends before. */
  readonly later: (task: () => void, delayMs: number) => void;
  readonly log: { error(fields: object, message: string): void };
}

interface Window {
  readonly endsMs: number;
  readonly actor: string;
  readonly resource: AuditEvent['resource'];
  /** Of the last refused request. */
  auditContext: AuditContext;
  /** The refused requests after the first. */
  count: number;
}

interface EnteredDenial {
  readonly resource: AuditEvent['resource'];
  readonly nowMs: number;
  readonly resourcesMax: number;
}

/** A kind is what one actor was refused: an operation on one resource. */
export function openDenialLog(deps: DenialLogDeps): DenialLog {
  const { audit, elapsed, later } = deps;
  const windows = createWindows();
  const counts = createCounts();
  const writer = createWriter(deps, counts);
  let isScheduled = false;
  const endWindows = (untilMs: number) => windows.endUntil(untilMs, (window) => counts.add(window));
  const schedule = () => {
    const firstMs = windows.firstEndMs();
    if (isScheduled || (firstMs === null && counts.size() === 0)) return;
    isScheduled = true;
    const delayMs = counts.size() > 0 || firstMs === null ? RETRY_MS : Math.max(0, firstMs - elapsed());
    later(() => {
      endWindows(elapsed());
      void writer.write().then(() => {
        isScheduled = false;
        schedule();
      });
    }, delayMs);
  };

  return {
    record: async (auditContext, resource, { recordFirst, resourcesMax = DENIED_RESOURCES_MAX } = {}) => {
      const nowMs = elapsed();
      endWindows(nowMs);
      if (counts.size() >= EVENTS_AT_ONCE) writer.writeUnlessFailed(nowMs);
      const { window, isNew } = windows.enter(auditContext, { resource, nowMs, resourcesMax });
      if (!isNew) return;
      schedule();
      try {
        await (recordFirst?.() ?? audit.recordDenial(auditContext, window.resource));
      } catch (error) {
        // The next one of the kind is the first again; those that have been refused meanwhile stay counted.
        if (windows.end(window)) counts.add(window);
        throw error;
      }
    },
    [Symbol.asyncDispose]: async () => {
      // An attempt that is under way does not have the counts of windows that end now.
      await writer.written();
      endWindows(Number.POSITIVE_INFINITY);
      await writer.write();
    },
  };
}

const kindOf = ({ tenant, actor, operation }: AuditContext, { type, id }: AuditEvent['resource']): string =>
  JSON.stringify([tenant, actor.clientId, actor.identityId, operation, type, id]);

/** The open windows. All are equally long, so the map has them in the order of their ends. */
function createWindows() {
  const windows = new Map<string, Window>();
  const resources = new Map<string, number>();
  const countResource = ({ actor, resource }: Window, by: number) => {
    if (resource.id === null) return;
    const count = (resources.get(actor) ?? 0) + by;
    if (count === 0) resources.delete(actor);
    else resources.set(actor, count);
  };
  const end = (window: Window): boolean => {
    const kind = kindOf(window.auditContext, window.resource);
    if (windows.get(kind) !== window) return false;
    windows.delete(kind);
    countResource(window, -1);
    return true;
  };
  return {
    firstEndMs: (): number | null => windows.values().next().value?.endsMs ?? null,
    end,
    endUntil: (untilMs: number, onEnd: (window: Window) => void): void => {
      for (const window of windows.values()) {
        if (window.endsMs > untilMs && windows.size < DENIAL_WINDOWS_MAX) return;
        end(window);
        onEnd(window);
      }
    },
    /** Opens the window of a kind, or counts in the open one. */
    enter: (
      auditContext: AuditContext,
      { resource, nowMs, resourcesMax }: EnteredDenial,
    ): { readonly window: Window; readonly isNew: boolean } => {
      const { tenant, actor: by } = auditContext;
      const actor = JSON.stringify([tenant, by.clientId, by.identityId]);
      const isKnown = resource.id === null || windows.has(kindOf(auditContext, resource));
      const isRecordedById = isKnown || (resources.get(actor) ?? 0) < resourcesMax;
      const recorded = isRecordedById ? resource : { ...resource, id: null };
      const known = windows.get(kindOf(auditContext, recorded));
      if (known !== undefined) {
        known.count += 1;
        known.auditContext = auditContext;
        return { window: known, isNew: false };
      }
      const window: Window = { endsMs: nowMs + DENIAL_WINDOW_MS, actor, resource: recorded, auditContext, count: 0 };
      windows.set(kindOf(auditContext, recorded), window);
      countResource(window, 1);
      return { window, isNew: true };
    },
  };
}

/** Counts of ended windows that are not recorded yet, one for each kind. */
function createCounts() {
  const counts = new Map<string, RepeatedDenial>();
  let lost = 0;
  return {
    size: () => counts.size,
    /** The number of refused requests whose counts had no room. */
    lost: () => lost,
    add: ({ auditContext, resource, count }: RepeatedDenial): void => {
      if (count === 0) return;
      const kind = kindOf(auditContext, resource);
      const known = counts.get(kind);
      if (known !== undefined) {
        const last = auditContext.time > known.auditContext.time ? auditContext : known.auditContext;
        counts.set(kind, { auditContext: last, resource, count: known.count + count });
      } else if (counts.size < DENIAL_WINDOWS_MAX) counts.set(kind, { auditContext, resource, count });
      else lost += count;
    },
    /** Takes all counts, in batches of one tenant each. */
    takeAll: (): readonly (readonly RepeatedDenial[])[] => {
      const batches: RepeatedDenial[][] = [];
      for (const denials of Map.groupBy(counts.values(), ({ auditContext }) => auditContext.tenant).values())
        for (let at = 0; at < denials.length; at += EVENTS_AT_ONCE)
          batches.push(denials.slice(at, at + EVENTS_AT_ONCE));
      counts.clear();
      return batches;
    },
  };
}

/** Records counts, in one attempt at a time; those that cannot be recorded are kept. */
function createWriter({ audit, elapsed, log }: DenialLogDeps, counts: ReturnType<typeof createCounts>) {
  let writing: Promise<void> | null = null;
  let retryMs = 0;
  const writeAll = async () => {
    const batches = counts.takeAll();
    for (const [at, batch] of batches.entries())
      try {
        await audit.recordRepeatedDenials(batch[0]?.auditContext.tenant ?? '', batch);
      } catch (error) {
        for (const denial of batches.slice(at).flat()) counts.add(denial);
        retryMs = elapsed() + RETRY_MS;
        const fields = { kinds: counts.size(), lost: counts.lost(), reason: describeError(error) };
        log.error(fields, 'counted denials are not recorded');
        return;
      }
  };
  const write = (): Promise<void> => {
    writing ??= writeAll().finally(() => {
      writing = null;
    });
    return writing;
  };
  return {
    /** Begins an attempt, or joins the one that is under way. */
    write,
    /** Begins an attempt unless one has failed a moment ago. */
    writeUnlessFailed: (nowMs: number): void => {
      if (nowMs >= retryMs) void write();
    },
    /** Resolves when no attempt is under way. */
    written: (): Promise<void> | null => writing,
  };
}
