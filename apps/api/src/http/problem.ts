import { type ErrorMessage, type ErrorResponse, REQUEST_WORK_SECONDS_MAX } from '@access-admin/contract';
import type { Cause, Failure, ReservationPrediction } from '@access-admin/domain';
import type { ApiEnv } from '../env.ts';
import type { BodyFailure } from './read-body.ts';
import type { Refusal } from './request-state.ts';

/** The request has no valid token; `error` is that of RFC 6750 if the request has a token. */
export interface Unauthenticated {
  readonly type: 'Unauthenticated';
  readonly causes: readonly Cause[];
  readonly error: 'invalid_token' | null;
  /** For the log only: a caller is not told it. */
  readonly reason: string;
}

/** The client has made too many requests; it may retry after `retryAfterSeconds`. */
export interface TooManyRequests {
  readonly type: 'TooManyRequests';
  readonly causes: readonly Cause[];
  readonly retryAfterSeconds: number;
}

/** A reservation would cause violations; its refusal tells which. */
export interface WouldConflict {
  readonly type: 'WouldConflict';
  readonly causes: readonly Cause[];
  readonly prediction: ReservationPrediction;
}

/** The failures that exist in HTTP only. */
export type HttpFailure =
  | Unauthenticated
  | Exclude<BodyFailure, Failure>
  | { readonly type: 'MethodNotAllowed'; readonly causes: readonly Cause[]; readonly allow: string }
  | Gone
  | { readonly type: 'PreconditionFailed'; readonly causes: readonly Cause[] }
  | { readonly type: 'PreconditionRequired'; readonly causes: readonly Cause[] }
  | { readonly type: 'UnsupportedMediaType'; readonly causes: readonly Cause[]; readonly acceptPatch: boolean }
  | TooManyRequests
  | WouldConflict
  | { readonly type: 'Bug'; readonly causes: readonly Cause[] }
  | { readonly type: 'OutcomeUnknown'; readonly causes: readonly Cause[] };

/** What is asked for is no longer kept. */
export interface Gone {
  readonly type: 'Gone';
  readonly causes: readonly Cause[];
  readonly headers: Readonly<Record<string, string>>;
}

/** Every failure that is answered with a status other than 2xx. */
export type ApiFailure = Failure | HttpFailure;

interface Problem {
  readonly status: number;
  readonly detailCode: string;
  readonly text: string;
}

/** One row for each failure: a new one does not compile until it is mapped. */
export const PROBLEMS = {
  MalformedBody: {
    status: 400,
    detailCode: '400.1',
    text: 'The request cannot be read as what this operation expects.',
  },
  RequiredMissing: { status: 400, detailCode: '400.1.0', text: 'Required data is missing or empty.' },
  IllegalUpdate: { status: 400, detailCode: '400.1.1', text: 'The update changes a field that may not be modified.' },
  LengthOutOfRange: { status: 400, detailCode: '400.1.2', text: 'A value is too short or too long.' },
  IllegalValue: { status: 400, detailCode: '400.1.3', text: 'A value is not allowed.' },
  LimitExceeded: { status: 400, detailCode: '400.1.4', text: 'A limit is exceeded.' },
  ReferenceNotFound: { status: 400, detailCode: '400.1.404', text: 'A referenced object does not exist.' },
  Unauthenticated: {
    status: 401,
    detailCode: '401',
    text: 'The request has no valid access token: get one from POST /oauth/token and send it as Authorization: Bearer.',
  },
  Forbidden: { status: 403, detailCode: '403', text: 'The caller may not do this.' },
  NotFound: { status: 404, detailCode: '404', text: 'There is no such resource.' },
  MethodNotAllowed: {
    status: 405,
    detailCode: '405',
    text: 'The resource does not support this method: Allow names the methods that it supports.',
  },
  Conflict: { status: 409, detailCode: '409.1', text: 'The state of the resource does not allow this.' },
  WouldConflict: { status: 409, detailCode: '409.1', text: 'The access would violate SOD policies.' },
  Gone: { status: 410, detailCode: '410', text: 'What is asked for is no longer kept.' },
  PreconditionFailed: {
    status: 412,
    detailCode: '412',
    text: 'The resource is not in the state that If-Match names: read it again and repeat the change.',
  },
  BodyTooLarge: { status: 413, detailCode: '413', text: 'The body is too large.' },
  UnsupportedMediaType: {
    status: 415,
    detailCode: '415',
    text: 'The body is of a type or in an encoding that this operation does not accept.',
  },
  PreconditionRequired: {
    status: 428,
    detailCode: '428',
    text: 'The request must name in If-Match the state that the caller has seen.',
  },
  TooManyRequests: {
    status: 429,
    detailCode: '429',
    text: 'Too many requests: wait as many seconds as Retry-After says.',
  },
  Bug: {
    status: 500,
    detailCode: '500.0',
    text: 'An internal error occurred: tell the operator of the service the tracking id.',
  },
  // Without Retry-After, which would imply that the request had no effect.
  OutcomeUnknown: {
    status: 503,
    detailCode: '503',
    text: 'The storage became unavailable: it is unknown whether the request has taken effect.',
  },
  Unavailable: {
    status: 503,
    detailCode: '503',
    text: 'The service is busy or shutting down: repeat the request after as many seconds as Retry-After says.',
  },
} as const satisfies Record<ApiFailure['type'], Problem>;

const RETRY_AFTER_SECONDS = 1;

const WORK_SECONDS = `The work on a request may take at most ${REQUEST_WORK_SECONDS_MAX} s`;

/** The refusal of a request whose work took too long, and that has had no effect. */
export const DEADLINE_EXCEEDED = {
  type: 'Unavailable',
  causes: [{ at: '', text: `${WORK_SECONDS}: ask for less at once, or try again when the service is less busy.` }],
  retryAfterSeconds: 10,
} as const satisfies ApiFailure;

/** The same for a request that may still take effect. */
export const DEADLINE_OUTCOME_UNKNOWN = {
  type: 'OutcomeUnknown',
  causes: [{ at: '', text: `${WORK_SECONDS}: read what it was to change before you repeat it.` }],
} as const satisfies ApiFailure;

/** The refusal of a write for which the disk has no room. */
export const STORAGE_FULL = {
  type: 'Unavailable',
  causes: [
    {
      at: '',
      text: 'The disk of the storage is full, and nothing was stored: the operator of the service has to free some.',
    },
  ],
} as const satisfies ApiFailure;

/** Answers a failure in the error shape of the service, and notes it for the log line. */
export function refuse(
  { env: { state } }: { readonly env: Pick<ApiEnv['Bindings'], 'state'> },
  failure: ApiFailure,
  reason: string | null = null,
): Response {
  state.refusal = refusalOf(failure, reason);
  return new Response(JSON.stringify(problemBody(failure, state.trackingId)), {
    status: statusOf(failure),
    headers: { 'content-type': 'application/json', ...headersOf(failure) },
  });
}

/** What the log line of a refusal tells. */
export const refusalOf = (failure: ApiFailure, reason: string | null = null): Refusal => ({
  detailCode: PROBLEMS[failure.type].detailCode,
  reason: reason ?? (failure.type === 'Unauthenticated' ? failure.reason : null),
});

/** The status of a refusal. */
export const statusOf = (failure: ApiFailure) => PROBLEMS[failure.type].status;

/** The body of a refusal. */
export function problemBody(failure: ApiFailure, trackingId: string): ErrorResponse {
  const { detailCode, text } = PROBLEMS[failure.type];
  // The response to a bug contains nothing but its tracking id.
  const causes = failure.type === 'Bug' ? [] : failure.causes;
  return {
    detailCode,
    trackingId,
    messages: [message(text)],
    causes: causes.map((cause) => ({
      ...message(cause.at === '' ? cause.text : `${cause.at}: ${cause.text}`),
      detailCode: PROBLEMS[cause.type ?? failure.type].detailCode,
    })),
    ...(failure.type === 'WouldConflict' && { prediction: failure.prediction }),
  };
}

const message = (text: string): ErrorMessage => ({ locale: 'en-US', localeOrigin: 'DEFAULT', text });

/** The headers of a refusal beside its content type. */
export function headersOf(failure: ApiFailure): Record<string, string> {
  switch (failure.type) {
    case 'Unauthenticated':
      return {
        'www-authenticate': `Bearer realm="access-admin"${failure.error === null ? '' : `, error="${failure.error}"`}`,
      };
    case 'Gone':
      return failure.headers;
    case 'MethodNotAllowed':
      return { allow: failure.allow };
    case 'UnsupportedMediaType':
      return failure.acceptPatch ? { 'accept-patch': 'application/json-patch+json' } : {};
    case 'TooManyRequests':
      return { 'retry-after': String(failure.retryAfterSeconds) };
    case 'Unavailable':
      return { 'retry-after': String(failure.retryAfterSeconds ?? RETRY_AFTER_SECONDS) };
    default:
      return {};
  }
}
