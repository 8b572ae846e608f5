import { type Failure, failure } from '@access-admin/domain';
import { callerOf } from '../http/caller.ts';
import type { Middleware } from '../http/env.ts';
import { createOwnOrigins } from '../http/own-origins.ts';
import { refuse } from '../http/problem.ts';

/**
 * Refuses a request of a session that may change something and comes from elsewhere than a page of this service (403): browsers
 * send cookies with requests of other pages too. A program sends its token itself, and needs no `Origin`.
 */
export function sameOrigin(baseAddress: string): Middleware {
  const origins = createOwnOrigins(baseAddress);
  return (c, next) => {
    const { method } = c.req;
    const isSafe = method === 'GET' || method === 'HEAD' || c.req.header('authorization') !== undefined;
    return isSafe || origins.isSource(c, callerOf(c).tenant) ? next() : Promise.resolve(refuse(c, CROSS_SITE));
  };
}

const CROSS_SITE: Failure = failure(
  'Forbidden',
  'Origin',
  'must be the address of the service, because the request is of a session: only its own pages may change something',
);
