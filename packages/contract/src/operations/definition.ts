import type { Failure, OperationId, Result } from '@access-admin/domain';
import type { GenericSchema } from 'valibot';
import { SMALL_BODY_BYTES_MAX } from '../limits.ts';
import type { FilterField } from '../query/filters.ts';

/** What a request body must be. `schema` is null where the body is not one JSON document, or is judged by the domain. */
export interface RequestBody {
  readonly mediaType: 'application/json' | 'application/json-patch+json' | 'application/x-ndjson';
  readonly bytesMax: number;
  readonly schema: GenericSchema | null;
  /** Reads a body of several lines, of which `schema` is about each; one that takes long awaits `pause` now and then. */
  readonly parse?: (
    text: string,
    pause: () => Promise<unknown>,
  ) => Result<unknown, Failure> | Promise<Result<unknown, Failure>>;
}

/** What a success looks like. */
export interface SuccessAnswer {
  readonly status: 200 | 201 | 202 | 204;
  readonly mediaType: 'application/json' | 'application/x-ndjson' | null;
  readonly schema: GenericSchema | null;
}

/** A parameter of the query, which may be left out. */
export interface QueryParameter {
  readonly name: string;
  /** The only texts that it can be, where they are known. */
  readonly values?: readonly string[];
}

/** One operation as it appears on the wire; rights are in the domain's table under the same id. */
export interface Operation {
  readonly id: OperationId;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` for path parameters. */
  readonly path: string;
  readonly group: string;
  readonly summary: string;
  /** Enabled only by the experimental header. */
  readonly experimental: boolean;
  readonly body: RequestBody | null;
  readonly answer: SuccessAnswer;
  /** Whether answers carry a strong ETag; writes then honour `If-Match`. */
  readonly etag: boolean;
  /** Whether repeats with the same `Idempotency-Key` count once. */
  readonly idempotencyKey: boolean;
  /** Whether the operation is a list with `limit`, `offset` and `count`. */
  readonly list: boolean;
  /** What a list can be filtered by; empty where it cannot. */
  readonly filters: Readonly<Record<string, FilterField>>;
  /** What a list can be sorted by; empty where it cannot. */
  readonly sorters: readonly string[];
  /** Parameters of the query besides those of lists. */
  readonly query?: readonly QueryParameter[];
  /** What answers have besides when `include` asks for it. */
  readonly includes: readonly string[];
  /** 4xx statuses beyond those that every operation can answer. */
  readonly refusals: readonly number[];
}

/** A JSON body. */
export const json = (schema: GenericSchema, bytesMax: number): RequestBody => ({
  mediaType: 'application/json',
  bytesMax,
  schema,
});
/** A JSON answer. */
export const answer = (schema: GenericSchema, status: SuccessAnswer['status'] = 200): SuccessAnswer => ({
  status,
  mediaType: 'application/json',
  schema,
});
/** A JSON Patch. */
export const patchBody: RequestBody = {
  mediaType: 'application/json-patch+json',
  bytesMax: SMALL_BODY_BYTES_MAX,
  schema: null,
};
/** An operation without anything special. */
export const plain = {
  experimental: false,
  body: null,
  etag: false,
  idempotencyKey: false,
  list: false,
  filters: {},
  sorters: [],
  includes: [],
  refusals: [],
} as const;

/** The same behind the experimental header. */
export const experimental = { ...plain, experimental: true } as const;
