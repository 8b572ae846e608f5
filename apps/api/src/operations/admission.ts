import { setImmediate } from 'node:timers/promises';
import { decodeUtf8, type Operation, parseStrictJson, type RequestBody, validate } from '@access-admin/contract';
import { authorize, type Failure, fail, failure, isResourceId, type Result } from '@access-admin/domain';
import type { Authenticate } from '../auth/authenticate.ts';
import { chain, type MaybePromise, OK } from '../event-loop/maybe-promise.ts';
import type { BodyShare } from '../http/body-share.ts';
import type { Exchange, RequestState } from '../http/exchange.ts';
import type { LimitRate } from './limit-rate.ts';
import { checkMediaType } from './media-type.ts';
import type { ApiFailure } from './problem.ts';
import type { OperationHandler, OperationRequest, OperationResult } from './request.ts';

/** A request before its checks. */
export interface Incoming {
  readonly exchange: Exchange;
  readonly state: RequestState;
  /** The share of the room for large bodies; null if the body is small. */
  readonly share: BodyShare | null;
}

export interface AdmissionDeps {
  readonly authenticate: Authenticate;
  /** Null when limiting is off. */
  readonly limitRate: LimitRate | null;
}

/** Checks a request and passes it to its handler. */
export type Admit = (incoming: Incoming) => MaybePromise<Result<OperationResult, ApiFailure>>;

/**
 * The checks that every request passes, in the order that callers are promised: token (401), rate (429), rights (403),
 * experimental header, media type (415), size (413), body. The handler decides on 404, 409 and 412.
 */
export function createAdmission(
  operation: Operation,
  handler: OperationHandler,
  { authenticate, limitRate }: AdmissionDeps,
): Admit {
  return ({ exchange, state, share }) =>
    chain(authenticate(exchange), (caller) => {
      state.caller = caller;
      const limited = limitRate?.(caller) ?? OK;
      if (!limited.ok) return limited;
      const { params } = exchange;
      const authorized = authorize(operation.id, caller, params['id']);
      if (!authorized.ok) return authorized;
      const hasForeignHeader = operation.experimental && exchange.header('x-sailpoint-experimental') === 'true';
      if (operation.experimental && !hasForeignHeader && exchange.header('x-service-experimental') !== 'true')
        return fail(NOT_DECLARED);
      const { trackingId } = state;
      const request = (body: unknown): OperationRequest => ({
        operation,
        trackingId,
        caller,
        params,
        body,
        hasForeignHeader,
        exchange,
      });
      return chain(takeBody({ exchange, share }, operation.body), (body) =>
        // A text that is not an id names no resource.
        Object.values(params).every(isResourceId) ? handler(request(body)) : fail(NO_RESOURCE),
      );
    });
}

const NOT_DECLARED: Failure = failure(
  'RequiredMissing',
  'X-Service-Experimental',
  'must be true, because this operation is experimental: send the header X-Service-Experimental: true',
);
const NO_RESOURCE: Failure = failure('NotFound', '', 'There is no such resource.');

function takeBody(
  { exchange, share }: Pick<Incoming, 'exchange' | 'share'>,
  expected: RequestBody | null,
): MaybePromise<Result<unknown, ApiFailure>> {
  if (expected === null) return OK;
  const mediaType = checkMediaType(exchange, expected);
  if (!mediaType.ok) return mediaType;
  return chain(exchange.readBody(expected.bytesMax, share), (bytes) => {
    const text = decodeUtf8(bytes);
    if (!text.ok) return text;
    return parseBody(text.value === '' && expected.isOptional === true ? '{}' : text.value, expected);
  });
}

function parseBody(text: string, { parse, schema }: RequestBody): MaybePromise<Result<unknown, Failure>> {
  if (parse !== undefined) return parse(text, setImmediate);
  const json = parseStrictJson(text);
  return json.ok && schema !== null ? validate(schema, json.value) : json;
}
