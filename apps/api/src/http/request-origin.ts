import type { RequestOrigin } from '@access-admin/store';
import type { RequestContext } from '../env.ts';
import { callerOf } from './caller.ts';

/** The present request, as the log and the trace of the work that it makes name it. */
export const requestOrigin = (c: RequestContext): RequestOrigin => ({
  clientId: callerOf(c).clientId,
  trackingId: c.env.state.trackingId,
  traceparent: c.env.state.span?.traceparent ?? null,
});
