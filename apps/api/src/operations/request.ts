import type { Operation } from '@access-admin/contract';
import { type AuditContext, auditContextOf, type Caller, type OperationId, type Result } from '@access-admin/domain';
import type { MaybePromise } from '../event-loop/maybe-promise.ts';
import type { Job } from '../event-loop/pace.ts';
import type { KeptBody } from '../http/body-room.ts';
import type { Exchange } from '../http/exchange.ts';
import type { RoomShare } from '../rooms/shared-room.ts';
import type { ApiFailure } from './problem.ts';

/** A request that admission has let through. */
export interface OperationRequest {
  readonly operation: Operation;
  readonly trackingId: string;
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  /** The output of the body's schema or parser; null for an operation without a body. */
  readonly body: unknown;
  /** The place of its work, which ends with the exchange at the latest; null for work that needs none. */
  readonly placed: PlacedWork | null;
  /** The share of its body, kept while it is handled; null if the body is small. */
  readonly keptBody: KeptBody | null;
  /** Whether the request carries SailPoint's experimental header. */
  readonly hasForeignHeader: boolean;
  readonly exchange: Exchange;
}

/** Work that has a place of a room. */
export interface PlacedWork {
  readonly job: Job & { readonly left: AbortSignal };
  readonly place: RoomShare;
}

/** Gets a place for the work on a request before its body is parsed; null for a request that needs none. */
export type Gate = (exchange: Exchange, tenant: string) => Promise<Result<PlacedWork, ApiFailure>> | null;

/** A success: a value that is written as JSON, text in the operation's media type, perhaps in pieces, or nothing (204). */
export type OperationResult = { readonly headers?: Readonly<Record<string, string>> } & (
  | { readonly json: unknown }
  | { readonly isEmpty: true }
  | { readonly text: string | AsyncIterable<string | Uint8Array> }
);

export type OperationHandler = (request: OperationRequest) => MaybePromise<Result<OperationResult, ApiFailure>>;

/** One handler for each operation of the table: a missing one does not compile. */
export type OperationHandlers = Readonly<Record<OperationId, OperationHandler>>;

/** The actor, operation and time of a request, for the audit log. */
export const auditContextOfRequest = (
  { caller, operation, trackingId }: Pick<OperationRequest, 'caller' | 'operation' | 'trackingId'>,
  now: Date,
): AuditContext => auditContextOf(caller, { operation: operation.id, time: now.toISOString(), trackingId });
