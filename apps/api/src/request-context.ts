import type { Caller } from '@access-admin/domain';
import type { Context } from 'hono';

/** What a request carries from the first middleware to the log line. */
export interface RequestState {
  readonly trackingId: string;
  operationId: string | null;
  caller: Caller | null;
}

/** The variables of our Hono contexts. */
export interface Env {
  Variables: { state: RequestState };
}

export type ApiContext = Context<Env>;
