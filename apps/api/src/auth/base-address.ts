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
