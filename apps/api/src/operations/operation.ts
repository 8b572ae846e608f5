import type { BodyOf, Operation, OperationId, ParamsOf, QueryOf } from '@access-admin/contract';
import { type AuditContext, auditContextOf, type Caller, type Result } from '@access-admin/domain';
import type { MaybePromise } from '../event-loop/maybe-promise.ts';
import type { RequestContext } from '../http/env.ts';
import type { ApiFailure } from '../http/problem.ts';
import type { LongText } from '../streaming/stream-json.ts';

/** A request that all checks have let through, whatever its operation takes. */
export interface CheckedRequest {
  /** Hono's context: headers, the connection. */
  readonly c: RequestContext;
  readonly operation: Operation;
  readonly caller: Caller;
}

/** A request of one operation: its parameters, query and body, as the definition of the operation types them. */
export interface OperationRequest<Id extends OperationId = OperationId> extends CheckedRequest {
  readonly params: ParamsOf<Id>;
  readonly query: QueryOf<Id>;
  readonly body: BodyOf<Id>;
}

/**
 * A success: a value that is written as JSON, text in the operation's media type, a stream that ends by itself
 * (null for HEAD), or nothing (204).
 */
export type OperationResult = { readonly headers?: Readonly<Record<string, string>> } & (
  | { readonly json: unknown }
  | { readonly isEmpty: true }
  | { readonly text: string | LongText }
  | { readonly stream: ReadableStream<Uint8Array> | null }
);

export type OperationHandler<Id extends OperationId = OperationId> = (
  request: OperationRequest<Id>,
) => MaybePromise<Result<OperationResult, ApiFailure>>;

/** One handler for each operation of the table: a missing one does not compile. */
export type OperationHandlers = { readonly [Id in OperationId]: OperationHandler<Id> };

/** The actor, operation and time of a request for the audit log, with its authorization. */
export const auditContextOfRequest = ({ c, caller, operation }: CheckedRequest, now: Date): AuditContext => {
  const { trackingId, authorization } = c.get('state');
  if (authorization === null) throw new Error('The request has not been authorized.');
  return { ...auditContextOf(caller, { operation: operation.id, time: now.toISOString(), trackingId }), authorization };
};
