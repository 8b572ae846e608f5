import type { RequestOrigin } from '@access-admin/store';
import { callerOf } from './caller.ts';
import type { RequestContext } from './env.ts';

/** The present request, as the log and the trace of the work that it makes name it. */
export const requestOrigin = (c: RequestContext): RequestOrigin => ({
  clientId: callerOf(c).clientId,
  trackingId: c.get('state').trackingId,
  traceparent: c.get('state').span?.traceparent ?? null,
});
