import { type Operation, PREFER_WAIT_SECONDS_MAX, REQUEST_WORK_SECONDS_MAX } from '@access-admin/contract';
import type { RequestContext } from '../env.ts';
import { DeadlineExceeded, withinTime } from '../event-loop/deadline.ts';
import { logError } from './errors.ts';

/**
 * Ends a request whose handler takes longer than it may (503). The time that a caller has asked to wait is no work. Most
 * predictions wait for nothing, and so need no timer.
 */
export function withinDeadline<T>(c: RequestContext, operation: Operation, answer: Promise<T>): Promise<T> {
  const { state, services } = c.env;
  const waitSeconds = operation.waits ? PREFER_WAIT_SECONDS_MAX : 0;
  const isEffectKnown = operation.method === 'GET' || operation.hasNoEffect;
  const limit = {
    ms: (REQUEST_WORK_SECONDS_MAX + waitSeconds) * 1000,
    toError: () => new DeadlineExceeded(isEffectKnown),
  };
  // The work goes on after a late answer, or without its caller.
  state.work = answer;
  return withinTime(answer, limit, {
    // Ends the pieces of an answer that is not sent.
    onOutcome: (late) => void (late instanceof Response && late.body?.cancel()),
    onError: (error) => logError(error, state.trackingId, services.log),
  });
}
