import type { Caller } from '@access-admin/domain';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

/** What becomes known of a request on its way, for its answer and its log line. */
export interface RequestState {
  readonly trackingId: string;
  operationId: string | null;
  caller: Caller | null;
}

/** What our Hono contexts carry: the bindings of the HTTP server, which are not there in tests without one. */
export interface Env {
  Bindings: Partial<HttpBindings>;
}

export type ApiContext = Context<Env>;

/** Answers one request; what it throws is a bug or broken infrastructure. */
export type RequestHandler = (context: ApiContext, state: RequestState) => Response | Promise<Response>;
