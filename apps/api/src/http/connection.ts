import { type IncomingMessage, ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { RequestContext } from '../env.ts';
import type { RequestState } from './request-state.ts';

/** The peer's address; empty if the connection is closed. */
export const remoteAddress = (c: RequestContext): string =>
  (c.env.incoming === undefined ? c.env.remoteAddress : getConnInfo(c).remote.address) ?? '';

const signals = new WeakMap<RequestContext, AbortSignal>();

/**
 * Aborted when the response is complete or the client has disconnected. Hono's own signal is aborted only by a disconnect, but
 * resources of a request are released in both cases.
 */
export function requestClosed(c: RequestContext): AbortSignal {
  const outgoing = c.env.outgoing;
  if (outgoing === undefined) return c.req.raw.signal;
  const known = signals.get(c);
  if (known !== undefined) return known;
  const closed = new AbortController();
  if (outgoing.destroyed) closed.abort();
  else outgoing.once('close', () => closed.abort());
  signals.set(c, closed.signal);
  return closed.signal;
}

/** Resets the connection of an incomplete response: a client could take an orderly close for the end of the response. */
export function reset(c: RequestContext): void {
  const socket = c.env.incoming?.socket;
  if (socket !== undefined && !socket.destroyed) socket.resetAndDestroy();
}

/** Resets the connection unless the response is complete within this time. */
export function endWithin(c: RequestContext, ms: number): void {
  const timer = setTimeout(() => reset(c), ms);
  requestClosed(c).addEventListener('abort', () => clearTimeout(timer), { once: true });
}

/** Node's response with the state of its request. Each entry of a `WeakMap` would cost every collection of garbage. */
export class StatefulResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {
  state: RequestState | null = null;
}

/** Lets the connection guard find the state of a request by Node's response. */
export function noteState(outgoing: HttpBindings['outgoing'], state: RequestState): void {
  if (outgoing instanceof StatefulResponse) outgoing.state = state;
}

export const stateOf = (outgoing: HttpBindings['outgoing']): RequestState | null =>
  outgoing instanceof StatefulResponse ? outgoing.state : null;
