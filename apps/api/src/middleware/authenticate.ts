import { whenReady } from '../event-loop/maybe-promise.ts';
import type { Step } from './step.ts';

/**
 * Refuses requests without a valid access token or session (401), and notes the caller. Without a token, the address of a tenant
 * that does not exist is 404.
 */
export const authenticate: Step = (c) =>
  whenReady(c.env.services.authenticate(c), (caller) => {
    if (!caller.ok) return caller.failure;
    c.env.state.caller = caller.value;
    return null;
  });
