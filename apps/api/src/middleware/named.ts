import type { Middleware } from '../http/env.ts';

/** Names what a request has reached, for its log line and its metrics. */
export const named =
  (id: string): Middleware =>
  (c, next) => {
    c.get('state').operationId = id;
    return next();
  };
