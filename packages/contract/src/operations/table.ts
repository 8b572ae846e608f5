import type { Capability } from '@access-admin/domain';
import type { ParsedQuery } from '../query/parse-query.ts';
import { ACCESS_MODEL_OPERATIONS } from './access-model.ts';
import { AUDIT_OPERATIONS } from './audit.ts';
import { AUTH_PROFILE_OPERATIONS } from './auth-profiles.ts';
import { AUTH_USER_OPERATIONS } from './auth-users.ts';
import { BRANDING_OPERATIONS } from './branding.ts';
import { CHECK_OPERATIONS } from './checks.ts';
import { CLIENT_OPERATIONS } from './clients.ts';
import { CONTROL_OPERATIONS } from './controls.ts';
import type { Operation, RequestBody, SuccessResponse } from './define-operation.ts';
import { EVENT_OPERATIONS } from './events.ts';
import { EXCEPTION_OPERATIONS } from './exceptions.ts';
import { LOOK_UP_OPERATIONS } from './look-ups.ts';
import { POLICY_OPERATIONS } from './policies.ts';
import { PREDICTION_OPERATIONS } from './predictions.ts';
import { RECORD_OPERATIONS } from './records.ts';
import { REPORT_OPERATIONS } from './reports.ts';
import { SESSION_OPERATIONS } from './sessions.ts';
import { SIGN_IN_OPERATIONS } from './sign-in.ts';
import { TENANT_OPERATIONS } from './tenants.ts';
import { UI_METADATA_OPERATIONS } from './ui-metadata.ts';
import { VIOLATION_OPERATIONS } from './violations.ts';
import { WEBHOOK_OPERATIONS } from './webhooks.ts';

const TABLE = [
  ...AUTH_USER_OPERATIONS,
  ...AUTH_PROFILE_OPERATIONS,
  ...SIGN_IN_OPERATIONS,
  ...SESSION_OPERATIONS,
  ...PREDICTION_OPERATIONS,
  ...CHECK_OPERATIONS,
  ...REPORT_OPERATIONS,
  ...VIOLATION_OPERATIONS,
  ...POLICY_OPERATIONS,
  ...EXCEPTION_OPERATIONS,
  ...CONTROL_OPERATIONS,
  ...UI_METADATA_OPERATIONS,
  ...BRANDING_OPERATIONS,
  ...CLIENT_OPERATIONS,
  ...TENANT_OPERATIONS,
  ...ACCESS_MODEL_OPERATIONS,
  ...LOOK_UP_OPERATIONS,
  ...RECORD_OPERATIONS,
  ...AUDIT_OPERATIONS,
  ...EVENT_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
] as const;

type Row = (typeof TABLE)[number];

/** The id of an operation that needs a token. */
export type OperationId = Row['id'];

/** Every operation that needs a token. The API mounts them; the client and the OpenAPI document follow them. */
export const OPERATIONS: readonly Operation<OperationId>[] = TABLE;

/** The capabilities that permit an operation. The others are for services beside this one. */
export const EFFECTIVE_CAPABILITIES: ReadonlySet<Capability> = new Set(
  OPERATIONS.flatMap(({ rights }) => rights.capabilities),
);

/** An operation with the types of its definition. */
export type OperationOf<Id extends OperationId> = Extract<Row, { readonly id: Id }>;

const BY_ID: ReadonlyMap<string, Row> = new Map(TABLE.map((operation) => [operation.id, operation]));

/** The operation with this id. */
export function operationOf<Id extends OperationId>(id: Id): OperationOf<Id> {
  const operation = BY_ID.get(id);
  if (operation === undefined || !hasId(operation, id)) throw new Error(`There is no operation ${id}.`);
  return operation;
}

const hasId = <Id extends OperationId>(operation: Row, id: Id): operation is OperationOf<Id> => operation.id === id;

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
