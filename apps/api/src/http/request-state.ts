import type { Authorization, Caller } from '@access-admin/domain';
import type { Slot } from '@access-admin/scheduling';
import type { Span } from '@access-admin/telemetry';

/** The code of a refusal, as its body has it, and the reason that only operators learn. */
export interface Refusal {
  readonly detailCode: string;
  readonly reason: string | null;
}

/** What is known of a request while it is answered; its log line, its metrics and its answer need it. */
export interface RequestState {
  /** 32 hexadecimal digits, also in the header `X-Request-Id` and in error bodies. */
  readonly trackingId: string;
  /** The turn of the event loop in which its head was read. */
  readonly turn: number;
  /** The `X-Request-ID` of the caller where the answer repeats it; null elsewhere. */
  requestId: string | null;
  /** The operation, endpoint or page that the request has reached. */
  operationId: string | null;
  caller: Caller | null;
  /** Null until the request is authorized. */
  authorization: Authorization | null;
  /** The parsed body; undefined without one. */
  body: unknown;
  /** The memory that a large body holds; null for a small one. */
  bodySlot: Slot | null;
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
export const newRequestState = (trackingId: string, turn = 0, span: Span | null = null): RequestState => ({
  trackingId,
  turn,
  span,
  requestId: null,
  operationId: null,
  caller: null,
  authorization: null,
  body: undefined,
  bodySlot: null,
  refusal: null,
  isEventStream: false,
  isBodyAborted: false,
  work: null,
  streamed: null,
});
