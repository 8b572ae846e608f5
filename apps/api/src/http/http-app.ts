import type { Failure } from '@access-admin/domain';
import type { Hono } from 'hono';
import type { Soon } from '../event-loop/maybe-promise.ts';
import type { Exchange, ObservedHandler, Reply } from './exchange.ts';
import type { Env } from './hono-exchange.ts';

/** The whole HTTP interface; nothing in it listens on a port. */
export interface HttpApp {
  readonly hono: Hono<Env>;
  /** The handlers of the operations that need no router, by path; Hono has them too. */
  readonly direct: ReadonlyMap<string, ObservedHandler>;
  /** Answers what cannot be routed, or an error that nothing else has answered: a bug. */
  readonly refuse: (fault: Failure | Error, exchange: Exchange) => Soon<Reply>;
}
