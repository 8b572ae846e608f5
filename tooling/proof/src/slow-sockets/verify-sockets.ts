import type { SlowKind, SlowSocket } from './slow-socket.ts';

/** What became of the sockets of one manner. */
export interface SlowKindReport {
  readonly kind: SlowKind;
  readonly sockets: number;
  /** From its first moment of no use until the last of them was closed; of readers it is not seen. */
  readonly longestMs: number;
  /** How many were not closed in time. */
  readonly late: number;
}

const SENDING_MS_MAX = 15_000;
/** Of a reader nothing is to be seen before the buffers of all systems between are full, which takes seconds where much runs. */
const READING_MS_MAX = SENDING_MS_MAX + 10_000;
/** What docs/decisions/0012-slow-senders.md says of connections on which nothing is asked. */
const IDLE_MS_MAX = 70_000;

export const isReader = ({ kind }: SlowSocket): boolean => kind.startsWith('answers');

export const isIdler = ({ kind }: SlowSocket): boolean => kind.endsWith('after an answer');

function mayStayMs(socket: SlowSocket): number {
  if (isIdler(socket)) return IDLE_MS_MAX;
  return isReader(socket) ? READING_MS_MAX : SENDING_MS_MAX;
}

/** When the time of a socket is up; of one that never came to connect, never. */
export const deadlineOf = (socket: SlowSocket): number =>
  socket.startMs === null ? Number.NEGATIVE_INFINITY : socket.startMs + mayStayMs(socket);

function isLate(socket: SlowSocket): boolean {
  // A reader that was cut off in time finds, when it reads on, that its answer has no end.
  if (isReader(socket)) return socket.endMs === null || socket.hasWholeAnswer;
  return (socket.endMs ?? Number.POSITIVE_INFINITY) > deadlineOf(socket);
}

export function verifySockets(sockets: readonly SlowSocket[]): readonly SlowKindReport[] {
  return [...Map.groupBy(sockets, ({ kind }) => kind)].map(([kind, own]) => ({
    kind,
    sockets: own.length,
    longestMs: Math.max(...own.map(({ startMs, endMs }) => (endMs ?? Number.POSITIVE_INFINITY) - (startMs ?? 0))),
    late: own.filter((socket) => socket.startMs !== null && isLate(socket)).length,
  }));
}
