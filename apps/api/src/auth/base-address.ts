import { TENANT_NAME } from '@access-admin/domain';
import type { RequestContext } from '../env.ts';

/** The public address of one tenant: the template with the tenant's name in it. */
export const tenantAddress = (baseAddress: string, tenant: string): string => baseAddress.replace('{tenant}', tenant);

/** A host as it is compared: in lower case, and without a default port that is written out. Empty for what is no host. */
const normalHost = (baseAddress: string, host: string): string =>
  URL.parse(`${/^https?:/i.exec(baseAddress)?.[0]}//${host}`)?.host ?? '';

/**
 * Whether a request with this Host header may carry a token of this tenant: always, unless the address names the tenant, which
 * a request without a Host header does not.
 */
export function hostAdmits(baseAddress: string, tenant: string, c: RequestContext): boolean {
  if (!baseAddress.includes('{tenant}')) return true;
  return normalHost(baseAddress, c.req.header('host') ?? '') === new URL(tenantAddress(baseAddress, tenant)).host;
}

/** The tenant whose address has this host; null where the base address names the tenant and the host is of none. */
export function tenantOfHost(baseAddress: string, host: string): string | null {
  const [before = '', after = ''] = baseAddress.replace(/^https?:\/\//i, '').split('{tenant}');
  const end = normalHost(baseAddress, `x${after}`).slice(1);
  const named = normalHost(baseAddress, host);
  const tenant = named.slice(before.length, named.length - end.length);
  return named === `${before.toLowerCase()}${tenant}${end}` && TENANT_NAME.test(tenant) ? tenant : null;
}
