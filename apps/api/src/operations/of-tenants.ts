import { type HostTenants, NO_TENANT } from '../auth/host-tenants.ts';
import { whenReady } from '../event-loop/maybe-promise.ts';
import type { HttpResponse, RequestHandler } from '../http/exchange.ts';
import { problemResponse } from './problem.ts';

/** Answers 404 in place of an endpoint at the address of a tenant that does not exist. */
export type OfTenants = (handler: RequestHandler) => RequestHandler;

export const createOfTenants =
  ({ isOfNone }: Pick<HostTenants, 'isOfNone'>): OfTenants =>
  (handler) =>
  (c, state) =>
    whenReady<boolean, HttpResponse>(isOfNone(c), (isNone) =>
      isNone ? problemResponse(NO_TENANT, state.trackingId) : handler(c, state),
    );
