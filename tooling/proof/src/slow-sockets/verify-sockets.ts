import type { SlowKind, SlowSocket } from './slow-socket.ts';

/** The outcome of the sockets of one kind. */
export interface SlowKindReport {
  readonly kind: SlowKind;
  readonly sockets: number;
  /** The longest time from the start of misuse until a socket was closed; unknown for readers. */
  readonly longestMs: number;
  /** Sockets that were not closed in time. */
  readonly late: number;
}

const SENDING_MS_MAX = 15_000;
/** A slow reader is noticed only when all buffers in between are full, which takes seconds on a busy machine. */
const READING_MS_MAX = SENDING_MS_MAX + 10_000;
/** The limit for idle connections in docs/decisions/0012-slow-senders.md. */
const IDLE_MS_MAX = 70_000;

export const isReader = ({ kind }: SlowSocket): boolean => kind.startsWith('answers');

export const isIdler = ({ kind }: SlowSocket): boolean => kind.endsWith('after an answer');

function mayStayMs(socket: SlowSocket): number {
  if (isIdler(socket)) return IDLE_MS_MAX;
  return isReader(socket) ? READING_MS_MAX : SENDING_MS_MAX;
}

/** The deadline of a socket; minus infinity if it never connected. */
export const deadlineOf = (socket: SlowSocket): number =>
  socket.startMs === null ? Number.NEGATIVE_INFINITY : socket.startMs + mayStayMs(socket);

function isLate(socket: SlowSocket): boolean {
  // A reader that was cut off in time finds an incomplete answer when it reads on.
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
