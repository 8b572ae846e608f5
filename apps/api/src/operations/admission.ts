import { decodeUtf8, type Operation, parseStrictJson, type RequestBody, validate } from '@access-admin/contract';
import { authorize, type Failure, fail, failure, isResourceId, type Result } from '@access-admin/domain';
import type { Authenticate } from '../auth/authenticate.ts';
import type { TakeTurn } from '../event-loop/fair-turns.ts';
import { chain, type MaybePromise, OK, whenReady } from '../event-loop/maybe-promise.ts';
import type { BodyRoom, OpenBodyShare } from '../http/body-room.ts';
import type { Exchange, RequestState } from '../http/exchange.ts';
import type { Body } from '../http/read-body.ts';
import type { RoomShare } from '../rooms/shared-room.ts';
import type { LimitRate } from './limit-rate.ts';
import { checkMediaType } from './media-type.ts';
import type { ApiFailure } from './problem.ts';
import type { OperationHandler, OperationRequest, OperationResult } from './request.ts';

/** A request before its checks. */
export interface Incoming {
  readonly exchange: Exchange;
  readonly state: RequestState;
  /** Opens a share of the room for bodies that is kept while the request is handled; null if the body is small. */
  readonly openShare: OpenBodyShare | null;
}

export interface AdmissionDeps {
  readonly authenticate: Authenticate;
  /** Null when limiting is off. */
  readonly limitRate: LimitRate | null;
  readonly bodies: BodyRoom;
  /** The turns of the event loop in which a large body is parsed. */
  readonly turn: TakeTurn;
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
  { authenticate, limitRate, bodies, turn }: AdmissionDeps,
): Admit {
  const takeBody = createTakeBody(operation.body, { bodies, turn });
  return ({ exchange, state, openShare }) =>
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
      return chain(takeBody(exchange, caller.tenant, openShare), (body) =>
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

type TakeBody = (
  exchange: Exchange,
  tenant: string,
  openShare: OpenBodyShare | null,
) => MaybePromise<Result<unknown, ApiFailure>>;

/** Reads and parses the body that an operation expects. The bytes of a body whose share is not kept are released then. */
function createTakeBody(
  expected: RequestBody | null,
  { bodies, turn }: Pick<AdmissionDeps, 'bodies' | 'turn'>,
): TakeBody {
  if (expected === null) return () => OK;
  const parse = (bytes: Uint8Array, tenant: string): MaybePromise<Result<unknown, Failure>> => {
    const text = decodeUtf8(bytes);
    if (!text.ok) return text;
    return parseBody(text.value === '' && expected.isOptional === true ? '{}' : text.value, expected, () =>
      turn(tenant),
    );
  };
  return (exchange, tenant, openShare) => {
    const mediaType = checkMediaType(exchange, expected);
    if (!mediaType.ok) return mediaType;
    if (openShare !== null)
      return chain(
        exchange.readBody(expected.bytesMax, () => openShare(tenant)),
        (bytes) => parse(bytes, tenant),
      );
    let share: RoomShare | null = null;
    const open = () => {
      share = bodies.open(tenant, exchange);
      return share;
    };
    return whenReady<Body, Result<unknown, ApiFailure>>(exchange.readBody(expected.bytesMax, open), (body) => {
      const parsed = body.ok ? parse(body.value, tenant) : body;
      share?.release();
      return parsed;
    });
  };
}

function parseBody(
  text: string,
  { parse, schema }: RequestBody,
  pause: () => Promise<void>,
): MaybePromise<Result<unknown, Failure>> {
  if (parse !== undefined) return parse(text, pause);
  const json = parseStrictJson(text);
  return json.ok && schema !== null ? validate(schema, json.value) : json;
}
