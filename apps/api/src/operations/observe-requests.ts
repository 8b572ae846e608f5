import { URL_BYTES_MAX } from '@access-admin/contract';
import { OutcomeUnknown, StorageUnavailable } from '@access-admin/store';
import { Unavailable } from '../auth/unavailable.ts';
import type { Soon } from '../event-loop/maybe-promise.ts';
import { createTurns } from '../event-loop/pace.ts';
import type { Exchange, ObservedHandler, Reply, RequestHandler, RequestState } from '../http/exchange.ts';
import type { AddSecurityHeaders } from '../http/security-headers.ts';
import { endingWith } from '../http/with-on-end.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { RequestLog } from '../telemetry/request-log.ts';
import { problemReply } from './problem.ts';

export interface ObserveDeps {
  readonly log: RequestLog;
  readonly metrics: Metrics;
  readonly addSecurityHeaders: AddSecurityHeaders;
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
  const { log, metrics, addSecurityHeaders, elapsed, newTrackingId, stopping } = deps;
  const turn = createTurns(elapsed);
  return (handler) => (exchange) => {
    const started = elapsed();
    const state: RequestState = { trackingId: newTrackingId(), operationId: null, caller: null };
    const record = (status: number) => {
      const durationMs = elapsed() - started;
      metrics.observe({ operationId: state.operationId, status, durationMs });
      log.request({ state, method: exchange.method, status, durationMs });
    };
    const finish = (reply: Reply): Reply => {
      const { status, headers, body } = reply;
      headers['x-request-id'] = state.trackingId;
      addSecurityHeaders(headers);
      // Who gives up sending is counted and no more: a line each would let anybody fill the log.
      if (exchange.isCut()) {
        metrics.countAbortedUpload();
        return reply;
      }
      // A stopping service still serves what reaches it; the client's next request opens a connection elsewhere.
      if (stopping.aborted) headers['connection'] = 'close';
      // Nobody reads the body of an answer to HEAD.
      if (!isInPieces(body) || exchange.method === 'HEAD') {
        record(status);
        return reply;
      }
      const watched = endingWith(watch(body, { state, log, turn }), exchange.signal(), () => record(status));
      return { status, headers, body: watched };
    };
    const recover = (error: unknown) => finish(replyToFault(error, state, log));
    const reply = attempt(handler, exchange, state);
    return reply instanceof Promise
      ? reply.then(finish, recover)
      : 'fault' in reply
        ? recover(reply.fault)
        : finish(reply);
  };
}

function attempt(
  handler: RequestHandler,
  exchange: Exchange,
  state: RequestState,
): Soon<Reply> | { readonly fault: unknown } {
  if (exchange.target.length > URL_BYTES_MAX) return { status: 414, headers: {}, body: null };
  try {
    return handler(exchange, state);
  } catch (fault) {
    return { fault };
  }
}

const isInPieces = (body: Reply['body']): body is Exclude<Reply['body'], string | Uint8Array | null> =>
  body !== null && typeof body !== 'string' && !(body instanceof Uint8Array);

interface Watched {
  readonly state: RequestState;
  readonly log: RequestLog;
  readonly turn: () => Promise<void>;
}

/** An answer in pieces takes as long as they take; a fault can only cut it then. */
async function* watch<T>(pieces: AsyncIterable<T>, { state, log, turn }: Watched): AsyncGenerator<T> {
  // Not `yield*`: a caller who leaves is thrown in here, and is no fault of the pieces.
  // However many long answers there are, a short request waits for one piece of them at most.
  await turn();
  for await (const piece of logFaults(pieces, state, log)) {
    yield piece;
    await turn();
  }
}

async function* logFaults<T>(
  pieces: AsyncIterable<T>,
  { trackingId }: RequestState,
  log: RequestLog,
): AsyncGenerator<T> {
  try {
    yield* pieces;
  } catch (error) {
    log.error({ trackingId, err: error }, 'bug');
    throw error;
  }
}

function replyToFault(error: unknown, { trackingId }: RequestState, log: RequestLog): Reply {
  if (error instanceof StorageUnavailable || error instanceof Unavailable) {
    log.error({ trackingId, reason: error.message }, error.name);
    const type = error instanceof OutcomeUnknown ? 'OutcomeUnknown' : 'Unavailable';
    return problemReply({ type, causes: [] }, trackingId);
  }
  log.error({ trackingId, err: error }, 'bug');
  return problemReply({ type: 'Bug', causes: [] }, trackingId);
}
