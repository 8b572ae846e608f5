import { failure, type NotFound } from '@access-admin/domain';
import type { Store } from '@access-admin/store';
import type { RequestContext } from '../env.ts';
import { type MaybePromise, whenReady } from '../event-loop/maybe-promise.ts';
import { tenantOfHost } from './base-address.ts';

/** The tenants that requests without a token name by their host. */
export interface HostTenants {
  /** The tenant of a request; null where its host is of no tenant, or of one that does not exist. */
  find(c: RequestContext): MaybePromise<string | null>;
  /** Whether the host of a request has the form of a tenant's, and there is no such tenant. */
  isOfNone(c: RequestContext): MaybePromise<boolean>;
}

interface HostTenantsConfig {
  readonly baseAddress: string;
  /** The tenant of all hosts where the address names none. It exists, also in an empty store. */
  readonly tenant: string;
}

/** The answer at the address of a tenant that does not exist. Nothing may be stored for it: anyone can invent hosts. */
export const NO_TENANT: NotFound = failure('NotFound', '', 'No tenant has this address.');

export function createHostTenants(
  { baseAddress, tenant: own }: HostTenantsConfig,
  tenants: Store['tenants'],
): HostTenants {
  if (!baseAddress.includes('{tenant}')) return { find: () => own, isOfNone: () => false };
  const namedBy = (c: RequestContext) => tenantOfHost(baseAddress, c.req.header('host') ?? '');
  const find: HostTenants['find'] = (c) => {
    const named = namedBy(c);
    if (named === null || named === own) return named;
    return tenants.exists(named).then((exists) => (exists ? named : null));
  };
  return {
    find,
    isOfNone: (c) => namedBy(c) !== null && whenReady(find(c), (found) => found === null),
  };
}
