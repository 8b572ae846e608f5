import type { SlowKind } from './slow-kinds.ts';
import type { SlowSocket } from './slow-socket.ts';

/** The outcome of the sockets of one kind. */
export interface SlowKindReport {
  readonly kind: SlowKind;
  readonly sockets: number;
  /** The longest time from the start of misuse until a socket was closed; unknown for readers. */
  readonly longestMs: number;
  /** Sockets that were not closed in time. */
  readonly late: number;
}

export const isReader = ({ kind }: SlowSocket): boolean => kind.reads !== 'all';

/** Whether the socket may still be closed in time. The end of a reader is visible only in its answer. */
export const isPending = (socket: SlowSocket): boolean =>
  socket.endMs === null &&
  !(isReader(socket) && socket.hasWholeAnswer) &&
  // The time of a socket starts when it has connected.
  (socket.startMs === null || socket.startMs + socket.kind.openMsMax > performance.now());

function isLate(socket: SlowSocket): boolean {
  const { kind, startMs, endMs, hasWholeAnswer } = socket;
  if (startMs === null) return false;
  // A reader that was cut off in time finds an incomplete answer when it reads on.
  if (isReader(socket)) return endMs === null || hasWholeAnswer;
  return endMs === null || endMs > startMs + kind.openMsMax;
}

export function verifySockets(sockets: readonly SlowSocket[]): readonly SlowKindReport[] {
  return [...Map.groupBy(sockets, ({ kind }) => kind)].map(([kind, own]) => ({
    kind,
    sockets: own.length,
    longestMs: Math.max(...own.map(({ startMs, endMs }) => (endMs ?? Number.POSITIVE_INFINITY) - (startMs ?? 0))),
    late: own.filter(isLate).length,
  }));
}
