import { type Failure, failure } from '@access-admin/domain';
import type { RequestContext } from '../env.ts';
import { whenReady } from '../event-loop/maybe-promise.ts';
import { callerOf } from '../http/caller.ts';
import { authorize } from './authorize.ts';
import { refuseUndeclared } from './experimental.ts';
import { refuseMediaType } from './media-type.ts';
import type { Step } from './step.ts';

/**
 * Refuses, in this order, a client beyond its rate (429), a session from another page, a caller without rights (403), a request
 * for an experimental operation that does not say so (400), and a body of another media type (415).
 */
export const admit: Step = (c, operation) =>
  c.env.services.countRequest?.(callerOf(c)) ??
  refuseCrossSite(c) ??
  whenReady(
    authorize(c, operation),
    (refused) => refused ?? refuseUndeclared(c, operation) ?? refuseMediaType(c, operation),
  );

/**
 * Refuses a request of a session that may change something and comes from elsewhere than a page of this service: browsers send
 * cookies with requests of other pages too. A program sends its token itself, and needs no `Origin`.
 */
function refuseCrossSite(c: RequestContext): Failure | null {
  const { method } = c.req;
  const { sessionId, tenant } = callerOf(c);
  const isSafe = method === 'GET' || method === 'HEAD' || sessionId === undefined;
  return isSafe || c.env.services.ownOrigins.isSource(c, tenant) ? null : CROSS_SITE;
}

const CROSS_SITE: Failure = failure(
  'Forbidden',
  'Origin',
  'must be the address of the service, because the request is of a session: only its own pages may change something',
);
