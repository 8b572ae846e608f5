import type { ParsedQuery } from '../query/parse-query.ts';
import { AUTH_USER_OPERATIONS } from './auth-users.ts';
import type { RequestBody, SuccessResponse } from './define-operation.ts';

const TABLE = [...AUTH_USER_OPERATIONS] as const;

type Row = (typeof TABLE)[number];

/** The id of an operation that needs a token. */
export type OperationId = Row['id'];

/** The operation with this id, as it is defined. */
export type OperationOf<Id extends OperationId> = Extract<Row, { readonly id: Id }>;

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

/** The path parameters of an operation, such as `{ readonly id: string }`. */
export type ParamsOf<Id extends OperationId> = { readonly [Name in ParamNames<OperationOf<Id>['path']>]: string };

/** The parsed query of an operation. */
export type QueryOf<Id extends OperationId> = ParsedQuery<OperationOf<Id>>;

/** The parsed body of an operation; undefined without one. */
export type BodyOf<Id extends OperationId> =
  OperationOf<Id>['body'] extends RequestBody<infer Parsed> ? Parsed : undefined;

/** The body of the response of an operation that succeeds, or one line of it; undefined without one. */
export type ResponseOf<Id extends OperationId> =
  OperationOf<Id>['response'] extends SuccessResponse<infer Shown> ? Shown : never;

/** Every operation that has been moved to `defineOperation`. */
export const DEFINED = TABLE;
