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
import type { LimitRate } from './limit-rate.ts';
import { type ApiFailure, problemResponse } from './problem.ts';
import { checkMediaType, readBytes } from './read-body.ts';
import type { ApiContext, RequestHandler, RequestState } from './request-context.ts';

/** A request that has passed every general check. */
export interface OperationRequest {
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  /** The body after its schema or parser; undefined for an operation without a body. */
  readonly body: unknown;
  /** Whether the caller spoke in a spelling of the modelled product's header. */
  readonly foreignHeader: boolean;
  readonly context: ApiContext;
}

/** A success: a JSON body with headers, or a response of the handler's own making (without a tracking id). */
export type Answer =
  | { readonly json: unknown; readonly headers?: Readonly<Record<string, string>> }
  | { readonly response: Response };

export type OperationHandler = (request: OperationRequest) => Promise<Result<Answer, ApiFailure>>;

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
  return async (context, state) => {
    state.operationId = operation.id;
    const admitted = await admit(operation, { context, state }, deps);
    const result = admitted.ok ? await handler(admitted.value) : admitted;
    return result.ok
      ? respond(operation, result.value, state.trackingId)
      : problemResponse(result.failure, state.trackingId);
  };
}

async function admit(
  operation: Operation,
  { context, state }: { readonly context: ApiContext; readonly state: RequestState },
  { authenticate, limitRate }: OperationDeps,
): Promise<Result<OperationRequest, ApiFailure>> {
  const { headers } = context.req.raw;
  const authenticated = await authenticate(headers);
  if (!authenticated.ok) return authenticated;
  const caller = authenticated.value;
  state.caller = caller;
  const limited = limitRate === null ? null : await limitRate(caller);
  if (limited !== null && !limited.ok) return limited;
  const params = context.req.param() as Record<string, string>;
  const authorized = authorize(operation.id, caller, params['id']);
  if (!authorized.ok) return authorized;
  const foreignHeader = operation.experimental && headers.get('x-sailpoint-experimental') === 'true';
  if (operation.experimental && !foreignHeader && headers.get('x-service-experimental') !== 'true')
    return fail(
      failure('RequiredMissing', 'X-Service-Experimental', 'this operation is experimental: the header must be true'),
    );
  const body = operation.body === null ? ok(undefined) : await takeBody(context, operation.body);
  if (!body.ok) return body;
  // An id outside of the grammar names nothing.
  if (!Object.values(params).every(isResourceId)) return fail(failure('NotFound', '', 'There is no such resource.'));
  return ok({ caller, params, body: body.value, foreignHeader, context });
}

async function takeBody(context: ApiContext, expected: RequestBody): Promise<Result<unknown, ApiFailure>> {
  const mediaType = checkMediaType(context.req.raw.headers, expected);
  if (!mediaType.ok) return mediaType;
  const bytes = await readBytes(context, expected.bytesMax);
  if (!bytes.ok) return bytes;
  const text = decodeUtf8(bytes.value);
  return text.ok ? parseBody(text.value, expected) : text;
}

function parseBody(
  text: string,
  { mediaType, schema }: RequestBody,
): Result<unknown, Failure> | Promise<Result<unknown, Failure>> {
  if (mediaType === 'application/x-ndjson') return parseImportLines(text, setImmediate);
  const json = parseStrictJson(text);
  return json.ok && schema !== null ? validate(schema, json.value) : json;
}

function respond(operation: Operation, answer: Answer, trackingId: string): Response {
  if ('response' in answer) {
    answer.response.headers.set('x-request-id', trackingId);
    return answer.response;
  }
  const headers = {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': trackingId,
    ...answer.headers,
  };
  if (operation.answer.mediaType === null) return new Response(null, { status: operation.answer.status, headers });
  return new Response(JSON.stringify(answer.json), {
    status: operation.answer.status,
    headers: { 'content-type': operation.answer.mediaType, ...headers },
  });
}
