import type { ServerResponse } from 'node:http';

/** The time limits of a connection, in checks, one a second. */
export interface WatchLimits {
  /** A connection that takes nothing of a waiting response for this long is reset. */
  readonly stalledChecksMax: number;
  /** A connection that takes less than `rateBytesMin` a check of a waiting response for this long is reset. */
  readonly rateChecks: number;
  readonly rateBytesMin: number;
  /** A response that is not complete this long after its head is reset. */
  readonly answerChecksMax: number;
  /** A connection without a response under way is closed after this time. */
  readonly idleChecksMax: number;
}

/** What a check finds on a connection. */
export interface Sighting {
  /** Bytes of responses that the peer has not taken yet. */
  readonly waiting: number;
  /** All bytes that the peer, or at least the operating system, has taken. */
  readonly taken: number;
  /** The first response that is not complete. */
  readonly response: Pick<ServerResponse, 'headersSent'> | null;
}

/** Why a connection is closed. All but `idle` end a response, by a reset. */
export type CloseReason = 'stalled' | 'slow' | 'overdue' | 'idle';

/** Judges one connection from one check to the next; null as long as it stays open. */
export function createConnectionWatch(limits: WatchLimits): (sighting: Sighting) => CloseReason | null {
  let [taken, unchangedChecks, answerChecks] = [0, 0, 0];
  let answered: Sighting['response'] = null;
  /** What had been taken at each of the last checks that found the response waiting. */
  let marks: number[] = [];
  return (now) => {
    const isWaiting = now.waiting > 0;
    // A connection that waits for a response is not idle: that time is bounded elsewhere.
    const isPending = !isWaiting && now.response !== null;
    unchangedChecks = now.taken === taken && !isPending ? unchangedChecks + 1 : 0;
    taken = now.taken;
    answerChecks = now.response?.headersSent && now.response === answered ? answerChecks + 1 : 0;
    answered = now.response;
    if (!isWaiting) {
      marks = [];
      return unchangedChecks > limits.idleChecksMax ? 'idle' : answerChecks > limits.answerChecksMax ? 'overdue' : null;
    }
    marks.push(now.taken);
    if (unchangedChecks > limits.stalledChecksMax) return 'stalled';
    if (answerChecks > limits.answerChecksMax) return 'overdue';
    if (marks.length <= limits.rateChecks) return null;
    return now.taken - (marks.shift() ?? 0) < limits.rateChecks * limits.rateBytesMin ? 'slow' : null;
  };
}
