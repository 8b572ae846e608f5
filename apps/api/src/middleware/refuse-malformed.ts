import type { Middleware } from '../http/env.ts';
import { refuse } from '../http/problem.ts';

/** Refuses a message in which the server has found a fault: it names no resource. */
export const refuseMalformed: Middleware = (c, next) => {
  const fault = c.env?.fault;
  return fault === undefined ? next() : Promise.resolve(refuse(c, fault));
};
