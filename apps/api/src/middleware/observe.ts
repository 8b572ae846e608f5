import { URL_BYTES_MAX } from '@access-admin/contract';
import { answer } from '../http/answer.ts';
import { noteState } from '../http/connection.ts';
import { type Middleware, newRequestState } from '../http/env.ts';
import { targetOf } from '../http/target.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { RequestLog } from '../telemetry/request-log.ts';

export interface ObserveDeps {
  readonly log: Pick<RequestLog, 'request'>;
  readonly metrics: Pick<Metrics, 'observe' | 'countAbortedUpload'>;
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
  readonly newTrackingId: () => string;
  readonly commonHeaders: (trackingId: string) => Record<string, string>;
}

/**
 * Gives each request its tracking id, one log line and its metrics. The duration begins when the head has been read, so it
 * includes the arrival of the body, and ends when the answer is complete: with its last piece where it is streamed.
 */
export function observe({ log, metrics, elapsed, newTrackingId, commonHeaders }: ObserveDeps): Middleware {
  return async (c, next) => {
    // Hono runs the middleware of all paths twice for a target that reads as its pattern: `*`, which OPTIONS may have.
    if (c.get('state') !== undefined) return next();
    const startedMs = elapsed();
    const trackingId = newTrackingId();
    const state = newRequestState(trackingId, () => commonHeaders(trackingId));
    c.set('state', state);
    if (c.env?.outgoing !== undefined) noteState(c.env.outgoing, state);
    if (targetOf(c).length > URL_BYTES_MAX) c.res = answer(c, { status: 414, headers: {}, body: null });
    else await next();
    // A line for each aborted upload would let any caller fill the log.
    if (state.isBodyAborted) return metrics.countAbortedUpload();
    const method = c.env?.incoming?.method ?? c.req.method;
    const { status } = c.res;
    const record = () => {
      const durationMs = elapsed() - startedMs;
      metrics.observe({ operationId: state.operationId, status, durationMs });
      log.request({ state, method, status, durationMs });
    };
    if (state.streamed === null) record();
    else void state.streamed.then(record);
  };
}
