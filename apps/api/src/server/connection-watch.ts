import type { ServerResponse } from 'node:http';

/** The time limits of a connection, in checks, one a second. */
export interface WatchLimits {
  /** A connection that takes nothing of a waiting response for this long is reset. */
  readonly stalledChecksMax: number;
  /** A connection that takes less than `rateBytesMin` a check of a waiting response for this long is reset. */
  readonly rateChecks: number;
  readonly rateBytesMin: number;
  /** A response that is not complete this long after its head is reset, unless it is a stream of events, which ends by itself. */
  readonly answerChecksMax: number;
  /** A connection without a response under way is closed after this time. */
  readonly idleChecksMax: number;
}

/** The state of a connection at a check. */
export interface ConnectionState {
  /** Bytes of responses that the peer has not taken yet. */
  readonly waiting: number;
  /** All bytes that the peer, or at least the operating system, has taken. */
  readonly taken: number;
  /** The first response that is not complete. */
  readonly response: Pick<ServerResponse, 'headersSent'> | null;
  /** Whether that response is a stream of events, which ends by itself. */
  readonly isEventStream: boolean;
}

/** Why a connection is closed. All but `idle` end a response, by a reset. */
export type CloseReason = 'stalled' | 'slow' | 'overdue' | 'idle';

/** Finds from one check to the next why a connection must be closed; null as long as it stays open. */
export function createConnectionWatch(limits: WatchLimits): (state: ConnectionState) => CloseReason | null {
  let taken = 0;
  let unchangedChecks = 0;
  let answerChecks = 0;
  let answered: ConnectionState['response'] = null;
  /** What had been taken at each of the last checks that found the response waiting. */
  let takenBefore: number[] = [];
  return (now) => {
    const isWaiting = now.waiting > 0;
    // A connection that waits for a response is not idle: that time is bounded elsewhere.
    const isPending = !isWaiting && now.response !== null;
    unchangedChecks = now.taken === taken && !isPending ? unchangedChecks + 1 : 0;
    taken = now.taken;
    const isTimed = now.response?.headersSent && now.response === answered && !now.isEventStream;
    answerChecks = isTimed ? answerChecks + 1 : 0;
    answered = now.response;
    if (!isWaiting) {
      takenBefore = [];
      return unchangedChecks > limits.idleChecksMax ? 'idle' : answerChecks > limits.answerChecksMax ? 'overdue' : null;
    }
    takenBefore.push(now.taken);
    if (unchangedChecks > limits.stalledChecksMax) return 'stalled';
    if (answerChecks > limits.answerChecksMax) return 'overdue';
    if (takenBefore.length <= limits.rateChecks) return null;
    return now.taken - (takenBefore.shift() ?? 0) < limits.rateChecks * limits.rateBytesMin ? 'slow' : null;
  };
}
