import { URL_BYTES_MAX } from '@access-admin/contract';
import { StorageUnavailable } from '@access-admin/store';
import { createEndOfTurn } from './end-of-turn.ts';
import type { Metrics } from './metrics.ts';
import { problemResponse } from './problem.ts';
import type { ApiContext, RequestHandler, RequestState } from './request-context.ts';
import { targetOf } from './request-target.ts';
import { IssuerUnavailable } from './verify-token.ts';

/** One structured line a request. */
export interface RequestLog {
  info(fields: object, message: string): void;
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
export type Observe = (handler: RequestHandler) => (context: ApiContext) => Promise<Response>;

/** A wrapper of handlers instead of a middleware: one function to call instead of a chain on the hottest path. */
export function createObserve(deps: ObserveDeps): Observe {
  const { log, metrics, elapsed, newTrackingId, stopping } = deps;
  const endOfTurn = createEndOfTurn();
  return (handler) => async (context) => {
    const started = elapsed();
    const state: RequestState = { trackingId: newTrackingId(), operationId: null, caller: null };
    const response = await answer(handler, context, { state, log });
    // Operations set it themselves: reaching into an answer's headers costs a copy of them.
    if (state.operationId === null) response.headers.set('x-request-id', state.trackingId);
    // A stopping service still serves what reaches it; the client's next request opens a connection elsewhere.
    if (stopping.aborted) response.headers.set('connection', 'close');
    const { status } = response;
    const durationMs = elapsed() - started;
    metrics.observe({ operationId: state.operationId, status, durationMs });
    log.info(
      {
        trackingId: state.trackingId,
        method: context.req.method,
        operation: state.operationId,
        status,
        durationMs: Math.round(durationMs * 1000) / 1000,
        tenant: state.caller?.tenant,
        clientId: state.caller?.clientId,
        identityId: state.caller?.identityId ?? undefined,
      },
      'request',
    );
    await endOfTurn();
    return response;
  };
}

async function answer(
  handler: RequestHandler,
  context: ApiContext,
  { state, log }: { readonly state: RequestState; readonly log: RequestLog },
): Promise<Response> {
  if (targetOf(context.req.raw, context.env).length > URL_BYTES_MAX) return new Response(null, { status: 414 });
  try {
    return await handler(context, state);
  } catch (error) {
    const { trackingId } = state;
    if (error instanceof StorageUnavailable || error instanceof IssuerUnavailable) {
      log.error({ trackingId, reason: error.message }, error.name);
      return problemResponse({ type: 'Unavailable', causes: [] }, trackingId);
    }
    log.error({ trackingId, err: error }, 'bug');
    return problemResponse({ type: 'Bug', causes: [] }, trackingId);
  }
}
