import type { Operation } from '@access-admin/contract';
import { type Failure, failure } from '@access-admin/domain';
import type { RequestContext } from '../env.ts';

/** Whether the request carries the experimental header of SailPoint's API. */
export const hasForeignHeader = (c: RequestContext): boolean => c.req.header('x-sailpoint-experimental') === 'true';

/** Whether requests for an experimental operation need the header that says so. */
export type ExperimentalHeader = 'required' | 'optional';

/**
 * Refuses requests for an experimental operation without the header that says so (400). Where it is optional, clients that are
 * generated from specifications without it are served too.
 */
export function refuseUndeclared(c: RequestContext, { experimental }: Operation): Failure | null {
  const isDeclared =
    !experimental ||
    c.env.services.config.experimentalHeader === 'optional' ||
    hasForeignHeader(c) ||
    c.req.header('x-service-experimental') === 'true';
  return isDeclared ? null : NOT_DECLARED;
}

const NOT_DECLARED: Failure = failure(
  'RequiredMissing',
  'X-Service-Experimental',
  'must be true, because this operation is experimental: send the header X-Service-Experimental: true, or start the service with EXPERIMENTAL_HEADER=optional for clients that cannot, such as current SDKs of SailPoint',
);
