import type { Caller } from '@access-admin/domain';
import type { MaybePromise } from '../event-loop/maybe-promise.ts';
import type { RoomShare } from '../rooms/shared-room.ts';
import type { Body } from './read-body.ts';

/** One request as admission and handlers see it. */
export interface Exchange {
  readonly method: string;
  /** The request target as it was sent. */
  readonly target: string;
  /** The decoded parameters of the path; the router sets them. */
  params: Readonly<Record<string, string>>;
  /** The same object for all requests of a connection. */
  readonly connection: object;
  /** The address at the other end of the connection; null if it has none, or has ended. */
  remoteAddress(): string | null;
  /** Aborted when the caller closes the connection. */
  signal(): AbortSignal;
  /** Resets the connection unless the response is complete within this time. */
  endWithin(ms: number): void;
  /** By its lower-case name; several of one name are joined with commas. */
  header(name: string): string | null;
  /** The whole body, unless it exceeds `bytesMax`, finds no room, or was aborted. To be called once. */
  readBody(bytesMax: number, openShare?: () => Pick<RoomShare, 'take'>): MaybePromise<Body>;
  /** Whether the body ended early while it was read, so that no client receives the response. */
  isBodyAborted(): boolean;
}

/** A response before it is written. */
export interface HttpResponse {
  readonly status: number;
  /** By lower-case name; each layer that passes a response on may add to them. */
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array> | null;
  /** One header Set-Cookie each. */
  readonly cookies?: readonly string[];
  /** What the log line of a refusal says in addition to its status. */
  readonly refusal?: Refusal;
}

/** The code of a refusal, as its body has it, and the reason that only operators learn. */
export interface Refusal {
  readonly detailCode: string;
  readonly reason: string | null;
}

/** Facts about a request that its response and its log line need. */
export interface RequestState {
  readonly trackingId: string;
  operationId: string | null;
  caller: Caller | null;
}

/** Answers one request; throws for bugs and broken infrastructure only. */
export type RequestHandler = (exchange: Exchange, state: RequestState) => MaybePromise<HttpResponse>;

/** A handler with tracking id, log line and metrics around it: it does not throw, and its response is complete. */
export type ObservedHandler = (exchange: Exchange) => MaybePromise<HttpResponse>;

export const jsonResponse = (value: unknown): HttpResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

/** Whether a body is sent piece by piece. */
export const isInPieces = (body: HttpResponse['body']): body is AsyncIterable<string | Uint8Array> =>
  body !== null && typeof body !== 'string' && !(body instanceof Uint8Array);
