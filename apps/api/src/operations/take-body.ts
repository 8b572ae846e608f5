import { decodeUtf8, parseStrictJson, type RequestBody, validate } from '@access-admin/contract';
import { type Failure, fail, type Result } from '@access-admin/domain';
import type { TakeTurn } from '../event-loop/fair-turns.ts';
import { type MaybePromise, whenReady } from '../event-loop/maybe-promise.ts';
import type { BodyRoom, KeptBody } from '../http/body-room.ts';
import type { Exchange, RequestState } from '../http/exchange.ts';
import { type Body, FREE_BYTES } from '../http/read-body.ts';
import type { RoomShare } from '../rooms/shared-room.ts';
import { checkMediaType } from './media-type.ts';
import type { ApiFailure } from './problem.ts';
import type { Gate, OperationResult, PlacedWork } from './request.ts';

/** A request before its checks. */
export interface Incoming {
  readonly exchange: Exchange;
  readonly state: RequestState;
  /** The share of the room for bodies that is kept while the request is handled; null if the body is small. */
  readonly keptBody: KeptBody | null;
}

export interface TakeBodyDeps {
  readonly bodies: BodyRoom;
  /** The turns of the event loop in which large bodies are parsed. */
  readonly turn: TakeTurn;
}

type Outcome = MaybePromise<Result<OperationResult, ApiFailure>>;
type Handle = (body: unknown, placed: PlacedWork | null) => Outcome;
type WithBody = (incoming: Incoming, tenant: string, handle: Handle) => Outcome;

/**
 * Reads and parses the body that an operation expects, and passes it on. Work that needs a place waits for it with the bytes of
 * its body: they take less memory than its parsed form. The bytes of a body whose share is not kept are released when parsed.
 */
export function createWithBody(
  expected: RequestBody | null,
  { bodies, turn, gate }: TakeBodyDeps & { readonly gate: Gate | null },
): WithBody {
  if (expected === null) return (_, __, handle) => handle(undefined, null);
  const parse = createParse(expected, turn);
  return ({ exchange, keptBody }, tenant, handle) => {
    const mediaType = checkMediaType(exchange, expected);
    if (!mediaType.ok) return mediaType;
    let share: RoomShare | null = null;
    const release = () => {
      if (keptBody === null) share?.release();
    };
    const open = () => {
      share = keptBody === null ? bodies.open(tenant, exchange) : keptBody.open(tenant);
      return share;
    };
    const parseBytes = (bytes: Uint8Array, placed: PlacedWork | null): Outcome =>
      whenReady<Result<unknown, Failure>, Result<OperationResult, ApiFailure>>(parse(bytes, tenant), (parsed) => {
        release();
        return parsed.ok ? handle(parsed.value, placed) : parsed;
      });
    const refuse = (failure: ApiFailure) => {
      release();
      return fail(failure);
    };
    return whenReady<Body, Result<OperationResult, ApiFailure>>(exchange.readBody(expected.bytesMax, open), (body) => {
      if (!body.ok) return refuse(body.failure);
      const bytes = body.value;
      const entering = gate?.(exchange, tenant) ?? null;
      if (entering === null) return parseBytes(bytes, null);
      return entering.then((entered) => (entered.ok ? parseBytes(bytes, entered.value) : refuse(entered.failure)));
    });
  };
}

type Parse = (bytes: Uint8Array, tenant: string) => MaybePromise<Result<unknown, Failure>>;

function createParse({ parse, schema, isOptional = false }: RequestBody, turn: TakeTurn): Parse {
  const parseNow: Parse = (bytes, tenant) => {
    const decoded = decodeUtf8(bytes);
    if (!decoded.ok) return decoded;
    const text = decoded.value === '' && isOptional ? '{}' : decoded.value;
    if (parse !== undefined) return parse(text, () => turn(tenant));
    const json = parseStrictJson(text);
    return json.ok && schema !== null ? validate(schema, json.value) : json;
  };
  return (bytes, tenant) =>
    bytes.byteLength <= FREE_BYTES ? parseNow(bytes, tenant) : turn(tenant).then(() => parseNow(bytes, tenant));
}
