import type { Tenant } from '@access-admin/contract';
import { iterateItems, type Page, type PageOptions, readPage } from '../../http/list.ts';
import type { ApiRequest, CallOptions, Transport } from '../../http/transport.ts';
import { resourcePath } from '../../http/url.ts';

/** The confirmation of a removal. */
export interface TenantDeletion extends CallOptions {
  /** The name of the tenant once more. */
  readonly confirm: string;
}

/** The tenants of the service, for applications with the scope `tenants:manage`. */
export interface Tenants {
  /** Iterates over all tenants, a page at a time. */
  list(options?: CallOptions): AsyncIterable<Tenant>;
  /** Reads one page of the list. */
  page(options?: PageOptions): Promise<Page<Tenant>>;
  /** Reads a tenant by its name. Rejects with a `NotFoundError` once it is removed. */
  get(tenant: string, options?: CallOptions): Promise<Tenant>;
  /**
   * Has a tenant removed with all that it has, and resolves while that is under way: `get` tells how far it is. From then on
   * its tokens are refused, and its name is taken until nothing is left. Rejects with a `ConflictError` for the caller's own.
   */
  delete(tenant: string, options: TenantDeletion): Promise<Tenant>;
}

/** Builds the operations on tenants. */
export function createTenants(transport: Transport): Tenants {
  const group = '/tenants/v1';
  const page: Tenants['page'] = (options) => readPage(transport, { path: group }, options);
  const call = async (tenant: string, request: Pick<ApiRequest, 'method' | 'headers' | 'options'>) =>
    (await transport.call<Tenant>({ path: resourcePath(group, tenant), ...request })).value;
  return {
    list: (options) => iterateItems((part) => page({ ...options, ...part })),
    page,
    get: (tenant, options) => call(tenant, { method: 'GET', options }),
    delete: (tenant, { confirm, ...options }) =>
      call(tenant, { method: 'DELETE', headers: { 'x-confirm-tenant': confirm }, options }),
  };
}
