import type { Failure, OperationId, Result } from '@access-admin/domain';
import type { GenericSchema } from 'valibot';
import { SMALL_BODY_BYTES_MAX } from '../limits.ts';
import type { FilterField } from '../query/filters.ts';
import type { ResponseSchema } from '../validation/response-schema.ts';

/**
 * The body that an operation expects. `schema` is null where the body is not one JSON document, or the domain validates
 * it.
 */
export interface RequestBody {
  readonly mediaType: 'application/json' | 'application/json-patch+json' | 'application/x-ndjson';
  readonly bytesMax: number;
  readonly schema: GenericSchema | null;
  /** Whether a request without a body, and then without a Content-Type, counts as one with `{}`. */
  readonly isOptional?: boolean;
  /**
   * Parses a body of lines, or one too large to parse at once; `schema` then describes it only. Awaits `pause` now and
   * then.
   */
  readonly parse?: (
    text: string,
    pause: () => Promise<unknown>,
  ) => Result<unknown, Failure> | Promise<Result<unknown, Failure>>;
}

/** The response of an operation that succeeds. */
export interface SuccessResponse {
  readonly status: 200 | 201 | 202 | 204;
  readonly mediaType: 'application/json' | 'application/x-ndjson' | 'application/jose' | null;
  /** Of the body, of each line of NDJSON, or of the text that is signed JSON; null without a body. */
  readonly schema: ResponseSchema | null;
  /** When the answer is 204 without a body instead; never if left out. */
  readonly emptyWhen?: string;
}

/** An optional query parameter. */
export interface QueryParameter {
  readonly name: string;
  readonly description: string;
  /** The accepted values; any text if left out. */
  readonly values?: readonly string[];
}

/** One operation as it appears on the wire. Its rights are in the domain's `OPERATION_RIGHTS` under the same id. */
export interface Operation {
  readonly id: OperationId;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` for path parameters. */
  readonly path: string;
  readonly group: string;
  readonly summary: string;
  /** Whether requests need the header `X-Service-Experimental: true`. */
  readonly experimental: boolean;
  readonly body: RequestBody | null;
  readonly response: SuccessResponse;
  /** Other media types of the same response that `Accept` can ask for. */
  readonly otherMediaTypes?: readonly ('application/x-ndjson' | 'text/csv' | 'text/event-stream')[];
  /** Whether `Prefer: wait=n` holds the answer. */
  readonly waits?: boolean;
  /** Whether responses carry a strong ETag; writes then honour `If-Match`. */
  readonly etag: boolean;
  /** Whether repeats with the same `Idempotency-Key` count once. */
  readonly idempotencyKey: boolean;
  /** Whether the operation is a list with `limit`, `offset` and `count`. */
  readonly list: boolean;
  /** The fields that `filters` of a list can compare; empty without that parameter. */
  readonly filters: Readonly<Record<string, FilterField>>;
  /** The fields that `sorters` of a list can name; empty without that parameter. */
  readonly sorters: readonly string[];
  /** Further query parameters. */
  readonly query?: readonly QueryParameter[];
  /** The values of `include`, each of which adds a part to the response; empty without that parameter. */
  readonly includes: readonly string[];
  /** The 4xx statuses beyond those that every operation can answer. */
  readonly errorStatuses: readonly number[];
}

/** The parameter of lists that are read from a place in their order. */
export const CURSOR: QueryParameter = {
  name: 'cursor',
  description: 'Where a page begins, as the `Link` of the page before has it: no page is slower than the first.',
};

/** A JSON body of a request. */
export const jsonBody = (schema: GenericSchema, bytesMax: number): RequestBody => ({
  mediaType: 'application/json',
  bytesMax,
  schema,
});
/** A JSON body that may be left out, as all its properties are optional. */
export const optionalJsonBody = (schema: GenericSchema, bytesMax: number): RequestBody => ({
  ...jsonBody(schema, bytesMax),
  isOptional: true,
});
/** A JSON response. */
export const jsonResponse = (schema: ResponseSchema, status: SuccessResponse['status'] = 200): SuccessResponse => ({
  status,
  mediaType: 'application/json',
  schema,
});
/** A response of JSON lines, of which `schema` describes one. */
export const ndjsonResponse = (schema: ResponseSchema): SuccessResponse => ({
  status: 200,
  mediaType: 'application/x-ndjson',
  schema,
});
/** A response that is a compact JWS. */
export const joseResponse = (schema: ResponseSchema): SuccessResponse => ({
  status: 200,
  mediaType: 'application/jose',
  schema,
});
/** The response without a body. */
export const NO_CONTENT: SuccessResponse = { status: 204, mediaType: null, schema: null };
/** The body of a JSON Patch. */
export const patchBody: RequestBody = {
  mediaType: 'application/json-patch+json',
  bytesMax: SMALL_BODY_BYTES_MAX,
  schema: null,
};
/** The properties of a plain read; operations override what differs. */
export const defaults = {
  experimental: false,
  body: null,
  etag: false,
  idempotencyKey: false,
  list: false,
  filters: {},
  sorters: [],
  includes: [],
  errorStatuses: [],
} as const;

/** The same for an experimental operation. */
export const experimentalDefaults = { ...defaults, experimental: true } as const;
