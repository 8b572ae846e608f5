import type { HttpBindings } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { RequestContext, RequestState } from './env.ts';

/** The address at the other end of the connection; empty if there is none, or it has ended. */
export const remoteAddress = (c: RequestContext): string =>
  (c.env?.incoming === undefined ? c.env?.remoteAddress : getConnInfo(c).remote.address) ?? '';

const signals = new WeakMap<RequestContext, AbortSignal>();

/**
 * Aborted when the exchange has ended, by its answer or because the caller has left. Hono's own signal is aborted only where the
 * caller leaves early; what a request holds has to be given back in both cases.
 */
export function ended(c: RequestContext): AbortSignal {
  const outgoing = c.env?.outgoing;
  if (outgoing === undefined) return c.req.raw.signal;
  const known = signals.get(c);
  if (known !== undefined) return known;
  const closed = new AbortController();
  if (outgoing.destroyed) closed.abort();
  else outgoing.once('close', () => closed.abort());
  signals.set(c, closed.signal);
  return closed.signal;
}

/**
 * Resets the connection. An answer that cannot be completed ends like this: the orderly end of a connection could pass for the
 * end of the answer.
 */
export function reset(c: RequestContext): void {
  const socket = c.env?.incoming?.socket;
  if (socket !== undefined && !socket.destroyed) socket.resetAndDestroy();
}

/** Resets the connection unless the answer is complete within this time. */
export function endWithin(c: RequestContext, ms: number): void {
  const timer = setTimeout(() => reset(c), ms);
  ended(c).addEventListener('abort', () => clearTimeout(timer), { once: true });
}

const states = new WeakMap<HttpBindings['outgoing'], RequestState>();

/** Lets the guard of connections find the state of a request by Node's response. */
export const noteState = (outgoing: HttpBindings['outgoing'], state: RequestState): void =>
  void states.set(outgoing, state);

/** The state of the request that a response of Node answers. */
export const stateOf = (outgoing: HttpBindings['outgoing']): RequestState | undefined => states.get(outgoing);
