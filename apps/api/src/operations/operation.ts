import type { BodyOf, Operation, OperationId, OperationOf, ParamsOf, QueryOf } from '@access-admin/contract';
import type { AuditContext, Caller, Result } from '@access-admin/domain';
import type { RequestContext } from '../env.ts';
import type { MaybePromise } from '../event-loop/maybe-promise.ts';
import { auditContext } from '../http/audit-context.ts';
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
  readonly params: ParamsOf<OperationOf<Id>>;
  readonly query: QueryOf<OperationOf<Id>>;
  readonly body: BodyOf<OperationOf<Id>>;
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
  | { readonly response: Response }
);

export type OperationHandler<Id extends OperationId = OperationId> = (
  request: OperationRequest<Id>,
) => MaybePromise<Result<OperationResult, ApiFailure>>;

/** One handler for each operation of the table: a missing one does not compile. */
export type OperationHandlers = { readonly [Id in OperationId]: OperationHandler<Id> };

export const auditContextOfRequest = ({ c }: CheckedRequest, now: Date): AuditContext => auditContext(c, now);
