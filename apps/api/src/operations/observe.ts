import { URL_BYTES_MAX } from '@access-admin/contract';
import { OutcomeUnknown, StorageUnavailable } from '@access-admin/store';
import { Unavailable } from '../auth/unavailable.ts';
import { CallerLeft, DeadlineExceeded } from '../event-loop/deadline.ts';
import type { TakeTurn } from '../event-loop/fair-turns.ts';
import type { MaybePromise } from '../event-loop/maybe-promise.ts';
import { MemoryExceeded } from '../event-loop/memory-exceeded.ts';
import {
  type Exchange,
  type HttpResponse,
  isInPieces,
  type ObservedHandler,
  type Refusal,
  type RequestHandler,
  type RequestState,
} from '../http/exchange.ts';
import type { AddSecurityHeaders } from '../http/security-headers.ts';
import { withOnEnd } from '../http/with-on-end.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { RequestLog } from '../telemetry/request-log.ts';
import { logError } from './log-error.ts';
import { type ApiFailure, DEADLINE_EXCEEDED, DEADLINE_OUTCOME_UNKNOWN, PROBLEMS, problemResponse } from './problem.ts';

export interface ObserveDeps {
  readonly log: RequestLog;
  readonly metrics: Metrics;
  readonly addSecurityHeaders: AddSecurityHeaders;
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
  readonly newTrackingId: () => string;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
  /** The turns of the event loop for responses in pieces. */
  readonly pieceTurn: TakeTurn;
}

/**
 * Wraps a handler with what every request needs: a tracking id, a response to thrown errors, a log line, metrics. `endpoint` is
 * the name of an endpoint or page that is no operation.
 */
export type Observe = (handler: RequestHandler, endpoint?: string) => ObservedHandler;

/**
 * Observes requests. The duration of a request begins when its head has been read, so it includes the arrival of the body, and
 * ends when the response is complete: with its last piece where it is in pieces.
 */
export function createObserve(deps: ObserveDeps): Observe {
  const { log, metrics, addSecurityHeaders, elapsed, newTrackingId, stopping, pieceTurn } = deps;
  return (handler, endpoint) => (exchange) => {
    const startedMs = elapsed();
    const state: RequestState = { trackingId: newTrackingId(), operationId: endpoint ?? null, caller: null };
    const record = ({ status, refusal }: HttpResponse) => {
      const durationMs = elapsed() - startedMs;
      metrics.observe({ operationId: state.operationId, status, durationMs });
      log.request({ state, method: exchange.method, status, durationMs, refusal: refusal ?? null });
    };
    const finish = (response: HttpResponse): HttpResponse => {
      const { status, headers, body } = response;
      headers['x-request-id'] = state.trackingId;
      addSecurityHeaders(headers);
      // Aborted uploads are only counted: a line for each would let any caller fill the log.
      if (exchange.isBodyAborted()) {
        metrics.countAbortedUpload();
        return response;
      }
      // A stopping service still answers; the client's next request opens a connection elsewhere.
      if (stopping.aborted) headers['connection'] = 'close';
      // The pieces of a response to HEAD are not sent.
      if (!isInPieces(body) || exchange.method === 'HEAD') {
        record(response);
        return response;
      }
      let ending = response;
      const onError = (error: unknown) => {
        if (error instanceof DeadlineExceeded) ending = { ...response, refusal: DEADLINE };
        else if (error instanceof MemoryExceeded) ending = { ...response, refusal: MEMORY };
        else logError(error, state.trackingId, log);
      };
      const turn = () => pieceTurn(state.caller?.tenant ?? '');
      const watched = withOnEnd(watch(body, { turn, onError }), exchange.signal(), () => record(ending));
      return { status, headers, body: watched };
    };
    const recover = (error: unknown) => finish(respondToError(error, state, log));
    const response = attempt(handler, exchange, state);
    if (response instanceof Promise) return response.then(finish, recover);
    return 'thrown' in response ? recover(response.thrown) : finish(response);
  };
}

function attempt(
  handler: RequestHandler,
  exchange: Exchange,
  state: RequestState,
): MaybePromise<HttpResponse> | { readonly thrown: unknown } {
  if (exchange.target.length > URL_BYTES_MAX) return { status: 414, headers: {}, body: null };
  try {
    return handler(exchange, state);
  } catch (thrown) {
    return { thrown };
  }
}

/** What the log line of a response says that a limit has ended. */
const DEADLINE: Refusal = { detailCode: PROBLEMS.Unavailable.detailCode, reason: new DeadlineExceeded().message };

const MEMORY: Refusal = { detailCode: PROBLEMS.LimitExceeded.detailCode, reason: 'memory' };

interface Watched {
  readonly turn: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Takes a fair turn for each piece, so that a short request waits for one piece of all long responses at most. */
async function* watch<T>(pieces: AsyncIterable<T>, { turn, onError }: Watched): AsyncGenerator<T> {
  // Not `yield*`: the abort of a caller is thrown into this generator, and is no error of the pieces.
  await turn();
  for await (const piece of noteErrors(pieces, onError)) {
    yield piece;
    await turn();
  }
}

async function* noteErrors<T>(pieces: AsyncIterable<T>, onError: (error: unknown) => void): AsyncGenerator<T> {
  try {
    yield* pieces;
  } catch (error) {
    onError(error);
    throw error;
  }
}

function respondToError(error: unknown, { trackingId }: RequestState, log: RequestLog): HttpResponse {
  const { failure, reason } = failureOfError(error, trackingId, log);
  const response = problemResponse(failure, trackingId);
  return reason === null
    ? response
    : { ...response, refusal: { detailCode: PROBLEMS[failure.type].detailCode, reason } };
}

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
