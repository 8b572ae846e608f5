import { setImmediate } from 'node:timers/promises';
import {
  decodeUtf8,
  type Operation,
  parseStrictJson,
  type RequestBody,
  SOD_BODY_BYTES_MAX,
  validate,
} from '@access-admin/contract';
import {
  type AuditContext,
  type AuditEvent,
  auditContextOf,
  authorize,
  type Caller,
  type Failure,
  fail,
  failure,
  isResourceId,
  OPERATION_RIGHTS,
  ok,
  type Result,
} from '@access-admin/domain';
import type { AuditStore } from '@access-admin/store';
import type { Authenticate } from '../auth/authenticate.ts';
import { chain, NOTHING, type Soon } from '../event-loop/maybe-promise.ts';
import type { BodyBudget, BodyShare } from '../http/body-budget.ts';
import type { Exchange, Reply, RequestHandler, RequestState } from '../http/exchange.ts';
import type { LimitRate } from './limit-rate.ts';
import { checkMediaType } from './media-type.ts';
import { type ApiFailure, problemReply } from './problem.ts';

/** A request that has passed every general check. */
export interface OperationRequest {
  readonly operation: Operation;
  readonly trackingId: string;
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
  readonly audit: Pick<AuditStore, 'recordDenial'>;
  /** For operations that take large bodies. */
  readonly bodies: BodyBudget;
  readonly now: () => Date;
}

/** What a request does, for the audit log. */
export const actOfRequest = (
  { caller, operation, trackingId }: Pick<OperationRequest, 'caller' | 'operation' | 'trackingId'>,
  now: Date,
): AuditContext => auditContextOf(caller, { operation: operation.id, time: now.toISOString(), trackingId });

/**
 * Puts the general checks in front of a handler, in the order in which callers are promised their refusals:
 * 401 (and 429), 403, experimental header, 415, 413, body; then the handler decides on 404, 409 and 412.
 */
export function handleOperation(operation: Operation, handler: OperationHandler, deps: OperationDeps): RequestHandler {
  const answer = (incoming: Incoming): Soon<Reply> => {
    const { exchange, state } = incoming;
    state.operationId = operation.id;
    const answered = chain(admit(operation, incoming, deps), handler);
    const reply = (result: Result<Answer, ApiFailure>): Soon<Reply> => {
      if (result.ok) return respond(operation, result.value);
      const refusal = problemReply(result.failure, state.trackingId);
      return result.failure.type === 'Forbidden'
        ? recordDenial(operation, { exchange, state }, deps).then(() => refusal)
        : refusal;
    };
    return answered instanceof Promise ? answered.then(reply) : reply(answered);
  };
  if ((operation.body?.bytesMax ?? 0) <= SOD_BODY_BYTES_MAX)
    return (exchange, state) => answer({ exchange, state, share: null });
  return (exchange, state) => deps.bodies.share(exchange, (share) => answer({ exchange, state, share }));
}

interface Incoming {
  readonly exchange: Exchange;
  readonly state: RequestState;
  /** Of the room for large bodies; null where the body is small. */
  readonly share: BodyShare | null;
}

/** Who is refused for want of rights learns of it once it is on record. */
async function recordDenial(
  operation: Operation,
  { exchange, state: { caller, trackingId } }: Pick<Incoming, 'exchange' | 'state'>,
  { audit, now }: OperationDeps,
): Promise<void> {
  // Without a caller it is a 401.
  if (caller === null) return;
  await audit.recordDenial(
    actOfRequest({ caller, operation, trackingId }, now()),
    resourceOf(operation, exchange.params),
  );
}

function resourceOf(operation: Operation, params: OperationRequest['params']): AuditEvent['resource'] {
  const type = OPERATION_RIGHTS[operation.id].resource;
  const id = type === 'UI_METADATA' ? 'tenant' : (Object.values(params)[0] ?? '');
  return { type, id: isResourceId(id) ? id : null };
}

function admit(
  operation: Operation,
  { exchange, state, share }: Incoming,
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
      return chain(takeBody({ exchange, share }, operation.body), (body) =>
        // An id outside of the grammar names nothing.
        Object.values(params).every(isResourceId)
          ? ok({ operation, trackingId: state.trackingId, caller, params, body, foreignHeader, exchange })
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

function takeBody(
  { exchange, share }: Pick<Incoming, 'exchange' | 'share'>,
  expected: RequestBody | null,
): Soon<Result<unknown, ApiFailure>> {
  if (expected === null) return NOTHING;
  const mediaType = checkMediaType(exchange, expected);
  if (!mediaType.ok) return mediaType;
  return chain(exchange.readBody(expected.bytesMax, share), (bytes) => {
    const text = decodeUtf8(bytes);
    return text.ok ? parseBody(text.value, expected) : text;
  });
}

function parseBody(text: string, { parse, schema }: RequestBody): Soon<Result<unknown, Failure>> {
  if (parse !== undefined) return parse(text, setImmediate);
  const json = parseStrictJson(text);
  return json.ok && schema !== null ? validate(schema, json.value) : json;
}

function respond({ response: { status, mediaType } }: Operation, answer: Answer): Reply {
  const headers: Record<string, string> = { ...answer.headers };
  if (mediaType === null) return { status, headers, body: null };
  headers['content-type'] = mediaType;
  return { status, headers, body: 'text' in answer ? answer.text : JSON.stringify(answer.json) };
}
