import { bodyTooLarge, REFUSALS } from './examples.ts';
import { PUBLISHED_LIMITS } from './published-limits.ts';

type Json = Readonly<Record<string, unknown>>;

/** The text for a size above a limit in bytes. */
export const moreThan = (bytesMax: number): string => `more than ${bytesMax} bytes`;

const { rate, backlog } = PUBLISHED_LIMITS;

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', format: 'int32', minimum: 1 } },
};

const inErrorShape = (example: object | undefined): Json => ({
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      ...(example === undefined ? {} : { example }),
    },
  },
});

const SHARED = {
  400: ['IllegalRequest', 'The request is not as expected; `causes` say what is wrong and where.'],
  401: ['Unauthenticated', 'The request has no access token, or one that is not valid (any more).'],
  403: ['Forbidden', 'The token is valid, but the caller may not do this; `causes` name the missing right.'],
  404: ['NotFound', 'The tenant has no such resource.'],
  409: ['Conflict', 'The present state does not allow this.'],
  410: ['Gone', 'Events after `after` are no longer kept, or it lies beyond the last event.'],
  412: ['PreconditionFailed', 'The resource is not the version that `If-Match` or the query names.'],
  415: ['UnsupportedMediaType', 'The Content-Type is not the one of this operation, or there is a Content-Encoding.'],
  428: [
    'PreconditionRequired',
    'What is to be approved has changed since it was asked for: `If-Match` has to name the version that was seen.',
  ],
  500: ['InternalError', 'A fault of the service. Its log has the reason under the `trackingId`.'],
  503: ['Unavailable', 'The storage is busy or unreachable, or the process is stopping. Retry later.'],
} as const;

const nameOf = (status: number): string | undefined =>
  ({ 429: 'TooManyRequests' })[status] ?? Object.entries(SHARED).find(([known]) => Number(known) === status)?.[1][0];

/** The response of an operation with a status of 400 and more. */
export function errorResponse(status: number, bytesMax: number): Json {
  return status === 413
    ? { description: `The body has ${moreThan(bytesMax)}.`, ...inErrorShape(bodyTooLarge(bytesMax)) }
    : { $ref: `#/components/responses/${nameOf(status)}` };
}

/** `components.responses` of the document. */
export const sharedResponses: Json = {
  ...Object.fromEntries(
    Object.entries(SHARED).map(([status, [name, description]]) => [
      name,
      {
        description,
        ...(status === '503' ? { headers: RETRY_AFTER } : {}),
        ...inErrorShape(REFUSALS[status]),
      },
    ]),
  ),
  TooManyRequests: {
    description: `More than ${rate.most} of one client to one process (RATE_LIMIT), or, for a check, more than ${backlog.most} pending checks of the tenant.`,
    headers: RETRY_AFTER,
    ...inErrorShape(REFUSALS['429']),
  },
};
