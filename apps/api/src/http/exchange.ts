import type { Caller } from '@access-admin/domain';
import type { Soon } from '../event-loop/maybe-promise.ts';
import type { BodyShare } from './body-budget.ts';
import type { Body } from './read-body.ts';

/** One request as the general checks and the routes see it, whatever brought it. */
export interface Exchange {
  readonly method: string;
  /** The request target as it was sent. */
  readonly target: string;
  /** The decoded parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  /** The same for all requests of a connection; null where there is none. */
  readonly connection: object | null;
  /** Aborted when the caller leaves. */
  signal(): AbortSignal;
  /** By its lower-case name; several of one name are joined with commas. */
  header(name: string): string | null;
  /** The whole body, unless it is larger than `bytesMax` or than the room left in a share, or was cut. To be read once. */
  readBody(bytesMax: number, share?: BodyShare | null): Soon<Body>;
  /** Whether the body was read and ended before it was whole: nobody waits for an answer. */
  isCut(): boolean;
}

/** What goes back. */
export interface Reply {
  readonly status: number;
  /** By lower-case name; whoever passes a reply on may add to them. */
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array> | null;
}

/** What becomes known of a request on its way, for its answer and its log line. */
export interface RequestState {
  readonly trackingId: string;
  operationId: string | null;
  caller: Caller | null;
}

/** Answers one request; what it throws is a bug or broken infrastructure. */
export type RequestHandler = (exchange: Exchange, state: RequestState) => Soon<Reply>;

/** A handler with everything around it: it does not throw, and its reply is complete. */
export type ObservedHandler = (exchange: Exchange) => Soon<Reply>;

export const jsonReply = (value: unknown): Reply => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});
