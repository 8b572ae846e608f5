import type { Authenticate } from '../auth/authenticate.ts';
import type { Middleware } from '../http/env.ts';
import { refuse } from '../http/problem.ts';

/** Refuses requests without a valid access token or session (401), and tells later steps the caller. */
export const authenticated =
  (authenticate: Authenticate): Middleware =>
  async (c, next) => {
    const caller = await authenticate(c);
    if (!caller.ok) return refuse(c, caller.failure);
    c.get('state').caller = caller.value;
    return next();
  };
