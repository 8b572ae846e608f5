import type { Caller } from '@access-admin/domain';
import type { RequestContext } from '../env.ts';

/** The caller of a request that has been authenticated. */
export function callerOf(c: RequestContext): Caller {
  const { caller } = c.env.state;
  if (caller === null) throw new Error('The request has not been authenticated.');
  return caller;
}
