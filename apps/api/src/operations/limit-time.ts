import { type Operation, PREFER_WAIT_SECONDS_MAX, REQUEST_WORK_SECONDS_MAX } from '@access-admin/contract';
import { withinTime } from '../event-loop/deadline.ts';
import { isInPieces } from '../http/exchange.ts';
import type { RequestLog } from '../telemetry/request-log.ts';
import { logError } from './log-error.ts';
import type { OperationHandler, OperationResult } from './request.ts';

/** Ends a request whose handler takes longer than it may. Most predictions wait for nothing, and so need no timer. */
export function limitTime(
  operation: Operation,
  handler: OperationHandler,
  log: Pick<RequestLog, 'error'>,
): OperationHandler {
  // The time that a caller has asked to wait is no work.
  const waits = operation.id === 'get-violation-check-v1' || operation.waits === true;
  const waitSeconds = waits ? PREFER_WAIT_SECONDS_MAX : 0;
  const isEffectKnown = operation.method === 'GET' || PREDICTIONS.includes(operation.id);
  const limit = { ms: (REQUEST_WORK_SECONDS_MAX + waitSeconds) * 1000, isEffectKnown };
  return (request) => {
    const result = handler(request);
    if (!(result instanceof Promise)) return result;
    // The work goes on after a late answer, or without its caller.
    request.keptBody?.whileWorking(result);
    return withinTime(result, limit, {
      onOutcome: (late) => late.ok && discard(late.value),
      onError: (error) => logError(error, request.trackingId, log),
    });
  };
}

/** They have no effect, although their method is POST. */
const PREDICTIONS: readonly Operation['id'][] = [
  'start-predict-sod-violations-v1',
  'start-predict-sod-violations-batch-v1',
];

/** Ends the pieces of a response that is not sent. */
function discard(result: OperationResult): void {
  if ('text' in result && isInPieces(result.text)) void result.text[Symbol.asyncIterator]().return?.();
}
