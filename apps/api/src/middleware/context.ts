import { PAGE_URL_BYTES_MAX, URL_BYTES_MAX } from '@access-admin/contract';
import type { Hono } from 'hono';
import type { ApiEnv, Message } from '../env.ts';
import { noteState } from '../http/connection.ts';
import { isPagePath } from '../http/page-path.ts';
import { refuse } from '../http/problem.ts';
import { newRequestState, type RequestState } from '../http/request-state.ts';
import { pathOf, targetOfRequest } from '../http/target.ts';
import type { Services } from '../services.ts';

type Fetch = Hono<ApiEnv>['fetch'];

/**
 * The first step of each request: its state, tracking id, log line and metrics, and the headers that every answer has. Refuses
 * long targets (414) and malformed messages. It wraps `app.fetch`, so that an operation is the only handler of its path.
 *
 * The duration begins when the head has been read, so it includes the arrival of the body, and ends when the answer is complete:
 * with its last piece where it is streamed.
 */
export function withContext(fetch: Fetch, services: Services): Fetch {
  const { log, metrics, tracing, system, turnOfLoop } = services;
  const setCommonHeaders = createCommonHeaders(services);
  return async (request: Request, message: Message = {}) => {
    const startedMs = system.elapsed();
    const method = message.incoming?.method ?? request.method;
    const span = tracing?.start({ name: method, kind: 'server', parent: traceparentOf(request, message) }) ?? null;
    const state = newRequestState(system.newTrackingId(), turnOfLoop(), span);
    if (message.outgoing !== undefined) noteState(message.outgoing, state);
    const env = { ...message, state, services };
    const response = refuseUnreadable(request, env) ?? (await fetch(request, env));
    setCommonHeaders(message.outgoing ?? defaultsOf(response), state, startedMs);
    // A line for each aborted upload would let any caller fill the log.
    if (state.isBodyAborted) {
      endSpan({ state, method, status: null });
      metrics.countAbortedUpload();
      return response;
    }
    const { status } = response;
    const record = () => {
      const durationMs = system.elapsed() - startedMs;
      metrics.observe({ operationId: state.operationId, status, durationMs });
      log.request({ state, method, status, durationMs });
      endSpan({ state, method, status });
    };
    if (state.streamed === null) record();
    else void state.streamed.then(record);
    return response;
  };
}

/** Refuses a target that is too long, and a message in which the server has found a fault: neither names a resource. */
function refuseUnreadable(request: Request, env: ApiEnv['Bindings']): Response | null {
  const target = targetOfRequest(request, env);
  const isTooLong =
    target.length > URL_BYTES_MAX && (target.length > PAGE_URL_BYTES_MAX || !isPagePath(pathOf(target)));
  // Without a body, as every server answers what it does not read.
  if (isTooLong) return new Response(null, { status: 414 });
  return env.fault === undefined ? null : refuse({ env }, env.fault);
}

const YEAR_SECONDS = 31_536_000;

/** Takes headers that an answer has unless it sets them itself. */
interface DefaultHeaders {
  setHeader(name: string, value: string): unknown;
}

/** Without a socket, the headers of the response. With one, Node's response takes them: `Headers` cost more than most steps. */
const defaultsOf = ({ headers }: Response): DefaultHeaders => ({
  setHeader: (name, value) => headers.has(name) || headers.set(name, value),
});

/**
 * Adds the headers of every answer: no MIME sniffing, no caching unless the answer allows it, and HSTS over https. Subdomains are left out: the operator may serve them otherwise. A service that stops
 * still answers, and the next request of the client opens a connection elsewhere.
 */
function createCommonHeaders({ config, system, stopping }: Services) {
  const isSecure = config.baseAddress.startsWith('https://');
  const showsTiming = ['trace', 'debug'].includes(config.logLevel);
  return (
    headers: DefaultHeaders,
    { trackingId, requestId }: Pick<RequestState, 'trackingId' | 'requestId'>,
    startedMs: number,
  ): void => {
    headers.setHeader('x-request-id', requestId ?? trackingId);
    headers.setHeader('x-content-type-options', 'nosniff');
    headers.setHeader('cache-control', 'no-store');
    if (isSecure) headers.setHeader('strict-transport-security', `max-age=${YEAR_SECONDS}`);
    if (stopping.aborted) headers.setHeader('connection', 'close');
    if (showsTiming) headers.setHeader('server-timing', `total;dur=${(system.elapsed() - startedMs).toFixed(3)}`);
  };
}

/** From Node's message where there is one: it costs less than the headers of a `Request`. */
const traceparentOf = (request: Request, { incoming }: Message): string | undefined =>
  incoming === undefined
    ? (request.headers.get('traceparent') ?? undefined)
    : incoming.headers['traceparent']?.toString();

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
