import { PAGE_URL_BYTES_MAX, URL_BYTES_MAX } from '@access-admin/contract';
import type { Tracing } from '@access-admin/telemetry';
import { answer } from '../http/answer.ts';
import { noteState } from '../http/connection.ts';
import { type Middleware, newRequestState, type RequestContext, type RequestState } from '../http/env.ts';
import { targetOf } from '../http/target.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { RequestLog } from '../telemetry/request-log.ts';

export interface ObserveDeps {
  readonly log: Pick<RequestLog, 'request'>;
  readonly metrics: Pick<Metrics, 'observe' | 'countAbortedUpload'>;
  /** True for the path of a page, which may have a longer target. */
  readonly isPagePath: (path: string) => boolean;
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
  readonly newTrackingId: () => string;
  readonly commonHeaders: (trackingId: string) => Record<string, string>;
  /** Whether each answer tells in `Server-Timing` how long it took until it began. */
  readonly showsTiming: boolean;
  /** Null where requests are not traced. */
  readonly tracing: Pick<Tracing, 'start'> | null;
}

/**
 * Gives each request its tracking id, one log line and its metrics. The duration begins when the head has been read, so it
 * includes the arrival of the body, and ends when the answer is complete: with its last piece where it is streamed.
 */
export function observe(deps: ObserveDeps): Middleware {
  const { log, metrics, isPagePath, elapsed, newTrackingId, commonHeaders, showsTiming, tracing } = deps;
  return async (c, next) => {
    // Hono runs the middleware of all paths twice for a target that reads as its pattern: `*`, which OPTIONS may have.
    if (c.get('state') !== undefined) return next();
    const startedMs = elapsed();
    const trackingId = newTrackingId();
    const span = tracing?.start({ name: c.req.method, kind: 'server', parent: traceparentOf(c) }) ?? null;
    const headersOf = () => {
      const headers = commonHeaders(trackingId);
      if (showsTiming) headers['server-timing'] = `total;dur=${(elapsed() - startedMs).toFixed(3)}`;
      return headers;
    };
    const state = newRequestState({ trackingId, commonHeaders: headersOf, span });
    c.set('state', state);
    if (c.env?.outgoing !== undefined) noteState(c.env.outgoing, state);
    const { length } = targetOf(c);
    if (length > URL_BYTES_MAX && (length > PAGE_URL_BYTES_MAX || !isPagePath(c.req.path)))
      c.res = answer(c, { status: 414, headers: {}, body: null });
    else await next();
    const method = c.env?.incoming?.method ?? c.req.method;
    // A line for each aborted upload would let any caller fill the log.
    if (state.isBodyAborted) {
      endSpan({ state, method, status: null });
      return metrics.countAbortedUpload();
    }
    const { status } = c.res;
    const record = () => {
      const durationMs = elapsed() - startedMs;
      metrics.observe({ operationId: state.operationId, status, durationMs });
      log.request({ state, method, status, durationMs });
      endSpan({ state, method, status });
    };
    if (state.streamed === null) record();
    else void state.streamed.then(record);
  };
}

/** From Node's message where there is one: it costs less than the headers of a `Request`. */
const traceparentOf = (c: RequestContext): string | undefined =>
  c.env?.incoming === undefined ? c.req.header('traceparent') : c.env.incoming.headers['traceparent']?.toString();

interface EndedRequest {
  readonly state: RequestState;
  readonly method: string;
  /** Null where no answer was received. */
  readonly status: number | null;
}

/** Ends the span of a request, with the names of OpenTelemetry for what is HTTP and our own for the rest. */
function endSpan({ state, method, status }: EndedRequest): void {
  const { span, trackingId, operationId, caller } = state;
  if (span === null || !span.isRecording) return;
  span.end({
    name: operationId ?? method,
    isError: status === null || status >= 500,
    attributes: {
      'http.request.method': method,
      ...(status === null ? {} : { 'http.response.status_code': status }),
      'access_admin.tracking_id': trackingId,
      ...(caller === null ? {} : { 'access_admin.tenant': caller.tenant }),
    },
  });
}
