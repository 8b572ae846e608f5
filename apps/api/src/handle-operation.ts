import { setImmediate } from 'node:timers/promises';
import {
  decodeUtf8,
  type Operation,
  parseImportLines,
  parseStrictJson,
  type RequestBody,
  validate,
} from '@access-admin/contract';
import {
  authorize,
  type Caller,
  type Failure,
  fail,
  failure,
  isResourceId,
  ok,
  type Result,
} from '@access-admin/domain';
import type { Authenticate } from './authenticate.ts';
import type { Exchange, Reply, RequestHandler, RequestState } from './exchange.ts';
import type { LimitRate } from './limit-rate.ts';
import { checkMediaType } from './media-type.ts';
import { type ApiFailure, problemReply } from './problem.ts';
import { chain, NOTHING, type Soon } from './soon.ts';

/** A request that has passed every general check. */
export interface OperationRequest {
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  /** The body after its schema or parser; null for an operation without a body. */
  readonly body: unknown;
  /** Whether the caller spoke in a spelling of the modelled product's header. */
  readonly foreignHeader: boolean;
  readonly exchange: Exchange;
}

/** A success: a value to be written as JSON, or the text itself in the operation's media type, perhaps in pieces. */
export type Answer = { readonly headers?: Readonly<Record<string, string>> } & (
  | { readonly json: unknown }
  | { readonly text: string | AsyncIterable<string> }
);

export type OperationHandler = (request: OperationRequest) => Soon<Result<Answer, ApiFailure>>;

export interface OperationDeps {
  readonly authenticate: Authenticate;
  /** Null when limiting is off. */
  readonly limitRate: LimitRate | null;
}

/**
 * Puts the general checks in front of a handler, in the order in which callers are promised their refusals:
 * 401 (and 429), 403, experimental header, 415, 413, body; then the handler decides on 404, 409 and 412.
 */
export function handleOperation(operation: Operation, handler: OperationHandler, deps: OperationDeps): RequestHandler {
  return (exchange, state) => {
    state.operationId = operation.id;
    const answered = chain(admit(operation, { exchange, state }, deps), handler);
    const reply = (result: Result<Answer, ApiFailure>) =>
      result.ok ? respond(operation, result.value) : problemReply(result.failure, state.trackingId);
    return answered instanceof Promise ? answered.then(reply) : reply(answered);
  };
}

function admit(
  operation: Operation,
  { exchange, state }: { readonly exchange: Exchange; readonly state: RequestState },
  { authenticate, limitRate }: OperationDeps,
): Soon<Result<OperationRequest, ApiFailure>> {
  return chain(authenticate(exchange), (caller) => {
    state.caller = caller;
    return chain(limitRate?.(caller) ?? NOTHING, () => {
      const { params } = exchange;
      const authorized = authorize(operation.id, caller, params['id']);
      if (!authorized.ok) return authorized;
      const foreignHeader = operation.experimental && exchange.header('x-sailpoint-experimental') === 'true';
      if (operation.experimental && !foreignHeader && exchange.header('x-service-experimental') !== 'true')
        return fail(NOT_DECLARED);
      return chain(takeBody(exchange, operation.body), (body) =>
        // An id outside of the grammar names nothing.
        Object.values(params).every(isResourceId)
          ? ok({ caller, params, body, foreignHeader, exchange })
          : fail(failure('NotFound', '', 'There is no such resource.')),
      );
    });
  });
}

const NOT_DECLARED: Failure = failure(
  'RequiredMissing',
  'X-Service-Experimental',
  'this operation is experimental: the header must be true',
);

function takeBody(exchange: Exchange, expected: RequestBody | null): Soon<Result<unknown, ApiFailure>> {
  if (expected === null) return NOTHING;
  const mediaType = checkMediaType(exchange, expected);
  if (!mediaType.ok) return mediaType;
  return chain(exchange.readBody(expected.bytesMax), (bytes) => {
    const text = decodeUtf8(bytes);
    return text.ok ? parseBody(text.value, expected) : text;
  });
}

function parseBody(text: string, { mediaType, schema }: RequestBody): Soon<Result<unknown, Failure>> {
  if (mediaType === 'application/x-ndjson') return parseImportLines(text, setImmediate);
  const json = parseStrictJson(text);
  return json.ok && schema !== null ? validate(schema, json.value) : json;
}

function respond({ answer: { status, mediaType } }: Operation, answer: Answer): Reply {
  const headers: Record<string, string> = {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...answer.headers,
  };
  if (mediaType === null) return { status, headers, body: null };
  headers['content-type'] = mediaType;
  return { status, headers, body: 'text' in answer ? answer.text : JSON.stringify(answer.json) };
}
