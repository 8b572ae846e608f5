import type { Authorization, Caller, Failure } from '@access-admin/domain';
import type { Span } from '@access-admin/telemetry';
import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';

/** The code of a refusal, as its body has it, and the reason that only operators learn. */
export interface Refusal {
  readonly detailCode: string;
  readonly reason: string | null;
}

/** What is known of a request while it is answered; its log line, its metrics and its answer need it. */
export interface RequestState {
  /** 32 hexadecimal digits, also in the header `X-Request-Id` and in error bodies. */
  readonly trackingId: string;
  /** The headers that every answer of this request has, unless the answer sets them itself. */
  readonly commonHeaders: () => Record<string, string>;
  /** The operation, endpoint or page that the request has reached. */
  operationId: string | null;
  caller: Caller | null;
  /** Null until the request is authorized. */
  authorization: Authorization | null;
  /** Null where it is not traced. */
  readonly span: Span | null;
  refusal: Refusal | null;
  /** Whether the answer is a stream that ends by itself, after an hour at the latest. */
  isEventStream: boolean;
  /** Whether the body ended early, so that no client receives the answer. */
  isBodyAborted: boolean;
  /** Work that may outlast the answer, such as that of a request whose time is up. */
  work: Promise<unknown> | null;
  /** Resolves when the answer has been sent or its receiver has left; null for an answer that is sent at once. */
  streamed: Promise<void> | null;
}

/** The state of a request whose head has been read. */
export const newRequestState = ({
  trackingId,
  commonHeaders,
  span = null,
}: Pick<RequestState, 'trackingId' | 'commonHeaders'> & Partial<Pick<RequestState, 'span'>>): RequestState => ({
  trackingId,
  commonHeaders,
  span,
  operationId: null,
  caller: null,
  authorization: null,
  refusal: null,
  isEventStream: false,
  isBodyAborted: false,
  work: null,
  streamed: null,
});

/** The messages of Node; absent where the app is called without a socket. */
export interface Bindings extends Partial<HttpBindings> {
  /** What the server has found wrong with the message. */
  readonly fault?: Failure;
  /** The address of the caller where there is no socket to tell it. */
  readonly remoteAddress?: string;
}

export interface Env {
  Bindings: Bindings;
  Variables: { state: RequestState };
}

export type RequestContext = Context<Env>;
export type Middleware = MiddlewareHandler<Env>;
