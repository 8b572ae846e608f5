import type { Middleware } from '../env.ts';

/** Names what a request has reached, for its log line and its metrics. */
export const named =
  (id: string): Middleware =>
  (c, next) => {
    c.env.state.operationId = id;
    return next();
  };
