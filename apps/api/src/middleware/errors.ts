import { OutcomeUnknown, StorageUnavailable } from '@access-admin/store';
import { CallerLeft, DeadlineExceeded } from '../event-loop/deadline.ts';
import type { Refusal } from '../http/env.ts';
import { type ApiFailure, DEADLINE_EXCEEDED, DEADLINE_OUTCOME_UNKNOWN, PROBLEMS } from '../http/problem.ts';
import { Unavailable } from '../http/unavailable.ts';
import type { RequestLog } from '../telemetry/request-log.ts';

/** The failure that a thrown error is answered with, which is logged unless callers can cause it as often as they like. */
export function failureOfError(
  error: unknown,
  trackingId: string,
  log: Pick<RequestLog, 'error'>,
): { readonly failure: ApiFailure; readonly reason: string | null } {
  // The line of the request says why.
  if (error instanceof DeadlineExceeded)
    return { failure: error.isEffectKnown ? DEADLINE_EXCEEDED : DEADLINE_OUTCOME_UNKNOWN, reason: error.message };
  if (error instanceof Unavailable || error instanceof CallerLeft)
    return { failure: { type: 'Unavailable', causes: [] }, reason: error.message };
  if (error instanceof StorageUnavailable) {
    log.error({ trackingId, reason: error.message }, error.name);
    const type = error instanceof OutcomeUnknown ? 'OutcomeUnknown' : 'Unavailable';
    return { failure: { type, causes: [] }, reason: null };
  }
  log.error({ trackingId, err: error }, 'bug');
  return { failure: { type: 'Bug', causes: [] }, reason: null };
}

/** Logs an error that no answer can tell of. That the caller has left, or a limit ends the answer, is no error. */
export function logError(error: unknown, trackingId: string, log: Pick<RequestLog, 'error'>): void {
  if (error instanceof CallerLeft || error instanceof DeadlineExceeded) return;
  if (error instanceof StorageUnavailable || error instanceof Unavailable)
    log.error({ trackingId, reason: error.message }, error.name);
  else log.error({ trackingId, err: error }, 'bug');
}

/** What the log line says of an answer that a limit has ended after its first piece; other errors are logged. */
export const createOnStreamError =
  (log: Pick<RequestLog, 'error'>) =>
  (error: unknown, trackingId: string): Refusal | null => {
    if (error instanceof DeadlineExceeded)
      return { detailCode: PROBLEMS.Unavailable.detailCode, reason: error.message };
    logError(error, trackingId, log);
    return null;
  };
