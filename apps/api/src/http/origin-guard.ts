import type { Exchange } from './exchange.ts';

/**
 * Whether a request that changes something comes from a page of this origin. Browsers send `Origin` with every POST, and no page
 * of another origin can set it; `Sec-Fetch-Site` says the same where a browser sends it.
 */
export function isFromOwnOrigin(exchange: Pick<Exchange, 'header'>, address: string): boolean {
  const site = exchange.header('sec-fetch-site');
  return exchange.header('origin') === new URL(address).origin && (site === null || site === 'same-origin');
}
