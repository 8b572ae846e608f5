import { type Operation, PREFER_WAIT_SECONDS_MAX, REQUEST_WORK_SECONDS_MAX } from '@access-admin/contract';
import type { Result } from '@access-admin/domain';
import { DeadlineExceeded, withinTime } from '../event-loop/deadline.ts';
import type { MaybePromise } from '../event-loop/maybe-promise.ts';
import type { Answer } from '../http/answer.ts';
import type { RequestContext } from '../http/env.ts';
import type { ApiFailure } from '../http/problem.ts';
import { logError } from '../middleware/errors.ts';
import type { RequestLog } from '../telemetry/request-log.ts';

type Outcome = Result<Answer, ApiFailure>;

/**
 * Ends a request whose handler takes longer than it may (503). The time that a caller has asked to wait is no work. Most
 * predictions wait for nothing, and so need no timer.
 */
export function createWithDeadline({ waits, method, hasNoEffect }: Operation, log: Pick<RequestLog, 'error'>) {
  const waitSeconds = waits ? PREFER_WAIT_SECONDS_MAX : 0;
  const isEffectKnown = method === 'GET' || hasNoEffect;
  const limit = {
    ms: (REQUEST_WORK_SECONDS_MAX + waitSeconds) * 1000,
    toError: () => new DeadlineExceeded(isEffectKnown),
  };
  return (c: RequestContext, outcome: MaybePromise<Outcome>): MaybePromise<Outcome> => {
    if (!(outcome instanceof Promise)) return outcome;
    const state = c.get('state');
    // The work goes on after a late answer, or without its caller.
    state.work = outcome;
    return withinTime(outcome, limit, {
      onOutcome: (late) => late.ok && discard(late.value),
      onError: (error) => logError(error, state.trackingId, log),
    });
  };
}

/** Ends the pieces of an answer that is not sent. */
function discard({ body }: Answer): void {
  if (body instanceof ReadableStream) void body.cancel();
}
