import type { Middleware } from '../http/env.ts';

/** Gives the headers that every answer has to those that are made by Hono's own means. */
export const commonHeaders: Middleware = (c, next) => {
  for (const [name, value] of Object.entries(c.get('state').commonHeaders())) c.header(name, value);
  return next();
};
