import type { Failure, OperationRights, Patch, Result } from '@access-admin/domain';
import type { GenericSchema, InferOutput } from 'valibot';
import requests from '../../examples/requests.json' with { type: 'json' };
import { parseStrictJson } from '../bodies/strict-json.ts';
import { SMALL_BODY_BYTES_MAX } from '../limits.ts';
import type { ParsedQuery, QueryColumns } from '../query/parse-query.ts';
import type { ResponseSchema } from '../validation/named-schema.ts';
import { validate } from '../validation/validate.ts';
import type { OperationGroup } from './groups.ts';
import type { PathParameters } from './path-parameters.ts';

/*
 * An operation is described once, by `defineOperation` in the file of its feature. The documents, the tests of the SDK and the
 * rights are derived from the table of all of them; a route of the API names its definition, which types its handler:
 *
 *   export const policies = () =>
 *     new Hono<ApiEnv>()
 *       .on(...route(POLICIES.list, (c, { query }) => …)) // query.page, query.filters, query.sorters
 *       .on(...route(POLICIES.patch, (c, { params, body }) => …)); // params.id: string, body: Patch
 */

/** Awaited now and then while a long body is parsed, so that other requests are served. */
export type Pause = () => Promise<unknown>;

/** The body that an operation expects. */
export interface RequestBody<T = unknown> {
  readonly mediaType: 'application/json' | 'application/json-patch+json' | 'application/x-ndjson';
  readonly bytesMax: number;
  /** The schema of the document, or of each line; null for a JSON Patch. */
  readonly schema: GenericSchema | null;
  /** Whether a request without a body, and then without a Content-Type, counts as one with `{}`. */
  readonly isOptional: boolean;
  /** Parses the decoded text of the body. */
  readonly parse: (text: string, pause: Pause) => Result<T, Failure> | Promise<Result<T, Failure>>;
}

/** The response of an operation that succeeds. */
export interface SuccessResponse<T = unknown> {
  readonly status: 200 | 201 | 202 | 204;
  readonly mediaType: 'application/json' | 'application/x-ndjson' | 'application/jose' | null;
  /** Of the body, of each line of NDJSON, or of the text that is signed JSON; null without a body. */
  readonly schema: ResponseSchema<T> | null;
  /** When the answer is 204 without a body instead; never if left out. */
  readonly emptyWhen?: string;
  /** Other media types of the same response that `Accept` can ask for. */
  readonly otherMediaTypes?: readonly ('application/x-ndjson' | 'text/csv' | 'text/event-stream')[];
  /** Headers of this response alone, with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A request that works with the sample, from `examples/requests.json`. `examples/answers.json` has the answer of a real server
 * to it.
 */
export interface OperationExample {
  /** The identity that sends it; an application if left out. */
  readonly as?: string;
  /** The operation that is called before, and whose answer has the ids that `path` leaves out. */
  readonly after?: string;
  /** Values of path parameters. Ids that only an earlier answer has are left out. */
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>>;
  /** Those of this operation. `X-Service-Experimental` has its value by default. */
  readonly headers?: Readonly<Record<string, string>>;
  /** NDJSON is an array of its lines. */
  readonly body?: unknown;
  /** Whether the answer depends on what else was called before, so that of the recorded one only the properties count. */
  readonly varies?: boolean;
}

/** One operation, with all its columns. */
export interface Operation<Id extends string = string> extends QueryColumns {
  readonly id: Id;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` for path parameters. */
  readonly path: string;
  /** The path parameters but `id`, which is the id of the resource. */
  readonly params: PathParameters;
  readonly group: OperationGroup;
  /** What it is, in a line. */
  readonly summary: string;
  /** What it does and when to call it. */
  readonly description: string;
  readonly rights: OperationRights;
  /** Null without one. */
  readonly body: RequestBody | null;
  readonly response: SuccessResponse;
  /** The 4xx statuses beyond those that every operation can answer. */
  readonly errors: readonly number[];
  readonly example: OperationExample;
  /** Whether requests need the header `X-Service-Experimental: true`. */
  readonly experimental: boolean;
  /** Whether responses carry a strong ETag; writes then honour `If-Match`. */
  readonly etag: boolean;
  /** The header in which requests must repeat the name in their path; null for none. */
  readonly confirmation: string | null;
  /** Whether repeats with the same `Idempotency-Key` count once. */
  readonly idempotencyKey: boolean;
  /** Whether `Prefer: wait=n` holds the answer. */
  readonly waits: boolean;
  /** Whose owner `rights.forOwn` means; null where the target is the identity itself. */
  readonly owner: 'VIOLATION' | 'SESSION' | null;
  /** Whether the tenant has one such resource only, which the audit log names `tenant`. */
  readonly onePerTenant: boolean;
  /** Whether the parsed body is used until the answer has ended, and so takes memory as long. */
  readonly keepsBody: boolean;
  /**
   * Whether AuthZEN says what is peculiar to HTTP: another Content-Type is 400, and the answer repeats the `X-Request-ID` of the
   * request.
   */
  readonly isAuthzen: boolean;
  /** Whether it changes nothing although its method is not GET, so that a request can be repeated. */
  readonly hasNoEffect: boolean;
}

type Defaulted = Exclude<
  keyof Operation,
  'id' | 'method' | 'path' | 'group' | 'summary' | 'description' | 'rights' | 'response' | 'example'
>;

/** The columns of an operation, without those that have their default, and without the example, which has its file. */
export type OperationDefinition = Omit<Operation, Defaulted | 'example'> & Partial<Pick<Operation, Defaulted>>;

/** The columns whose types are those of the definition itself, for the types of handlers. */
type Typed = 'id' | 'method' | 'path' | 'params' | 'body' | 'response' | keyof QueryColumns;

/** An operation whose path with its parameters, query, body and response have the types of its definition. */
export type Defined<D extends OperationDefinition> = Omit<Operation, Typed> & {
  readonly [Column in Typed]: Column extends keyof D
    ? D[Column]
    : Column extends keyof typeof DEFAULTS
      ? (typeof DEFAULTS)[Column]
      : never;
};

const DEFAULTS = {
  params: {},
  body: null,
  list: false,
  filters: {},
  sorters: [],
  sort: false,
  cursor: false,
  includes: [],
  query: {},
  errors: [],
  experimental: false,
  etag: false,
  confirmation: null,
  idempotencyKey: false,
  waits: false,
  owner: null,
  onePerTenant: false,
  keepsBody: false,
  isAuthzen: false,
  hasNoEffect: false,
} as const satisfies Pick<Operation, Defaulted>;

/**
 * Defines an operation. Its types are kept, so that `ParamsOf`, `QueryOf`, `BodyOf` and `ResponseOf` can be derived from them.
 *
 * @example
 * defineOperation({
 *   id: 'get-control-v1',
 *   method: 'GET',
 *   path: '/controls/v1/{id}',
 *   group: 'Controls',
 *   summary: 'One compensating control',
 *   description: 'Returns one compensating control.',
 *   rights: READ,
 *   response: jsonResponse(control),
 *   errors: [404],
 *   etag: true,
 * })
 */
export function defineOperation<const D extends OperationDefinition>(definition: D): Defined<D>;
export function defineOperation(definition: OperationDefinition): Operation {
  return { ...DEFAULTS, ...definition, example: EXAMPLES[definition.id] ?? {} };
}

const EXAMPLES: Readonly<Record<string, OperationExample>> = requests;

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

/** The path parameters of an operation, such as `{ readonly id: string }`. */
export type ParamsOf<O extends Pick<Operation, 'path' | 'params'>> = {
  readonly [Name in ParamNames<O['path']>]: Name extends keyof O['params'] ? InferOutput<O['params'][Name]> : string;
};

/** The parsed query of an operation. */
export type QueryOf<O extends QueryColumns> = ParsedQuery<O>;

/** The parsed body of an operation; undefined without one. */
export type BodyOf<O extends Pick<Operation, 'body'>> =
  O['body'] extends RequestBody<infer Parsed> ? Parsed : undefined;

/** The body of the response of an operation that succeeds, or one line of it; undefined without one. */
export type ResponseOf<O extends Pick<Operation, 'response'>> =
  O['response'] extends SuccessResponse<infer Shown> ? Shown : never;

/** A JSON body of a request. */
export const jsonBody = <S extends GenericSchema>(schema: S, bytesMax: number): RequestBody<InferOutput<S>> => ({
  mediaType: 'application/json',
  bytesMax,
  schema,
  isOptional: false,
  parse: (text) => {
    const json = parseStrictJson(text);
    return json.ok ? validate(schema, json.value) : json;
  },
});

/** A JSON body that may be left out, as all its properties are optional. */
export const optionalJsonBody = <S extends GenericSchema>(
  schema: S,
  bytesMax: number,
): RequestBody<InferOutput<S>> => ({
  ...jsonBody(schema, bytesMax),
  isOptional: true,
});

/** A body of JSON lines, of which `schema` describes one. */
export const linesBody = <T>(body: Pick<RequestBody<T>, 'bytesMax' | 'schema' | 'parse'>): RequestBody<T> => ({
  ...body,
  mediaType: 'application/x-ndjson',
  isOptional: false,
});

/** The body of a JSON Patch. `parse` knows what of the resource may be patched. */
export const patchBody = (parse: (body: unknown) => Result<Patch, Failure>): RequestBody<Patch> => ({
  mediaType: 'application/json-patch+json',
  bytesMax: SMALL_BODY_BYTES_MAX,
  schema: null,
  isOptional: false,
  parse: (text) => {
    const json = parseStrictJson(text);
    return json.ok ? parse(json.value) : json;
  },
});

/** A JSON response. */
export const jsonResponse = <T>(
  schema: ResponseSchema<T>,
  status: SuccessResponse['status'] = 200,
): SuccessResponse<T> => ({ status, mediaType: 'application/json', schema });

/** A response of JSON lines, of which `schema` describes one. */
export const ndjsonResponse = <T>(schema: ResponseSchema<T>): SuccessResponse<T> => ({
  status: 200,
  mediaType: 'application/x-ndjson',
  schema,
});

/** A response that is a compact JWS. */
export const joseResponse = (schema: ResponseSchema<string>): SuccessResponse<string> => ({
  status: 200,
  mediaType: 'application/jose',
  schema,
});

/** The response without a body. */
export const NO_CONTENT: SuccessResponse<undefined> = { status: 204, mediaType: null, schema: null };
