import { failure, type NotFound } from '@access-admin/domain';
import type { Store } from '@access-admin/store';
import { type MaybePromise, whenReady } from '../event-loop/maybe-promise.ts';
import type { Exchange } from '../http/exchange.ts';
import { tenantOfHost } from './base-address.ts';

/** The tenants that requests without a token name by their host. */
export interface HostTenants {
  /** The tenant of a request; null where its host is of no tenant, or of one that does not exist. */
  find(exchange: Pick<Exchange, 'header'>): MaybePromise<string | null>;
  /** Whether the host of a request has the form of a tenant's, and there is no such tenant. */
  isOfNone(exchange: Pick<Exchange, 'header'>): MaybePromise<boolean>;
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
  const namedBy = (exchange: Pick<Exchange, 'header'>) => tenantOfHost(baseAddress, exchange.header('host') ?? '');
  const find: HostTenants['find'] = (exchange) => {
    const named = namedBy(exchange);
    if (named === null || named === own) return named;
    return tenants.exists(named).then((exists) => (exists ? named : null));
  };
  return {
    find,
    isOfNone: (exchange) => namedBy(exchange) !== null && whenReady(find(exchange), (found) => found === null),
  };
}
