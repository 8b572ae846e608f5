import { isTenantName } from '@access-admin/domain';
import type { Exchange } from '../http/exchange.ts';

/** The public address of one tenant: the template with the tenant's name in it. */
export const addressOf = (baseAddress: string, tenant: string): string => baseAddress.replace('{tenant}', tenant);

/**
 * Whether a request with this Host header may carry a token of this tenant: always, unless the address names the tenant, which
 * a request without a Host header does not.
 */
export function hostAdmits(baseAddress: string, tenant: string, exchange: Exchange): boolean {
  if (!baseAddress.includes('{tenant}')) return true;
  const host = exchange.header('host');
  if (host === null) return false;
  const address = new URL(addressOf(baseAddress, tenant));
  // Parsed like the address, so that case and a default port that is written out make no difference.
  return URL.parse(`${address.protocol}//${host}`)?.host === address.host;
}

/** The tenant whose address has this host; null where the base address names the tenant and the host is of none. */
export function tenantOfHost(baseAddress: string, host: string): string | null {
  const [before = '', after = ''] = baseAddress.replace(/^https?:\/\//, '').split('{tenant}');
  const named = host.toLowerCase();
  const tenant = named.slice(before.length, named.length - after.length);
  return named === `${before}${tenant}${after}` && isTenantName(tenant) ? tenant : null;
}
