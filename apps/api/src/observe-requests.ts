import { URL_BYTES_MAX } from '@access-admin/contract';
import { StorageUnavailable } from '@access-admin/store';
import type { ObservedHandler, Reply, RequestHandler, RequestState } from './exchange.ts';
import type { Metrics } from './metrics.ts';
import { problemReply } from './problem.ts';
import { IssuerUnavailable } from './verify-token.ts';

/** What one line of the log says of a request. */
export interface RequestLine {
  readonly state: RequestState;
  readonly method: string;
  readonly status: number;
  readonly durationMs: number;
}

/** One structured line a request, and one for each fault. */
export interface RequestLog {
  request(line: RequestLine): void;
  error(fields: object, message: string): void;
}

export interface ObserveDeps {
  readonly log: RequestLog;
  readonly metrics: Metrics;
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
  readonly newTrackingId: () => string;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
}

/** Puts around a handler what every request gets: a tracking id, an answer to faults, a log line, metrics. */
export type Observe = (handler: RequestHandler) => ObservedHandler;

/** A wrapper of handlers instead of a middleware: one function to call instead of a chain on the hottest path. */
export function createObserve(deps: ObserveDeps): Observe {
  const { log, metrics, elapsed, newTrackingId, stopping } = deps;
  return (handler) => (exchange) => {
    const started = elapsed();
    const state: RequestState = { trackingId: newTrackingId(), operationId: null, caller: null };
    const finish = (reply: Reply): Reply => {
      reply.headers['x-request-id'] = state.trackingId;
      // A stopping service still serves what reaches it; the client's next request opens a connection elsewhere.
      if (stopping.aborted) reply.headers['connection'] = 'close';
      const { status } = reply;
      const durationMs = elapsed() - started;
      metrics.observe({ operationId: state.operationId, status, durationMs });
      log.request({ state, method: exchange.method, status, durationMs });
      return reply;
    };
    const recover = (error: unknown) => finish(replyToFault(error, state, log));
    try {
      const reply = exchange.target.length > URL_BYTES_MAX ? urlTooLong() : handler(exchange, state);
      return reply instanceof Promise ? reply.then(finish, recover) : finish(reply);
    } catch (error) {
      return recover(error);
    }
  };
}

const urlTooLong = (): Reply => ({ status: 414, headers: {}, body: null });

function replyToFault(error: unknown, { trackingId }: RequestState, log: RequestLog): Reply {
  if (error instanceof StorageUnavailable || error instanceof IssuerUnavailable) {
    log.error({ trackingId, reason: error.message }, error.name);
    return problemReply({ type: 'Unavailable', causes: [] }, trackingId);
  }
  log.error({ trackingId, err: error }, 'bug');
  return problemReply({ type: 'Bug', causes: [] }, trackingId);
}
