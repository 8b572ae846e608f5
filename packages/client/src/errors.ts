import type { ErrorCause, ErrorMessage, ReservationPrediction } from '@access-admin/contract';

/**
 * Base class of every error of this package. An aborted call rejects with the reason of its signal instead.
 * No message contains a secret or a token.
 */
export class AccessAdminError extends Error {
  override readonly name: string = 'AccessAdminError';
}

/** The content of an error response. Properties are null if the response lacks them, as those of proxies do. */
export interface ApiErrorDetails {
  readonly status: number;
  /** The error code of the service, such as `400.1.1`. */
  readonly detailCode: string | null;
  /** Identifies the request in the log of the service. */
  readonly trackingId: string | null;
  readonly messages: readonly ErrorMessage[];
  /** The issues of the request. The text of each names the place and the reason, such as `accessRefs[3].type: …`. */
  readonly causes: readonly ErrorCause[];
  /** The delay that the service asks for before the next attempt. */
  readonly retryAfterMs: number | null;
  /** What a reservation would cause that is refused because of it; left out, or null, for other errors. */
  readonly prediction?: ReservationPrediction | null;
}

/** The service refused the request or could not serve it. Common statuses have subclasses. */
export class ApiError extends AccessAdminError implements ApiErrorDetails {
  override readonly name: string = 'ApiError';
  readonly status: number;
  readonly detailCode: string | null;
  readonly trackingId: string | null;
  readonly messages: readonly ErrorMessage[];
  readonly causes: readonly ErrorCause[];
  readonly retryAfterMs: number | null;
  readonly prediction: ReservationPrediction | null;

  constructor(request: string, details: ApiErrorDetails) {
    super(describe(request, details));
    this.status = details.status;
    this.detailCode = details.detailCode;
    this.trackingId = details.trackingId;
    this.messages = details.messages;
    this.causes = details.causes;
    this.retryAfterMs = details.retryAfterMs;
    this.prediction = details.prediction ?? null;
  }
}

/** 400, 413, 414, 415: the request is wrong, and `causes` says where. */
export class InvalidRequestError extends ApiError {
  override readonly name: string = 'InvalidRequestError';
}

/** 401: the token is refused, also after it was renewed. */
export class UnauthenticatedError extends ApiError {
  override readonly name: string = 'UnauthenticatedError';
}

/** 403: the caller may not do this. */
export class ForbiddenError extends ApiError {
  override readonly name: string = 'ForbiddenError';
}

/** 404: there is no such resource for this caller. */
export class NotFoundError extends ApiError {
  override readonly name: string = 'NotFoundError';
}

/** 409: the state of the resource, or of what depends on it, does not allow the change. */
export class ConflictError extends ApiError {
  override readonly name: string = 'ConflictError';
}

/** 412: the resource no longer has the version `ifMatch`. Read it again. */
export class PreconditionFailedError extends ApiError {
  override readonly name: string = 'PreconditionFailedError';
}

/** 428: what the request decides on has changed, so that `ifMatch` has to name the version that was seen. */
export class PreconditionRequiredError extends ApiError {
  override readonly name: string = 'PreconditionRequiredError';
}

/** 429: too many requests, also after the retries. */
export class RateLimitedError extends ApiError {
  override readonly name: string = 'RateLimitedError';
}

/** 503: the service cannot serve the request now, also after the retries. */
export class UnavailableError extends ApiError {
  override readonly name: string = 'UnavailableError';
}

/** No token could be obtained. `cause` is the error of the token request, if any. */
export class TokenError extends AccessAdminError {
  override readonly name: string = 'TokenError';
  /** The OAuth 2.0 error code, such as `invalid_client`; null if the token endpoint gave none. */
  readonly code: string | null;

  constructor(message: string, code: string | null, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** No complete response arrived. Unless `notSent`, the request may have taken effect. */
export class ConnectionError extends AccessAdminError {
  override readonly name: string = 'ConnectionError';
  /** Whether it is certain that the request did not reach the service. */
  readonly notSent: boolean;

  constructor(message: string, notSent: boolean, options?: ErrorOptions) {
    super(message, options);
    this.notSent = notSent;
  }
}

/** No response arrived within `timeoutMs`. The request may have taken effect, or may still do so. */
export class TimeoutError extends AccessAdminError {
  override readonly name: string = 'TimeoutError';
  readonly timeoutMs: number;

  constructor(message: string, timeoutMs: number) {
    super(message);
    this.timeoutMs = timeoutMs;
  }
}

/** A receipt, a head of the audit log or a webhook is not what it claims to be; `reason` says why. */
export class VerificationError<Reason extends string = string> extends AccessAdminError {
  override readonly name: string = 'VerificationError';
  readonly reason: Reason;

  constructor(message: string, reason: Reason) {
    super(message);
    this.reason = reason;
  }
}

const CLASS_BY_STATUS: Readonly<Record<number, typeof ApiError>> = {
  400: InvalidRequestError,
  401: UnauthenticatedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  412: PreconditionFailedError,
  413: InvalidRequestError,
  414: InvalidRequestError,
  415: InvalidRequestError,
  428: PreconditionRequiredError,
  429: RateLimitedError,
  503: UnavailableError,
};

/** Creates the error of the class for the status. `request` is its method and path. */
export function createApiError(request: string, details: ApiErrorDetails): ApiError {
  return new (CLASS_BY_STATUS[details.status] ?? ApiError)(request, details);
}

function describe(request: string, { status, detailCode, trackingId, messages, causes }: ApiErrorDetails): string {
  const texts = [...messages, ...causes].map(({ text }) => text);
  const tracking = trackingId === null ? '' : ` (tracking id ${trackingId})`;
  return `${request}: ${[detailCode ?? status, ...texts].join(' ')}${tracking}`;
}
